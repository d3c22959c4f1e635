package tabular

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Classes numbers labels: class c is the label At(c).
type Classes struct {
	labels []Label
	index  map[Label]int
	words  bool // a label that looks like a number is a word too
}

// Learned returns the classes of a training set: its labels, ascending, words if one of them is.
// Their oddities are added to the notes of the table; a column that cannot be one of labels is an
// error.
func Learned(train *Table) (*Classes, error) {
	texts := slices.Compact(slices.Sorted(slices.Values(train.Labels)))
	c := spelled(texts)
	slices.SortFunc(c.labels, compare)
	c.labels = slices.Compact(c.labels)
	if err := c.examine(train, texts); err != nil {
		return nil, in(train.Path, err)
	}
	return c, c.enumerate()
}

// Numbers that are not whole are measurements if there are so many of them, and so are numbers of
// which most rows of as many have their own.
const someLabels = 20

// examine looks for labels that are none.
func (c *Classes) examine(train *Table, texts []string) error {
	fractions := 0 // the labels that are no whole numbers
	for _, l := range c.labels {
		if v := l.value(); v != math.Trunc(v) {
			fractions++
		}
	}
	many := train.Rows >= someLabels && len(c.labels) > train.Rows/2
	switch where := train.describeLabels(); {
	case !c.words && (many || fractions > someLabels):
		return fmt.Errorf("%s holds %d different numbers in %d rows, from %v to %v: it looks "+
			"like measurements or an index, not like labels. Say with --label which column they "+
			"are in",
			where, len(c.labels), train.Rows, c.labels[0], c.labels[len(c.labels)-1])
	case many:
		train.note("%s of %s holds %d different words in %d rows: are these the labels? --label "+
			"chooses the column.", upper(where), train.Path, len(c.labels), train.Rows)
	case len(c.labels) == 1:
		train.note("All rows of %s have the label %v, so no input gets another one: is that the "+
			"column of the labels?", train.Path, c.labels[0])
	}
	if odd := wordsAmongNumbers(texts); c.words && len(odd) > 0 {
		train.note("The labels of %s are words, numbers too, because of %s.",
			train.Path, enumerate(odd))
	}
	return nil
}

// describeLabels says where the labels stand.
func (t *Table) describeLabels() string {
	if t.LabelName == "" {
		return "the label's column"
	}
	return fmt.Sprintf("the label's column, %q,", t.LabelName)
}

// wordsAmongNumbers returns the texts that are no numbers if they are the smaller part.
func wordsAmongNumbers(texts []string) (words []string) {
	for _, text := range texts {
		if !label(text).number {
			words = append(words, text)
		}
	}
	if 2*len(words) >= len(texts) {
		return nil
	}
	return words
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

// At returns the label of a class.
func (c *Classes) At(class int) Label { return c.labels[class] }

// Len returns the number of classes.
func (c *Classes) Len() int { return len(c.labels) }

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

// Of returns the class of each row of a table that has labels. Labels that are none of the classes
// are an error that lists them, or have the class Unknown if the user counts such rows as errors of
// the classifier.
func (c *Classes) Of(t *Table, allowUnknown bool) ([]int, error) {
	y := make([]int, t.Rows)
	unknown, rows, seen := []string(nil), 0, make(map[string]bool)
	for i, text := range t.Labels {
		class, known := c.Class(text)
		if !known {
			class = Unknown
			rows++
			if l := c.Label(text).String(); !seen[l] {
				seen[l] = true
				unknown = append(unknown, l)
			}
		}
		y[i] = class
	}
	switch {
	case rows == 0:
		return y, nil
	case allowUnknown:
		t.note(
			"%s: %d of %d rows have a label that is none of the classes and count as errors: %s.",
			t.Path, rows, t.Rows, enumerate(unknown),
		)
		return y, nil
	}
	return nil, in(t.Path, c.complain(unknown, rows, t))
}

// complain returns an error, with advice, about labels that are unknown.
func (c *Classes) complain(unknown []string, rows int, t *Table) error {
	var known []string
	for _, l := range c.labels {
		known = append(known, l.String())
	}
	advice := "--classes names the classes of a model in its order; --unknown-labels wrong " +
		"counts test rows like these as errors"
	if rows == t.Rows {
		advice = "--label says where the labels stand, --classes names the classes of a model in " +
			"its order"
	}
	return fmt.Errorf(
		"%d of %d rows have a label that is none of the classes: %s. The classes are %s. %s",
		rows, t.Rows, enumerate(unknown), enumerate(known), advice,
	)
}

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

// Quoted lists labels.
func Quoted(labels []Label) string {
	names := make([]string, len(labels))
	for i, l := range labels {
		names[i] = strconv.Quote(l.String())
	}
	return strings.Join(names, ", ")
}
