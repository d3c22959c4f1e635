package costs

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/attack"
)

// number reads a finite number.
func number(v any) (float64, error) {
	n, ok := v.(json.Number)
	if ok {
		if x, err := n.Float64(); err == nil {
			return x + 0, nil // −0 is 0
		}
	}
	return 0, fmt.Errorf("want a number, not %s", describe(v))
}

// positive reads a finite number above 0.
func positive(v any) (float64, error) {
	if x, err := number(v); err == nil && x > 0 {
		return x, nil
	}
	return 0, fmt.Errorf("want a number above 0, not %s", describe(v))
}

// price reads a number above 0, or "inf" for a move that is not allowed.
func price(v any) (float64, error) {
	if v == "inf" {
		return math.Inf(1), nil
	}
	if x, err := positive(v); err == nil {
		return x, nil
	}
	advice := ""
	if x, err := number(v); err == nil && x == 0 {
		advice = ": a move that costs nothing has no nearest answer; take a small number such as " +
			"0.001"
	}
	return 0, fmt.Errorf(`want a number above 0, or "inf" for a move that is not allowed, not %s%s`,
		describe(v), advice)
}

func yes(v any) (bool, error) {
	if b, ok := v.(bool); ok {
		return b, nil
	}
	return false, fmt.Errorf("want true or false, not %s", describe(v))
}

// missingRule reads the rule of missing values.
func missingRule(v any) (attack.MissingRule, error) {
	switch v {
	case "keep":
		return attack.KeepMissing, nil
	case "fill":
		return attack.FillMissing, nil
	case "may":
		return attack.MayMiss, nil
	}
	return 0, fmt.Errorf(`want "keep", "fill" (a missing value may become a number) or "may" (a `+
		`number may also be missing), not %s`, describe(v))
}

// readLimit reads how far a feature may move: a number from 0, or a text like "10%", a part of its
// value.
func readLimit(v any) (length, part float64, err error) {
	if text, ok := v.(string); ok {
		if percent, ok := strings.CutSuffix(strings.TrimSpace(text), "%"); ok {
			if x, err := strconv.ParseFloat(strings.TrimSpace(percent), 64); err == nil && x >= 0 &&
				!math.IsInf(x, 1) {
				return 0, x / 100, nil
			}
		}
	} else if x, err := number(v); err == nil && x >= 0 {
		return x, 0, nil
	}
	return 0, 0, fmt.Errorf(
		`want a number from 0, or a part of the value such as "10%%", not %s`, describe(v),
	)
}
