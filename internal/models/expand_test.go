package models_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// partedTree draws a tree of so many tests, on three features, that part lines at whole
// numbers. The values of leaves are all different.
func partedTree(rng *rand.Rand, tests int) ([]trees.Node, []*models.Parts) {
	nodes, parts := []trees.Node{{Left: -1, Right: -1}}, []*models.Parts{nil}
	for range tests {
		i := rng.IntN(len(nodes))
		for nodes[i].Left >= 0 {
			i = rng.IntN(len(nodes))
		}
		nodes[i] = trees.Node{
			Feature:     rng.IntN(3),
			Threshold:   float64(rng.IntN(8)),
			MissingLeft: rng.IntN(2) == 0,
			Left:        len(nodes),
			Right:       len(nodes) + 1,
		}
		leaf := trees.Node{Left: -1, Right: -1}
		nodes, parts = append(nodes, leaf, leaf), append(parts, nil, nil)
		if rng.IntN(3) > 0 {
			p := &models.Parts{Left: []bool{rng.IntN(2) == 0}}
			for end := range 8 {
				if rng.IntN(2) == 0 {
					p.Ends, p.Left = append(p.Ends, float64(end)), append(p.Left, rng.IntN(2) == 0)
				}
			}
			if len(p.Ends) > 0 {
				parts[i] = p
			}
		}
	}
	for i := range nodes {
		nodes[i].Value = []float64{float64(i), 0}
	}
	return nodes, parts
}

// partedLeaf walks down a tree as its parts say.
func partedLeaf(c trees.Comparison, nodes []trees.Node, parts []*models.Parts, x []float64) int {
	i := 0
	for nodes[i].Left >= 0 {
		n := nodes[i]
		ends, sides := []float64{n.Threshold}, []bool{true, false}
		if parts[i] != nil {
			ends, sides = parts[i].Ends, parts[i].Left
		}
		v, left := x[n.Feature], n.MissingLeft
		if c == trees.AtMostFloat32 || c == trees.BelowFloat32 {
			v = float64(float32(v))
		}
		if v == v {
			part := slices.IndexFunc(ends, func(end float64) bool {
				return v < end || v == end && (c == trees.AtMostFloat32 || c == trees.AtMostFloat64)
			})
			if part < 0 {
				part = len(ends)
			}
			left = sides[part]
		}
		if i = n.Right; left {
			i = n.Left
		}
	}
	return i
}

// TestExpand: trees of thresholds take every input to the leaf that the parts take it to.
func TestExpand(t *testing.T) {
	var values []float64
	for v := -1.0; v < 9; v++ {
		values = append(values, v, v+0.5, math.Nextafter(v, 9), math.Nextafter(v, -9), v+0x1p-24,
			v-0x1p-25)
	}
	values = append(values, math.NaN(), math.NaN(), -1e300, 1e300, math.Copysign(0, -1))
	for number := range uint64(2000) {
		rng := rand.New(rand.NewPCG(number, 31))
		c := trees.Comparison(number % 4)
		nodes, parts := partedTree(rng, rng.IntN(12))
		e := models.Expander{Comparison: c, Values: 2}
		expanded, err := e.Expand(nodes, parts)
		if err != nil {
			t.Fatal(err)
		}
		axis, err := trees.NewAxis(3, c, len(expanded),
			func(i int) trees.Node { return expanded[i] })
		if err != nil {
			t.Fatalf("tree %d: %v", number, err)
		}
		for range 100 {
			x := []float64{values[rng.IntN(len(values))], values[rng.IntN(len(values))],
				values[rng.IntN(len(values))]}
			if got, want := int(axis.Value(axis.Leaf(x))[0]), partedLeaf(
				c, nodes, parts, x,
			); got != want {
				t.Fatalf("tree %d: %v reaches leaf %d, want %d\n%v", number, x, got, want, expanded)
			}
		}
	}
}

// TestExpandKeepsWhatIsReached: of the copies of a subtree only what is reached is made.
func TestExpandKeepsWhatIsReached(t *testing.T) {
	even := &models.Parts{Left: []bool{true}}
	for end := range 40 {
		even.Ends, even.Left = append(even.Ends, float64(end)), append(even.Left, end%2 == 1)
	}
	var nodes []trees.Node
	var parts []*models.Parts
	for i := range 30 { // one below another, with the same test
		nodes, parts = append(nodes, trees.Node{Left: 2*i + 2, Right: 2*i + 1},
			trees.Node{Left: -1, Right: -1}), append(parts, even, nil)
	}
	nodes, parts = append(nodes, trees.Node{Left: -1, Right: -1}), append(parts, nil)
	for i := range nodes {
		nodes[i].Value = make([]float64, 100)
	}
	e := models.Expander{Comparison: trees.BelowFloat32, Values: 100}
	// 41 runs, and NaN, which goes on to a right side: to leaves
	if expanded, err := e.Expand(nodes, parts); err != nil || len(expanded) != 81 {
		t.Errorf("%d nodes, %v, want 81", len(expanded), err)
	}
	for i := range nodes {
		nodes[i].Feature = i
	}
	if _, err := e.Expand(nodes, parts); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("20 times as many nodes at each of 30 levels: %v", err)
	}
}

// TestSet: neighbours in a set share their ends.
func TestSet(t *testing.T) {
	p := models.Set([]int{0, 2, 3, 7}, false, func(code int) float64 { return float64(code + 1) })
	if !slices.Equal(p.Ends, []float64{0, 1, 2, 4, 7, 8}) ||
		!slices.Equal(p.Left, []bool{true, false, true, false, true, false, true}) {
		t.Errorf("Set = %+v", p)
	}
}
