package modelfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

const (
	facetFormat = "facet-model"
	// obliqueFormat is that of files from before there were kinds, which people also
	// write by hand: its kind is ObliqueEnsemble.
	obliqueFormat = "oblique-tree-ensemble"
)

func isFacet(h *head) bool { return h.format == facetFormat || h.format == obliqueFormat }

// facetFile is the file. Its kind says which of its keys mean something.
type facetFile struct {
	Format     string       `json:"format"`
	Version    int          `json:"version"`
	Kind       models.Kind  `json:"kind,omitempty"`
	Features   int          `json:"n_features"`
	Columns    []string     `json:"feature_names,omitempty"`
	Categories []int        `json:"categories,omitempty"`
	Words      [][]string   `json:"category_names,omitempty"`
	Classes    []float64    `json:"classes,omitempty"`
	Names      []string     `json:"class_names,omitempty"`
	Comparison string       `json:"comparison,omitempty"`
	Vote       string       `json:"vote,omitempty"`
	Base       []float64    `json:"base,omitempty"`
	Single     bool         `json:"single,omitempty"`
	Divisor    float64      `json:"divisor,omitempty"`
	AnyOrder   bool         `json:"any_order,omitempty"`
	Chances    string       `json:"probability,omitempty"`
	Scale      float64      `json:"scale,omitempty"`
	Curve      *trees.Curve `json:"curve,omitempty"`
	Link       string       `json:"link,omitempty"`
	Trees      []columns    `json:"trees,omitempty"`
	K          int          `json:"k,omitempty"`
	Rows       [][]float64  `json:"rows,omitempty"`
	Labels     []int        `json:"labels,omitempty"`
	// of a file of arrays, in place of the trees
	Nodes   []int `json:"nodes,omitempty"`
	Outputs int   `json:"outputs,omitempty"`
	arrays  []trees.Plain
}

// Unknown refuses all other keys: the format has none that may not matter.
func (f *facetFile) Unknown(within, key string) error {
	return fmt.Errorf("%s, which the format has not: a newer facet may know what it means",
		models.InObject(within, key))
}

// comparisons and rules are the names of these, in the order of their numbers.
var (
	comparisons = []string{"float32(x) <= t", "x <= t", "float32(x) < t", "x < t"}
	rules       = []string{"soft", "hard", "sum", "logistic", "softmax"}
	// of regressors
	links = []string{
		"", "exp", "sigmoid", "signed-square", "rest", "sigmoid-rest", "sigmoid-folded",
		"isolation", "curve", "curve-rest",
	}
	// of classifiers
	chances = []string{"", "none", "voted", "rest", "logistic", "softmax", "folded", "one-by-one",
		"calibrated"}
)

func readFacet(text []byte) (*models.Model, error) {
	var f facetFile
	if err := models.DecodeJSON(text, &f); err != nil {
		return nil, err
	}
	if f.Nodes != nil || f.Outputs != 0 {
		return nil, fmt.Errorf("nodes or outputs, which are for the format %q", arraysFormat)
	}
	return f.model()
}

// model makes the model of a file.
func (f *facetFile) model() (*models.Model, error) {
	if err := checkHead(f.Version, f.Features, f.Classes, f.Names, f.Columns); err != nil {
		return nil, err
	}
	if f.Format == obliqueFormat {
		if len(f.Classes) == 0 {
			return nil, errors.New("no classes")
		}
		f.Kind = models.ObliqueEnsemble
	}
	if err := models.CheckCategories(f.Categories, f.Words, f.Features); err != nil {
		return nil, err
	}
	if len(f.Categories) > 0 && !f.Kind.IsAxis() {
		return nil, fmt.Errorf("categories of kind %q, which knows numbers alone", f.Kind)
	}
	m := &models.Model{
		Kind:          f.Kind,
		Dim:           f.Features,
		FeatureNames:  f.Columns,
		Categories:    f.Categories,
		CategoryNames: f.Words,
		ClassValues:   f.Classes,
		ClassNames:    f.Names,
		K:             f.K,
		Rows:          f.Rows,
		Labels:        f.Labels,
	}
	switch f.Kind {
	case models.KNN, models.WeightedKNN:
		return m, f.neighbors()
	case models.Tree, models.ObliqueTree:
		if n := max(len(f.Trees), len(f.arrays)); n > 1 {
			return nil, fmt.Errorf("%d trees in a %s", n, f.Kind)
		}
	case models.Regressor:
		return m, f.regressor(m)
	case models.Ensemble, models.ObliqueEnsemble:
	default:
		return nil, fmt.Errorf("kind is %.40q, want %s, %s, %s, %s, %s, %s or %s",
			f.Kind, models.Tree, models.Ensemble, models.ObliqueTree, models.ObliqueEnsemble,
			models.KNN, models.WeightedKNN, models.Regressor)
	}
	return m, f.trees(m)
}

// trees decodes trees and how they decide.
func (f *facetFile) trees(m *models.Model) error {
	rule, comparison := 0, 0
	oblique := m.Kind == models.ObliqueTree || m.Kind == models.ObliqueEnsemble
	if f.Vote != "" {
		rule = slices.Index(rules, f.Vote)
	}
	if !oblique {
		comparison = slices.Index(comparisons, f.Comparison)
	}
	if rule < 0 {
		return fmt.Errorf("vote is %.40q, want one of %q", f.Vote, rules)
	}
	if comparison < 0 {
		return fmt.Errorf("comparison is %.40q, want one of %q", f.Comparison, comparisons)
	}
	probability := slices.Index(chances, f.Chances)
	if probability < 0 {
		return fmt.Errorf("probability is %.40q, want none or one of %q", f.Chances, chances[1:])
	}
	m.Comparison, m.Vote = trees.Comparison(comparison), trees.Vote{
		Rule:     trees.Rule(rule),
		Base:     f.Base,
		Single:   f.Single,
		Divisor:  f.Divisor,
		AnyOrder: f.AnyOrder,
		Chances:  trees.Chances(probability),
		Scale:    f.Scale,
		Curve:    f.Curve,
	}
	classes := max(len(f.Classes), len(f.Names))
	if classes == 0 {
		classes = f.outputs()
	}
	var err error
	m.Trees, err = f.plain(oblique, classes)
	return err
}

// regressor decodes trees whose outputs are added up, or averaged.
func (f *facetFile) regressor(m *models.Model) error {
	link := slices.Index(links, f.Link)
	switch {
	case link < 0:
		return fmt.Errorf("link is %.40q, want none or one of %q", f.Link, links[1:])
	case f.Vote != rules[trees.Soft] && f.Vote != rules[trees.Sum]:
		return fmt.Errorf("vote is %.40q, want %q or %q in a regressor",
			f.Vote, rules[trees.Soft], rules[trees.Sum])
	case len(f.Classes) > 0 || len(f.Names) > 0:
		return errors.New("a regressor with classes")
	case f.Scale != 0 && !strings.HasPrefix(f.Link, "sigmoid") && f.Link != links[trees.Isolation]:
		return errors.New("a regressor with a scale, which sigmoids and isolation have alone")
	case f.Chances != "":
		return errors.New("a regressor with probabilities")
	case (f.Curve != nil) != strings.HasPrefix(f.Link, "curve"):
		return errors.New("a regressor with a curve that it does not use, or without one")
	}
	if m.Link = trees.Link(link); f.outputs() > 1 {
		return fmt.Errorf("%d values of a node, want 1 in a regressor", f.outputs())
	}
	return f.trees(m)
}

// outputs returns how many values the first node has, or a file of arrays all; 0 if there is none.
func (f *facetFile) outputs() int {
	if len(f.Trees) > 0 && len(f.Trees[0].Value) > 0 {
		return len(f.Trees[0].Value[0])
	}
	return f.Outputs
}

// neighbors checks training rows.
func (f *facetFile) neighbors() error {
	switch {
	case len(f.Rows) == 0:
		return errors.New("no rows")
	case f.K < 1:
		return fmt.Errorf("k is %d, want at least 1", f.K)
	}
	for i, r := range f.Rows {
		if len(r) != f.Features {
			return fmt.Errorf("row %d has %d values, n_features is %d", i, len(r), f.Features)
		}
	}
	for i, label := range f.Labels {
		if len(f.Names) > 0 && label >= len(f.Names) {
			return fmt.Errorf("row %d has label %d, and there are %d class_names",
				i, label, len(f.Names))
		}
	}
	return nil
}

// Write writes a model as a file of facet's own format, which Read reads back bit for
// bit. It returns an error for a model that Read refuses to read.
func Write(w io.Writer, m *models.Model) error {
	f := facetFile{
		Format:     facetFormat,
		Version:    1,
		Kind:       m.Kind,
		Features:   m.Dim,
		Columns:    m.FeatureNames,
		Categories: m.Categories,
		Words:      wordsOf(m.CategoryNames),
		Classes:    m.ClassValues,
		Names:      m.ClassNames,
		K:          m.K,
		Rows:       m.Rows,
		Labels:     m.Labels,
	}
	if err := checkHead(f.Version, f.Features, f.Classes, f.Names, f.Columns); err != nil {
		return err
	}
	axis := m.Kind.IsAxis()
	if axis {
		f.Comparison = comparisons[m.Comparison]
	}
	m.Each(func(_ int, nodes trees.Plain) error {
		f.Trees = append(f.Trees, encode(nodes, axis))
		return nil
	})
	if m.Kind == models.Ensemble || m.Kind == models.ObliqueEnsemble || m.Kind == models.Regressor {
		f.Link = links[m.Link]
		f.Vote, f.Base, f.Divisor = rules[m.Vote.Rule], m.Vote.Base, m.Vote.Divisor
		f.Single, f.AnyOrder = m.Vote.Single, m.Vote.AnyOrder
		f.Chances, f.Scale, f.Curve = chances[m.Vote.Chances], m.Vote.Scale, m.Vote.Curve
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(f); err != nil {
		return err
	}
	if text.Len() > mostBytes {
		return fmt.Errorf("%d bytes, more than the %d that are read", text.Len(), mostBytes)
	}
	_, err := w.Write(text.Bytes())
	return err
}

// wordsOf returns the names of codes with an empty list, and no null, where there are none.
func wordsOf(names [][]string) [][]string {
	words := slices.Clone(names)
	for f := range words {
		if words[f] == nil {
			words[f] = []string{}
		}
	}
	return words
}

// encode returns the columns of the nodes of a tree.
func encode(t trees.Plain, axis bool) columns {
	var c columns
	missing, infinite := make([]bool, t.Len()), make([]int, t.Len())
	sets := make([][]float64, t.Len())
	for i := range t.Len() {
		n := trees.At(t, i)
		if axis {
			c.Feature = append(c.Feature, n.Feature)
		} else {
			c.Weights = append(c.Weights, n.Weights)
		}
		switch {
		case math.IsInf(n.Threshold, 0) && n.Left >= 0:
			infinite[i] = int(math.Copysign(1, n.Threshold))
			n.Threshold, c.Infinite = 0, infinite
		case math.IsInf(n.Threshold, 0) || math.IsNaN(n.Threshold):
			n.Threshold = 0 // a leaf's, which has no meaning
		}
		if missing[i] = n.MissingLeft; n.MissingLeft {
			c.MissingLeft = missing
		}
		if sets[i] = n.Thresholds; len(n.Thresholds) > 0 {
			n.Threshold, c.Thresholds = 0, sets
		} else {
			sets[i] = []float64{} // an empty list, and no null
		}
		c.Threshold = append(c.Threshold, n.Threshold)
		c.Left, c.Right, c.Value = append(c.Left, n.Left), append(c.Right, n.Right), append(c.Value,
			slices.Clone(n.Value))
	}
	return c
}
