package main

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
)

// computed are robustnesses that take long, computed by -large and kept, a line each: the run, its
// robustness, the minutes of a processor that it took.
//
//go:embed computed.tsv
var computed string

// before returns a robustness that was computed before.
func before(run experiment.Run) (value float64, known bool) {
	for line := range strings.Lines(computed) {
		name, rest, _ := strings.Cut(line, "\t")
		if name != run.String() {
			continue
		}
		number, _, _ := strings.Cut(rest, "\t")
		v, err := strconv.ParseFloat(number, 64)
		return v, err == nil
	}
	return 0, false
}
