package models

import (
	"errors"
	"math"
	"strconv"
)

// different reports whether no two words are the same.
func different(words []string) bool {
	seen := make(map[string]bool, len(words))
	for _, w := range words {
		seen[w] = true
	}
	return len(seen) == len(words)
}

// NameCodes keeps a library's names for the codes of its categories. Where two codes would have one
// name, or a feature is no category, rows have codes.
func (m *Model) NameCodes(names [][]string) {
	if len(names) != m.Dim || m.Categories == nil {
		return
	}
	known := make([][]string, m.Dim)
	for f, words := range names {
		if m.Categories[f] > 0 && len(words) > 0 && different(words) {
			known[f], m.CategoryNames = words, known
		}
	}
}

// NumberWord spells a category that is a number. It is an error if other numbers may have the same
// float64.
func NumberWord(v float64) (string, error) {
	if math.IsNaN(v) || math.Abs(v) >= 1<<53 {
		return "", errors.New("the number of a category is not finite, or beyond 2⁵³")
	}
	return strconv.FormatFloat(v, 'f', -1, 64), nil
}
