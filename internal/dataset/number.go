package dataset

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// parseFinite reads a number that is neither NaN nor infinite.
func parseFinite(token string) (float64, error) {
	v, err := strconv.ParseFloat(token, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is beyond the range of a float64", quote(token))
	case err != nil:
		return 0, fmt.Errorf("%s is not a number", quote(token))
	case !finite(v):
		return 0, fmt.Errorf("%s is not a finite number", quote(token))
	}
	return v, nil
}

func finite(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0)
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
