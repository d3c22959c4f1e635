package tabular

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Label is a label as people know it: a number or a word. Equal labels are ==. In JSON it is the
// number or the string.
type Label struct {
	text   string // a number as JSON has it, or the word
	number bool
}

// number returns the label of a number.
func number(v float64) Label {
	text, err := json.Marshal(v + 0) // −0 is 0
	if err != nil {
		return Label{text: strconv.FormatFloat(v, 'g', -1, 64)} // NaN and ±Inf are words
	}
	return Label{string(text), true}
}

// label returns the label that a text is: a number in any of its spellings, or a word. A whole
// number that float64 does not hold, beyond 2⁵³, is a word, so that it is not taken for its
// neighbour.
func label(text string) Label {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return Label{text: text}
	}
	if whole, ok := new(big.Int).SetString(text, 10); ok && whole.BitLen() > 53 {
		if _, accuracy := new(big.Float).SetInt(whole).Float64(); accuracy != big.Exact {
			return Label{text: text}
		}
	}
	return number(v)
}

// value is the number; words have none.
func (l Label) value() float64 {
	v, _ := strconv.ParseFloat(l.text, 64)
	return v
}

// String returns the number or the word.
func (l Label) String() string { return l.text }

// MarshalJSON returns a number or a string.
func (l Label) MarshalJSON() ([]byte, error) {
	if l.number {
		return []byte(l.text), nil
	}
	return plainJSON(l.text)
}

// UnmarshalJSON takes a number or a string.
func (l *Label) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		*l = Label{}
		return json.Unmarshal(text, &l.text)
	}
	var v *float64
	err := json.Unmarshal(text, &v)
	if err == nil && v == nil {
		err = errors.New("null is no label")
	}
	if err == nil {
		*l = number(*v)
	}
	return err
}

// compare orders numbers by size and words by their bytes.
func compare(a, b Label) int {
	if a.number && b.number {
		return cmp.Compare(a.value(), b.value())
	}
	return strings.Compare(a.text, b.text)
}
