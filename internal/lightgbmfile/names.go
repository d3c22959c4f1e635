package lightgbmfile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/models"
)

// names are what a file says, after the trees, of the categories of a data frame: a list for each
// column of them, in the order of the columns, and which features were trained on as categories.
type names struct {
	lists    []json.RawMessage
	features []int // nil if the file does not say it
}

// namesIn reads the lines after the trees. What is no list there is no fault of the model.
func namesIn(text string) (n names) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if list, ok := strings.CutPrefix(line, "pandas_categorical:"); ok &&
			json.Unmarshal([]byte(list), &n.lists) != nil {
			n.lists = nil
		}
		list, ok := strings.CutPrefix(line, "[categorical_feature:")
		if ok && strings.HasSuffix(list, "]") {
			for word := range strings.SplitSeq(strings.TrimSuffix(list, "]"), ",") {
				if f, err := strconv.Atoi(strings.TrimSpace(word)); err == nil {
					n.features = append(n.features, f)
				}
			}
		}
	}
	return n
}

// of returns the names of the codes of each feature, of which it has so many in the training data;
// nil unless there is a list for each category. Columns that are ordered categories have lists,
// too, and are trained on as numbers; integers may be trained on as categories, and have none. A
// list that may be that of a column of numbers, by what the file says of its range, names nothing.
func (n *names) of(codes []int, infos []string) [][]string {
	features := n.features
	if features == nil {
		for f, count := range codes {
			if count > 0 {
				features = append(features, f)
			}
		}
	}
	if len(features) != len(n.lists) || !slices.IsSorted(features) {
		return nil
	}
	all := make([][]string, len(codes))
	for i, f := range features {
		words, ok := wordsOf(n.lists[i])
		if !ok || f < 0 || f >= len(codes) || codes[f] > len(words) {
			return nil
		}
		// An order has three categories at least. Flags are 0 and 1, and mostly not ordered.
		whole := fmt.Sprintf("[0:%d]", len(words)-1)
		if len(words) < 3 || !slices.Contains(infos, whole) {
			all[f] = words
		}
	}
	return all
}

// wordsOf returns the categories of a column: words, numbers as they are written, True and False.
func wordsOf(list json.RawMessage) (words []string, ok bool) {
	var values []any
	if json.Unmarshal(list, &values) != nil {
		return nil, false
	}
	for _, v := range values {
		word := ""
		switch v := v.(type) {
		case string:
			word = v
		case bool:
			word = map[bool]string{false: "False", true: "True"}[v]
		case float64:
			var err error
			if word, err = models.NumberWord(v); err != nil {
				return nil, false
			}
		default:
			return nil, false
		}
		words = append(words, word)
	}
	return words, true
}
