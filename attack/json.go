package attack

import "github.com/seed-1a7dc1f9/facet/internal/jsonvalue"

// MarshalText returns the word of a status, as in JSON.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalText returns "undecided", "yes" or "no", as in JSON.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// MarshalJSON writes the fields of a result by their names. A number that is infinite, or missing
// in an example, is a word, as JSON has no number for it: "+Inf", "-Inf", "NaN".
func (r Result) MarshalJSON() ([]byte, error) { return jsonvalue.Fields(r) }

// MarshalJSON writes the fields of counterfactuals by their names, as those of a Result.
func (c Counterfactuals) MarshalJSON() ([]byte, error) { return jsonvalue.Fields(c) }
