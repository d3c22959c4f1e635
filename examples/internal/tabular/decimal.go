package tabular

import (
	"regexp"
	"strings"
)

// commaNumber is a number whose decimals follow a comma, with points between thousands maybe.
var commaNumber = regexp.MustCompile(`^\s*[+-]?([0-9]+|[0-9]{1,3}(\.[0-9]{3})+)?(,[0-9]*)?` +
	`([eE][+-]?[0-9]+)?\s*$`)

// point returns a number with a decimal comma as one with a decimal point, and other cells as they
// are.
func point(cell string) string {
	if !strings.ContainsAny(cell, ",.") || !commaNumber.MatchString(cell) {
		return cell
	}
	return strings.Replace(strings.ReplaceAll(cell, ".", ""), ",", ".", 1)
}
