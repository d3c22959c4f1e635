package catboostfile

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// split is a test of a tree.
type split struct {
	_      struct{} `ignored:"ctr_target_border_idx"`
	Type   string   `json:"split_type"`
	Float  *int     `json:"float_feature_index"`
	Border *float64 `json:"border"`
	Cat    *int     `json:"cat_feature_index"`
	Value  *int64   `json:"value"` // the hash of a category, signed or not
	Index  int      `json:"split_index"`
}

// symmetric is a tree of which all nodes at one depth have one test. Its leaves are
// numbered by the outcomes of the tests, that of the first the lowest bit.
type symmetric struct {
	_      struct{}       `ignored:"leaf_weights"`
	Splits []split        `json:"splits"`
	Values models.Numbers `json:"leaf_values"`
}

// nested is a node of any other tree, with its two children, or a leaf.
type nested struct {
	_     struct{}       `ignored:"weight"`
	Split *split         `json:"split"`
	Left  *nested        `json:"left"`
	Right *nested        `json:"right"`
	Value models.Numbers `json:"value"`
}

// test is a split over columns: rows for which it holds go right, or left if it is turned.
type test struct {
	column
	border float64
	parts  []float64 // thresholds of categories, in place of the border
	turned bool      // the parts are the categories of which it does not hold
	same   bool      // it holds of no category, or of all if it is turned
}

// grower turns trees into nodes with thresholds.
type grower struct {
	columns *columns
	known   map[int]*categories
	used    []map[int]bool // by feature: codes that are asked for
	outputs int            // values of a leaf in the file
	classes int            // and of one here: a single output is that of label 1
	scale   float64        // of values
	zeros   []float64

	nodes []trees.Node // of one tree
}

func (g *grower) test(s *split) (t test, err error) {
	if s.Type == "OnlineCtr" {
		return g.testStatistic(s)
	}
	index, of := s.Float, g.columns.float
	switch {
	case s.Type == "OneHotFeature":
		index, of = s.Cat, g.columns.cat
	case s.Type != "FloatFeature":
		return t, models.Unsupported(fmt.Sprintf("a split_type is %.40q, and only FloatFeature, "+
			"OneHotFeature and OnlineCtr are read: train without texts and embeddings", s.Type))
	}
	if index == nil || (s.Cat != nil) != (s.Value != nil) || (s.Float != nil) != (s.Border != nil) {
		return t, fmt.Errorf("a split of type %s without feature or value", s.Type)
	}
	var ok bool
	if t.column, ok = of[*index]; !ok {
		return t, fmt.Errorf("a split of feature %d, which features_info lacks", *index)
	}
	said := known{feature: *index, categories: s.Type == "OneHotFeature"}
	if s.Type == "FloatFeature" {
		said.border = float32(*s.Border)
	} else {
		said.hash = uint32(*s.Value)
	}
	if tests := g.columns.tests; s.Index < 0 || s.Index >= len(tests) || tests[s.Index] != said {
		return t, anotherSplit(s)
	}
	if s.Type == "FloatFeature" {
		t.border = float64(said.border)
		return t, nil
	}
	g.choose(&t, *index, func(hash uint32) bool { return hash == said.hash })
	return t, nil
}

func anotherSplit(s *split) error {
	return fmt.Errorf("a split is another than that with its split_index, %d, in features_info",
		s.Index)
}

// testStatistic is a test of a category by its statistic. Categories in no table have one, too.
func (g *grower) testStatistic(s *split) (t test, err error) {
	tests := g.columns.tests
	if s.Border == nil || s.Index < 0 || s.Index >= len(tests) ||
		tests[s.Index].statistic == nil || tests[s.Index].border != float32(*s.Border) {
		return t, anotherSplit(s)
	}
	said := &tests[s.Index]
	t.column = g.columns.cat[said.statistic.category]
	above := func(hash uint64) bool { return said.statistic.value(hash) > said.border }
	t.turned = above(noCategory)
	g.choose(&t, said.statistic.category, func(hash uint32) bool {
		return above(inTables(hash)) != t.turned
	})
	return t, nil
}

// choose makes a test one of the codes of which something holds.
func (g *grower) choose(t *test, index int, holds func(hash uint32) bool) {
	codes := g.known[index].holding(holds)
	if len(codes) == 0 {
		t.same = true
		return
	}
	if g.used[t.feature] == nil {
		g.used[t.feature] = make(map[int]bool)
	}
	for _, code := range codes {
		g.used[t.feature][code] = true
	}
	t.parts = models.Ends(codes, func(code int) float64 { return float64(code) + 0.5 })
}

// symmetric grows a tree.
func (g *grower) symmetric(t *symmetric) error {
	depth := len(t.Splits)
	if depth > 30 || len(t.Values) != g.outputs<<depth {
		return fmt.Errorf("%d leaf_values for %d splits and %d values a leaf",
			len(t.Values), depth, g.outputs)
	}
	tests := make([]test, depth)
	for i := range t.Splits {
		var err error
		if tests[i], err = g.test(&t.Splits[i]); err != nil {
			return err
		}
	}
	return g.level(tests, t.Values, 0)
}

// level grows the subtree below some tests, of which so many are left. The leaf gets its bits from
// the first test on.
func (g *grower) level(tests []test, values models.Numbers, leaf int) error {
	if len(tests) == 0 {
		return g.leaf(values[leaf*g.outputs : (leaf+1)*g.outputs])
	}
	bit := len(values) / g.outputs >> len(tests)
	return g.branch(&tests[0], func(holds bool) error {
		if holds {
			return g.level(tests[1:], values, leaf|bit)
		}
		return g.level(tests[1:], values, leaf)
	})
}

// nested grows a tree.
func (g *grower) nested(n *nested) error {
	switch {
	case n == nil:
		return errors.New("a node lacks a child")
	case n.Split == nil && n.Left == nil && n.Right == nil:
		return g.leaf(n.Value)
	case n.Split == nil:
		return errors.New("a node with children lacks a split")
	}
	t, err := g.test(n.Split)
	if err != nil {
		return err
	}
	return g.branch(&t, func(holds bool) error {
		if holds {
			return g.nested(n.Right)
		}
		return g.nested(n.Left)
	})
}

// branch adds a test and the subtrees below it. Leaves of equal values need none.
func (g *grower) branch(t *test, follow func(holds bool) error) error {
	if t.same {
		return follow(t.turned)
	}
	i := len(g.nodes)
	g.nodes = append(g.nodes, trees.Node{
		Feature:     t.feature,
		Threshold:   t.border,
		Thresholds:  t.parts,
		Left:        i + 1,
		MissingLeft: t.missingLeft,
		Value:       g.zeros,
	})
	if err := follow(t.turned); err != nil {
		return err
	}
	right := len(g.nodes)
	g.nodes[i].Right = right
	if err := follow(!t.turned); err != nil {
		return err
	}
	if len(g.nodes) == i+3 && slices.Equal(g.nodes[i+1].Value, g.nodes[right].Value) {
		g.nodes = append(g.nodes[:i], g.nodes[right])
	}
	return nil
}

// leaf adds a leaf.
func (g *grower) leaf(values []float64) error {
	if len(values) != g.outputs {
		return fmt.Errorf("a leaf of %d values, want %d", len(values), g.outputs)
	}
	scaled := make([]float64, g.classes)
	for i, v := range values {
		if math.Abs(v) > 1<<53 {
			return fmt.Errorf("a leaf is %v: CatBoost reads whole numbers beyond 2⁵³ as 0", v)
		}
		if v *= g.scale; !precise.Finite(v) {
			return fmt.Errorf("a leaf is %v", v)
		}
		scaled[g.classes-g.outputs+i] = v
	}
	g.nodes = append(g.nodes, trees.Node{Left: -1, Right: -1, Value: scaled})
	return nil
}

// grown returns the tree that was grown, and makes room for the next.
func (g *grower) grown() []trees.Node {
	nodes := models.Reached(g.nodes)
	g.nodes = g.nodes[:0]
	return nodes
}

// categories returns how many codes each feature has, and their names if it has words: as many as
// there must be for each category that is asked for, and of numbers one that is none of these
// unless a table has them all.
func (g *grower) categories() (counts []int, names [][]string) {
	if len(g.columns.cat) == 0 {
		return nil, nil
	}
	counts = make([]int, g.columns.dim)
	for i, c := range g.columns.cat {
		if words := g.known[i].names; words != nil {
			if names == nil {
				names = make([][]string, g.columns.dim)
			}
			counts[c.feature], names[c.feature] = g.known[i].own, words
			continue
		}
		if counts[c.feature] = 1; g.known[i].all {
			for code := range g.known[i].hashes {
				counts[c.feature] = max(counts[c.feature], code+1)
			}
			continue
		}
		for code := range g.used[c.feature] {
			counts[c.feature] = max(counts[c.feature], code+1)
		}
		if len(g.used[c.feature]) == counts[c.feature] {
			counts[c.feature]++
		}
	}
	return counts, names
}
