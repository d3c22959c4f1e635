package dataset

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// parseFinite reads a number that is neither NaN nor infinite.
func parseFinite(token string) (float64, error) {
	v, err := strconv.ParseFloat(token, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is beyond the range of a float64", quote(token))
	case err != nil:
		return 0, fmt.Errorf("%s is not a number", quote(token))
	case !precise.Finite(v):
		return 0, fmt.Errorf("%s is not a finite number", quote(token))
	}
	return v, nil
}

// quote shows a token in an error message, cut when it is long: a binary file
// read as text may be one token.
func quote(token string) string {
	const longest = 40
	if len(token) > longest {
		return strconv.QuoteToASCII(token[:longest]) + "…"
	}
	return strconv.QuoteToASCII(token)
}
