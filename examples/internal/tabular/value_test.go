package tabular

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
)

// TestValue: written values come back, words and missing values, and null alone is no row.
func TestValue(t *testing.T) {
	words := Words{nil, {"New York, NY", "<Oslo> & Åbo", ""}}
	for text, values := range map[string][]Value{
		"[1.5,-0.25]":           words.Row([]float64{1.5, -0.25}),
		"[1,null,-3e+9]":        words.Row([]float64{1, math.NaN(), -3e9}),
		`[2,"New York, NY"]`:    words.Row([]float64{2, 0}),
		`[null,"<Oslo> & Åbo"]`: words.Row([]float64{math.NaN(), 1}),
		`[0,""]`:                words.Row([]float64{0, 2}),
		"[1,3]":                 words.Row([]float64{1, 3}), // a code without a word
		"[1,-1,1.5]":            words.Row([]float64{1, -1, 1.5}),
		`["a",true]`:            nil,
		"[]":                    {},
		"null":                  nil,
		`[{"Number":1}]`:        nil,
		"[1e999]":               nil,
	} {
		var back []Value
		err := json.Unmarshal([]byte(text), &back)
		if values == nil && text != "null" {
			if err == nil {
				t.Errorf("%s is read as %v", text, back)
			}
			continue
		}
		if err != nil || !slices.EqualFunc(back, values, Value.Same) ||
			(back == nil) != (values == nil) {
			t.Errorf("%s is read as %v, %v", text, back, err)
		}
		written, err := json.Marshal(values)
		if back = nil; err != nil || json.Unmarshal(written, &back) != nil ||
			!slices.EqualFunc(back, values, Value.Same) {
			t.Errorf("%v is written as %s, %v", values, written, err)
		}
	}
	if a, b := words.At(1, 0), (Value{Number: 0}); a.Same(b) || b.Same(a) ||
		a.Same(words.At(1, 1)) || !a.Same(words.At(1, 0)) {
		t.Error("a word is the same as its code, or as another")
	}
}
