package attack

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// MarshalText returns the word of a status, as in JSON.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalText returns "undecided", "yes" or "no", as in JSON.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// MarshalJSON writes the fields of a result by their names. What is infinite, or missing in an
// example, is a word, for which JSON has no number: "+Inf", "-Inf", "NaN".
func (r Result) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(struct {
		Example         numbers
		Label           int
		Distance, Bound number
		Status          Status
		Nodes, Solves   int
	}{r.Example, r.Label, number(r.Distance), number(r.Bound), r.Status, r.Nodes, r.Solves})
	if err != nil {
		return nil, fmt.Errorf("attack: result: %w", err)
	}
	return text, nil
}

// MarshalJSON writes the fields of counterfactuals by their names, as those of a Result.
func (c Counterfactuals) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(struct {
		Found         []Result
		Status        Status
		Bound         number
		Nodes, Solves int
	}{c.Found, c.Status, number(c.Bound), c.Nodes, c.Solves})
	if err != nil {
		return nil, fmt.Errorf("attack: counterfactuals: %w", err)
	}
	return text, nil
}

// number is a float64 that is a word where JSON has no number for it.
type number float64

// MarshalJSON implements json.Marshaler.
func (n number) MarshalJSON() ([]byte, error) {
	v := float64(n)
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.AppendQuote(nil, strconv.FormatFloat(v, 'g', -1, 64)), nil
	}
	return json.Marshal(v)
}

// numbers is the coordinates of an input, null if there is none.
type numbers []float64

// MarshalJSON implements json.Marshaler.
func (all numbers) MarshalJSON() ([]byte, error) {
	if all == nil {
		return []byte("null"), nil
	}
	words := make([]number, len(all))
	for i, v := range all {
		words[i] = number(v)
	}
	return json.Marshal(words)
}
