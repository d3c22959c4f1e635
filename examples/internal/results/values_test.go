package results

import (
	"encoding/json"
	"math"
	"testing"
)

// TestValues: what is written comes back, a missing value as one, and null alone is no row.
func TestValues(t *testing.T) {
	for text, values := range map[string]Values{
		"[1.5,-0.25]":   {1.5, -0.25},
		"[1,null,-3e9]": {1, math.NaN(), -3e9},
		"[null]":        {math.NaN()},
		"[]":            {},
		"null":          nil,
	} {
		var back Values
		if err := json.Unmarshal([]byte(text), &back); err != nil || !alike(back, values) {
			t.Errorf("%s is read as %v, %v", text, back, err)
		}
		written, err := json.Marshal(values)
		if back = nil; err != nil || json.Unmarshal(written, &back) != nil || !alike(back, values) {
			t.Errorf("%v is written as %s, %v", values, written, err)
		}
	}
}

// alike compares values, of which NaN are equal.
func alike(a, b Values) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	for j := range a {
		if a[j] != b[j] && !(math.IsNaN(a[j]) && math.IsNaN(b[j])) {
			return false
		}
	}
	return true
}
