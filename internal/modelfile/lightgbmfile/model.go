package lightgbmfile

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// magic is the first line of a file.
const magic = "tree"

// Owns reports whether a file is the text of LightGBM.
func Owns(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return string(bytes.TrimSpace(first)) == magic
}

// OwnsJSON reports whether a file of JSON with such keys is a dump of LightGBM.
func OwnsJSON(keys map[string]bool) bool {
	return keys["tree_info"] && keys["max_feature_idx"]
}

// Read reads a file of text.
func Read(text []byte) (*models.Model, error) {
	f, err := parse(string(text))
	if err != nil {
		return nil, err
	}
	return f.model(len(text))
}

// model makes the model of a file of so many bytes.
func (f *file) model(size int) (*models.Model, error) {
	features, groups, err := f.check()
	if err != nil {
		return nil, err
	}
	m := &models.Model{
		Kind: models.Ensemble, Dim: features, Comparison: trees.AtMostFloat64,
		ClassValues: models.Labels(max(groups, 2)), Trees: make([]trees.Plain, len(f.trees)),
		Undecided: f.header.undecided(),
	}
	if link, regresses := f.header.regression(groups); regresses {
		m.Kind, m.Vote.Rule, m.Link, m.ClassValues = models.Regressor, f.header.adding(), link, nil
	} else if f.header.undecided() {
		m.Vote.Rule = f.header.adding()
	} else if m.Vote, err = f.header.vote(groups, len(f.trees)/groups); err != nil {
		return nil, err
	}
	if m.FeatureNames, err = f.header.names(features); err != nil {
		return nil, err
	}
	if err := f.grow(m); err != nil {
		return nil, err
	}
	return m, m.Spread(size, func(tree int) int {
		switch {
		case m.Kind == models.Regressor:
			return 0
		case groups == 1:
			return 1 // a margin in favour of label 1
		}
		return tree % groups
	})
}

// grow decodes the trees, and the names of the codes of categories.
func (f *file) grow(m *models.Model) (err error) {
	codes, version := f.header.codes(m.Dim), f.header.lines["version"].value
	var c columns
	for i, s := range f.trees {
		if err = s.checkLines(treeLines, version); err == nil {
			m.Trees[i], err = c.tree(s, codes)
		}
		if err != nil {
			return trees.AtTree(i, err)
		}
	}
	names := f.names.of(codes, strings.Fields(f.header.lines["feature_infos"].value))
	for j, words := range names {
		if codes[j] == 0 { // of a column that is the same in all rows, the file lists no codes
			codes[j] = len(words)
		}
	}
	if slices.Max(codes) > 0 {
		m.Categories = codes
		m.NameCodes(names)
	}
	return nil
}

// check returns the numbers of features and of trees that grow together: one, or one
// for each class.
func (f *file) check() (features, groups int, err error) {
	h := f.header
	if v := h.lines["version"].value; v != "v3" && v != "v4" {
		return 0, 0, h.errorf("version", "%w",
			models.Unsupported(
				fmt.Sprintf("%.20q, want v3 or v4: load it with LightGBM 3 or 4, and save_model",
					v),
			))
	}
	if err := h.checkLines(headerLines, h.lines["version"].value); err != nil {
		return 0, 0, err
	}
	last, classes := h.integer("max_feature_idx"), h.integer("num_class")
	groups = h.optional("num_tree_per_iteration", classes)
	sizes, sized := h.lines["tree_sizes"]
	switch {
	case h.err != nil:
		err = h.err
	case last < 0 || last >= models.MostFeatures:
		err = h.errorf("max_feature_idx", "%d, want 0 to %d", last, models.MostFeatures-1)
	case groups != classes:
		err = h.errorf("num_tree_per_iteration", "%d for %d classes", groups, classes)
	case len(f.trees) == 0:
		err = models.NoTrees
	case groups < 1 || len(f.trees)%groups != 0:
		err = h.errorf("num_tree_per_iteration", "%d, and there are %d trees", groups, len(f.trees))
	case sized && len(strings.Fields(sizes.value)) != len(f.trees):
		err = h.errorf("tree_sizes", "%d numbers for %d trees",
			len(strings.Fields(sizes.value)), len(f.trees))
	}
	return last + 1, groups, err
}

// names returns the names of the features, nil if they have the names that LightGBM gives to the
// columns of an array.
func (s *section) names(features int) ([]string, error) {
	line, ok := s.lines["feature_names"]
	if !ok {
		return nil, nil
	}
	names, given := strings.Fields(line.value), false
	if len(names) != features {
		return nil, s.errorf("feature_names", "%d names, want %d", len(names), features)
	}
	for i, name := range names {
		given = given || name != fmt.Sprintf("Column_%d", i)
	}
	if !given {
		return nil, nil
	}
	return names, nil
}

// codes returns how many codes each feature has that is a category in the training data: those
// are listed there, "-1:0:2:1", where a number has its range, "[0:1]".
func (s *section) codes(features int) []int {
	codes := make([]int, features)
	for f, info := range strings.Fields(s.lines["feature_infos"].value) {
		if f >= features || strings.HasPrefix(info, "[") {
			continue
		}
		for code := range strings.SplitSeq(info, ":") {
			if v, err := strconv.Atoi(code); err == nil && v < models.MostCodes {
				codes[f] = max(codes[f], v+1)
			}
		}
	}
	return codes
}
