package lightgbmfile

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
)

// names are a file's lines, after the trees, about the categories of a data frame: a list for each
// column of them, in the order of the columns, and which features were trained on as categories.
type names struct {
	lists    []json.RawMessage
	features []int // nil if the file does not say it
}

// namesIn reads the lines after the trees. Other text there is no fault of the model.
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

// of returns the names of the codes of each feature, of which it has so many in the training data.
// The lists are those of all columns of categories, in their order: ordered ones too, which are
// trained on as numbers, where integers may be trained on as categories and have none. So a list
// names a feature only if it can be that of no other column, by the file's description of each.
func (n *names) of(codes []int, infos []string) [][]string {
	lists, all := make([][]string, len(n.lists)), make([][]string, len(codes))
	for i, list := range n.lists {
		var ok bool
		if lists[i], ok = wordsOf(list); !ok {
			return nil
		}
	}
	trained := make([]bool, len(codes))
	for f, count := range codes {
		trained[f] = n.features == nil && count > 0
	}
	for _, f := range n.features {
		if f < 0 || f >= len(codes) {
			return nil
		}
		trained[f] = true
	}
	fits := func(list, f int) bool {
		if trained[f] {
			return codes[f] <= len(lists[list])
		}
		return f >= len(infos) || mayCount(infos[f], len(lists[list]))
	}
	// the last column that each list can be of, if those behind have theirs
	last := make([]int, len(lists)+1)
	last[len(lists)] = len(codes)
	for i := len(lists) - 1; i >= 0; i-- {
		f := last[i+1] - 1
		for f >= 0 && !fits(i, f) {
			f--
		}
		if last[i] = f; f < 0 {
			return nil
		}
	}
	first := -1 // column that the list before can be of
	for i := range lists {
		var may []int
		for f := first + 1; f < last[i+1]; f++ {
			if fits(i, f) {
				may = append(may, f)
			}
		}
		if first = may[0]; len(may) == 1 && trained[first] {
			all[first] = lists[i]
		}
	}
	return all
}

// mayCount reports whether a column of numbers may hold codes of so many categories: its range,
// "[0:2]", is of whole numbers from 0 on, or "none", where all rows have the same.
func mayCount(info string, categories int) bool {
	ends := strings.Split(strings.Trim(info, "[]"), ":")
	for _, end := range ends {
		v, err := strconv.ParseFloat(end, 64)
		if err == nil && (v != math.Trunc(v) || v < 0 || v >= float64(categories)) {
			return false
		}
	}
	return true
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
