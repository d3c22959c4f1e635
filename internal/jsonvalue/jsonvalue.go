// Package jsonvalue writes numbers of results as JSON. What is infinite, or missing in an input, is
// a word, for which JSON has no number: "+Inf", "-Inf", "NaN".
package jsonvalue

import (
	"encoding/json"
	"math"
	"strconv"
)

// Number is a float64 that is a word where JSON has no number for it.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	v := float64(n)
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.AppendQuote(nil, strconv.FormatFloat(v, 'g', -1, 64)), nil
	}
	return json.Marshal(v)
}

// Numbers are the coordinates of an input, null if there is none.
type Numbers []float64

// MarshalJSON implements json.Marshaler.
func (all Numbers) MarshalJSON() ([]byte, error) {
	if all == nil {
		return []byte("null"), nil
	}
	words := make([]Number, len(all))
	for i, v := range all {
		words[i] = Number(v)
	}
	return json.Marshal(words)
}
