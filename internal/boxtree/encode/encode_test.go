package encode_test

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/encode"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// grow draws a tree over features 0 to dim−1, each leaf of which has a value of its own.
func grow(t *testing.T, r *rand.Rand, dim, depth int) *trees.Axis {
	t.Helper()
	var nodes []trees.Node
	var branch func(depth int) int
	branch = func(depth int) int {
		at := len(nodes)
		nodes = append(nodes, trees.Node{
			Feature: -1,
			Left:    -1,
			Right:   -1,
			Value:   []float64{float64(at), 0},
		})
		if depth == 0 || r.IntN(8) == 0 {
			return at
		}
		n := trees.Node{
			Feature: r.IntN(dim), Threshold: float64(r.IntN(5)-1) / 2, MissingLeft: r.IntN(2) == 0,
			Value: nodes[at].Value,
		}
		n.Left = branch(depth - 1)
		n.Right = branch(depth - 1)
		nodes[at] = n
		return at
	}
	branch(depth)
	tree, err := trees.NewAxis(dim, trees.Comparison(r.IntN(4)), trees.Nodes(nodes))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// bound are rules that bind features together, and leave 3 alone.
var bound = []rules.Feature{
	{Group: 1}, {Missing: rules.MayMiss}, {Group: 1}, {}, {Group: 2}, {Group: 1}, {Group: 2}, {
		Missing: rules.FillMissing,
	},
}

// drawBound draws an input that keeps them.
func drawBound(r *rand.Rand) []float64 {
	z := make([]float64, len(bound))
	for j := range z {
		z[j] = float64(r.IntN(9)-4) / 4
	}
	for _, members := range [][]int{{0, 2, 5}, {4, 6}} {
		for _, j := range members {
			z[j] = 0
		}
		z[members[r.IntN(len(members))]] = 1
	}
	if r.IntN(2) == 0 {
		z[1] = math.NaN()
	}
	return z
}

// TestCodedInputsReachTheirLeaves: an input reaches, by its codes, a copy of the leaf that it
// reaches by its values.
func TestCodedInputsReachTheirLeaves(t *testing.T) {
	t.Parallel()
	for number := range uint64(racetest.Count(2000, 20000)) {
		r := rand.New(rand.NewPCG(number, 1))
		dim, x := len(bound), drawBound(r)
		if r.IntN(2) == 0 {
			x[7] = math.NaN()
		}
		if r.IntN(2) == 0 {
			x[3] = math.NaN() // and stays so
		}
		q := rules.Rules{X: x, Features: bound}
		original := []*trees.Axis{grow(t, r, dim, 6), grow(t, r, dim, 6)}
		moves := q.Moves()
		c := encode.New(moves)
		coded, err := c.Trees(trees.BordersOf(dim, original), original)
		if err != nil {
			t.Fatal(err)
		}
		g := grid.New(dim, coded)
		v, ok := grid.NewPricedView(&g, search.Query{X: x, Moves: moves}, c.Gaps(&g, moves))
		if !ok {
			t.Fatalf("instance %d: all intervals of a feature are closed", number)
		}
		cell := make([]int32, dim)
		for range 20 {
			z := drawBound(r)
			if z[3] = x[3]; !math.IsNaN(x[3]) {
				z[3] = float64(r.IntN(9)-4) / 4
			}
			if c.Cell(&v, cell, z); math.IsNaN(x[7]) && r.IntN(2) == 0 {
				z[7] = math.NaN()
				c.Cell(&v, cell, z)
			}
			for i := range original {
				want, got := original[i].Value(original[i].Leaf(z)), coded[i].Value(
					int(g.Leaf(&g.Trees[i], cell)),
				)
				if !slices.Equal(got, want) {
					t.Fatalf("instance %d, tree %d: %v reaches leaf %v by codes, %v by values",
						number, i, z, got, want)
				}
			}
			point := slices.Repeat(grid.Box{{}}, dim)
			for f, s := range cell {
				point[f] = grid.Span{Lo: s, Hi: s}
			}
			back, ok := c.Point(&v, point)
			if !ok {
				t.Fatalf("instance %d: no point in the cell of %v", number, z)
			}
			for i := range original {
				if original[i].Leaf(back) != original[i].Leaf(z) {
					t.Fatalf("instance %d: %v is in the cell of %v, and reaches another leaf",
						number, back, z)
				}
			}
		}
	}
}

// TestTooManyCopies: a coding that would take too much memory is refused, of one tree or of several
// together.
func TestTooManyCopies(t *testing.T) {
	for _, test := range []struct {
		depth, count int // and as many features as levels that may be missing
		refused      bool
	}{{17, 1, true}, {12, 1, false}, {12, 90, true}} {
		features := make([]rules.Feature, test.depth)
		for j := range features {
			features[j].Missing = rules.MayMiss
		}
		nodes, value := make(trees.Nodes, 1<<(test.depth+1)-1), []float64{1}
		for i := range nodes {
			level := bits.Len(uint(i+1)) - 1
			if level == test.depth {
				nodes[i] = trees.Node{Feature: -1, Left: -1, Right: -1, Value: value}
				continue
			}
			nodes[i] = trees.Node{
				Feature:     level,
				Left:        2*i + 1,
				Right:       2*i + 2,
				MissingLeft: i%3 == 0,
				Value:       value,
			}
		}
		deep, err := trees.NewAxis(test.depth, trees.AtMostFloat64, nodes)
		if err != nil {
			t.Fatal(err)
		}
		q := rules.Rules{X: make([]float64, test.depth), Features: features}
		original := slices.Repeat([]*trees.Axis{deep}, test.count)
		if _, err := encode.New(q.Moves()).Trees(
			trees.BordersOf(test.depth, original), original,
		); errors.Is(err, errors.ErrUnsupported) != test.refused {
			t.Errorf("%d trees of %d nodes: %v", test.count, deep.Len(), err)
		}
	}
}

// TestMostTestedMember: the code of the member that most nodes test comes first, so that its test
// parts the codes in two, without copies.
func TestMostTestedMember(t *testing.T) {
	value := []float64{1}
	for member := range 5 {
		nodes := []trees.Node{
			{Feature: member, Threshold: 0.5, Left: 1, Right: 4, Value: value}, {
				Feature: 5,
				Left:    2,
				Right:   3,
				Value:   value,
			},
			{Left: -1, Right: -1, Value: value}, {Left: -1, Right: -1, Value: value}, {
				Left:  -1,
				Right: -1,
				Value: value,
			},
		}
		tree, err := trees.NewAxis(6, trees.AtMostFloat64, trees.Nodes(nodes))
		if err != nil {
			t.Fatal(err)
		}
		q := rules.Rules{
			X: []float64{1, 0, 0, 0, 0, 0},
			Features: []rules.Feature{{Group: 1}, {Group: 1}, {Group: 1}, {Group: 1}, {Group: 1},
				{}},
		}
		coded, err := encode.New(q.Moves()).Trees(trees.BordersOf(6, []*trees.Axis{tree}),
			[]*trees.Axis{tree})
		if err != nil || coded[0].Len() != len(nodes) {
			t.Errorf("a test of member %d: %v, %v, want %d nodes", member, coded, err, len(nodes))
		}
	}
}

// TestWhoSharesACoding: codings depend on groups, and on the features that may be missing, and on
// no other rule.
func TestWhoSharesACoding(t *testing.T) {
	nan := math.NaN()
	base := rules.Rules{
		X:        []float64{0, 1, 3},
		Features: []rules.Feature{{Group: 1}, {Group: 1}, {}},
	}
	same := []rules.Rules{
		{
			X:        []float64{1, 0, 7},
			Features: []rules.Feature{{Group: 5, Up: 2}, {Group: 5, Frozen: true}, {Step: 1}},
		},
		{
			X: []float64{2, 2, 7},
			Features: []rules.Feature{{Group: 1}, {Group: 1}, {
				Frozen:  true,
				Missing: rules.MayMiss,
			}},
		},
		{
			X: []float64{0, 1, 7},
			Features: []rules.Feature{{Group: 1, Frozen: true}, {Group: 1, Frozen: true}, {
				Missing: rules.FillMissing,
			}},
		},
	}
	other := []rules.Rules{
		{X: []float64{1, 0, 7}, Features: []rules.Feature{{}, {}, {}}},
		{X: []float64{1, 0, nan}, Features: base.Features},
		{
			X:        []float64{1, 0, 7},
			Features: []rules.Feature{{Group: 1}, {Group: 1}, {Missing: rules.MayMiss}},
		},
		{
			X:        []float64{2, 0, 7},
			Features: []rules.Feature{{Group: 1, Frozen: true}, {Group: 1, Frozen: true}, {}},
		},
	}
	c := encode.New(base.Moves())
	for i := range same {
		if !c.Equal(encode.New(same[i].Moves())) {
			t.Errorf("%+v has a coding of its own", same[i])
		}
	}
	for i := range other {
		if c.Equal(encode.New(other[i].Moves())) {
			t.Errorf("%+v has the coding of %+v", other[i], base)
		}
	}
	if !encode.New(other[0].Moves()).Plain() || c.Plain() {
		t.Error("a coding without groups is not plain, or one with a group is")
	}
}
