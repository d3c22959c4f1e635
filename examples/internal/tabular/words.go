package tabular

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Words are the names of the codes 0, 1, … of categories, by feature; nil for a number.
type Words [][]string

// At returns the value of a feature in a row: the word of a category, or a number.
func (w Words) At(feature int, v float64) Value {
	if feature < len(w) && v >= 0 && v < float64(len(w[feature])) && v == math.Trunc(v) {
		return Value{Number: v, word: w[feature][int(v)], named: true}
	}
	return Value{Number: v}
}

// Row returns the values of a row; nil for none.
func (w Words) Row(x []float64) []Value {
	if x == nil {
		return nil
	}
	values := make([]Value, len(x))
	for j, v := range x {
		values[j] = w.At(j, v)
	}
	return values
}

// Numbers returns the numbers of a row, and the codes of its words; nil for none.
func Numbers(row []Value) []float64 {
	if row == nil {
		return nil
	}
	x := make([]float64, len(row))
	for j, v := range row {
		x[j] = v.Number
	}
	return x
}

// vocabulary tells the codes of a category by its words.
type vocabulary struct {
	words   []string
	texts   map[string]int  // words as they are, and without spaces around them
	numbers map[float64]int // of words that are numbers or truths; −1: several are the same one
}

// vocabularies returns those of the features that have words.
func (w Words) vocabularies() []*vocabulary {
	list := make([]*vocabulary, len(w))
	for j, words := range w {
		if len(words) > 0 {
			list[j] = newVocabulary(words)
		}
	}
	return list
}

func newVocabulary(words []string) *vocabulary {
	v := &vocabulary{
		words: words, texts: make(map[string]int), numbers: make(map[float64]int),
	}
	for code, word := range words {
		if n, is := numberOf(word); is {
			if _, twice := v.numbers[n]; twice {
				code = -1
			}
			v.numbers[n] = code
		}
	}
	for code, word := range words {
		trimmed := strings.TrimSpace(word)
		if _, twice := v.texts[trimmed]; twice {
			code = -1
		}
		v.texts[trimmed] = code
	}
	exact := make(map[string]bool)
	for code, word := range words {
		if exact[word] {
			code = -1
		}
		v.texts[word], exact[word] = code, true
	}
	return v
}

// numberOf returns the number that a word is, 1 for True and 0 for False.
func numberOf(word string) (float64, bool) {
	if v, is := truth(word); is {
		return v, true
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// truth returns the number of a truth value.
func truth(cell string) (v float64, is bool) {
	switch cell {
	case "True", "true", "TRUE":
		return 1, true
	case "False", "false", "FALSE":
		return 0, true
	}
	return 0, false
}

// answer returns the number of a truth value, or of Yes and No.
func answer(cell string) (v float64, is bool) {
	switch cell {
	case "Yes", "yes", "YES":
		return 1, true
	case "No", "no", "NO":
		return 0, true
	}
	return truth(cell)
}

// code returns that of the word in a cell: spelled so, or the same number. A nil vocabulary knows
// none.
func (v *vocabulary) code(cell string) (code float64, known bool) {
	if v == nil {
		return 0, false
	}
	if code, known := v.texts[cell]; known && code >= 0 {
		return float64(code), true
	}
	if n, is := numberOf(cell); is {
		if code, known := v.numbers[n]; known && code >= 0 {
			return float64(code), true
		}
	}
	return 0, false
}

// vocabularyOf returns that of a feature, nil for a number.
func vocabularyOf(all []*vocabulary, feature int) *vocabulary {
	if feature >= len(all) {
		return nil
	}
	return all[feature]
}

// isWord reports whether a cell is a word of a category, which may look like a missing value.
func isWord(all []*vocabulary, feature int, cell string) bool {
	_, known := vocabularyOf(all, feature).code(cell)
	return known
}

// strange says that a cell is no word that is known.
func (v *vocabulary) strange(cell string) string {
	const most = 1000 // that are compared
	return fmt.Sprintf("is none of the categories that the model knows in this column: %s%s",
		enumerate(v.words), Suggest(cell, v.words[:min(len(v.words), most)]))
}
