package tabular

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// Value is the value of a feature in a row: a number, NaN if it is missing, or the word of a
// category. In JSON it is the number, null or the string.
type Value struct {
	Number float64 // of a word its code, NaN if it was read from JSON
	word   string
	named  bool
}

// Word returns the word of a category; false for a number.
func (v Value) Word() (string, bool) { return v.word, v.named }

// Same reports whether two values say the same: one number, one word, or that it is missing.
func (v Value) Same(other Value) bool {
	if v.named || other.named {
		return v.named == other.named && v.word == other.word
	}
	return v.Number == other.Number || math.IsNaN(v.Number) && math.IsNaN(other.Number)
}

// Plain returns the number or the word; nil for a missing value.
func (v Value) Plain() any {
	switch {
	case v.named:
		return v.word
	case math.IsNaN(v.Number):
		return nil
	}
	return v.Number
}

// String returns the word, or the number in full.
func (v Value) String() string {
	if v.named {
		return v.word
	}
	return strconv.FormatFloat(v.Number, 'g', -1, 64)
}

// MarshalJSON returns a number, null or a string.
func (v Value) MarshalJSON() ([]byte, error) { return plainJSON(v.Plain()) }

// UnmarshalJSON reads the result of MarshalJSON.
func (v *Value) UnmarshalJSON(text []byte) error {
	*v = Value{Number: math.NaN()}
	switch {
	case text[0] == '"':
		v.named = true
		return json.Unmarshal(text, &v.word)
	case string(text) == "null":
		return nil
	}
	return json.Unmarshal(text, &v.Number)
}

// plainJSON encodes a value as it stands in a text, not in a page.
func plainJSON(v any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSpace(text.Bytes()), err
}
