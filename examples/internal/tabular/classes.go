package tabular

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Label is a label as people know it: a number or a word. Equal labels are ==. In JSON it is the number or the string.
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

// label returns the label that a text is: a number in any of its spellings, or a word.
func label(text string) Label {
	if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
		return number(v)
	}
	return Label{text: text}
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
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(l.text)
	return bytes.TrimSpace(text.Bytes()), err
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

// Classes numbers labels: class c is the label Labels()[c].
type Classes struct {
	labels []Label
	index  map[Label]int
	words  bool // a label that looks like a number is a word too
}

// Learned returns the classes of a training set: its labels, ascending, words if one of them is. What is odd
// about them is added to the notes of the table, or is an error.
func Learned(train *Table) (*Classes, error) {
	c := spelled(slices.Compact(slices.Sorted(slices.Values(train.Labels))))
	slices.SortFunc(c.labels, compare)
	c.labels = slices.Compact(c.labels)
	return c, c.enumerate()
}

// Named returns the classes of these labels, in this order: numbers, or words if one of them is.
func Named(texts []string) (*Classes, error) {
	c := spelled(texts)
	return c, c.enumerate()
}

// spelled decides whether labels are numbers or words.
func spelled(texts []string) *Classes {
	c := &Classes{}
	for _, text := range texts {
		c.labels = append(c.labels, label(text))
	}
	c.words = slices.ContainsFunc(c.labels, func(l Label) bool { return !l.number })
	if c.words {
		for i, text := range texts {
			c.labels[i] = Label{text: text}
		}
	}
	return c
}

// Numbered returns the classes of these numbers, in this order.
func Numbered(values []float64) (*Classes, error) {
	c := &Classes{}
	for _, v := range values {
		c.labels = append(c.labels, number(v))
	}
	return c, c.enumerate()
}

// enumerate fills the index; a label that stands there twice is an error.
func (c *Classes) enumerate() error {
	c.index = make(map[Label]int, len(c.labels))
	for class, l := range c.labels {
		if _, again := c.index[l]; again {
			return fmt.Errorf("the label %v is listed twice", l)
		}
		c.index[l] = class
	}
	return nil
}

func compare(a, b Label) int {
	if a.number && b.number {
		return cmp.Compare(a.value(), b.value())
	}
	return strings.Compare(a.text, b.text)
}

// Labels returns the label of each class.
func (c *Classes) Labels() []Label { return slices.Clone(c.labels) }

// Label returns the label of this text, known or not.
func (c *Classes) Label(text string) Label {
	if c.words {
		return Label{text: text}
	}
	return label(text)
}

// Class returns the class of a label.
func (c *Classes) Class(text string) (class int, known bool) {
	class, known = c.index[c.Label(text)]
	return class, known
}

// Unknown is the class of a row whose label is none of the classes.
const Unknown = -1

// Of returns the class of each row of a table. Labels that are none of the classes are an error that lists
// them, or Unknown if the user counts such rows as errors of the classifier.
func (c *Classes) Of(t *Table, allowUnknown bool) ([]int, error) {
	y := make([]int, t.Rows)
	for i, text := range t.Labels {
		class, known := c.Class(text)
		if !known && !allowUnknown {
			return nil, fmt.Errorf("%s: label %v is none of %v", t.Path, c.Label(text), c.labels)
		}
		if !known {
			class = Unknown
		}
		y[i] = class
	}
	return y, nil
}
