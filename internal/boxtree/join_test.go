package boxtree

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestJoin: of every cell of a region within reach, each joined group has one choice that holds it,
// which is no farther; their gains add up to those of the trees there. So a search that begins with
// joined groups misses no answer.
func TestJoin(t *testing.T) {
	t.Parallel()
	cells, before, after := 0, 0, 0
	for number := range uint64(2000) {
		rng := rand.New(rand.NewPCG(number, 835))
		value := func() float64 { return float64(rng.IntN(5)) }
		members := drawTrees(t, rng, 1+rng.IntN(3), 2+rng.IntN(8), 3, 2, value)
		e := vote(t, members, trees.Vote{Rule: trees.Soft})
		model := NewModel(e)
		if model.grid.HasSets() {
			continue
		}
		x := make([]float64, e.Dim())
		for f := range x {
			x[f] = rng.NormFloat64()
		}
		from := e.Predict(x)
		s, err := searchOf(model, search.Query{
			X: x, From: from, Target: -1, Cost: geometry.In(polytope.Norm(rng.IntN(3))),
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(s.targets) == 0 {
			continue
		}
		o, m := s.NewOpener().(*opener), s.Metric()
		within := 3 * rng.Float64()
		c := &choices{}
		if err := o.gather(t.Context(), c, m, within); err != nil {
			t.Fatal(err)
		}
		o.region.reset(c.indexed())
		for f, whole := range o.region.box {
			lo := whole.Lo + rng.Int32N(whole.Hi-whole.Lo+1)
			part := grid.Span{Lo: lo, Hi: lo + rng.Int32N(whole.Hi-lo+1)}
			if rng.IntN(2) == 0 {
				whole = part
			}
			box := append(grid.Box(nil), o.region.box...)
			box[f] = whole
			o.region.restrict(box)
		}
		within *= 0.5 + rng.Float64()/2
		joined := o.join(within)
		before, after = before+c.groups(), after+joined.groups()
		cell := make([]int32, len(x))
		var walk func(f int)
		walk = func(f int) {
			if f < len(cell) {
				for cell[f] = joined.ball[f].Lo; cell[f] <= joined.ball[f].Hi; cell[f]++ {
					walk(f + 1)
				}
				return
			}
			if reach := s.CellReach(&m, cell); reach <= m.Scaled(within) {
				cells++
				checkCell(t, number, s, joined, cell, reach)
			}
		}
		walk(0)
	}
	if t.Logf("%d cells, %d groups, %d joined", cells, before, after); after > before/2 {
		t.Errorf("%d groups became %d", before, after)
	}
}

// checkCell compares the joined choices that hold a cell with the leaves of all trees there.
func checkCell(
	t *testing.T, number uint64, s *boxSearch, c *choices, cell []int32, reach float64,
) {
	holds := func(i int32) bool {
		for _, side := range c.rangesOf(i) {
			if at := cell[side.feature]; at < side.Lo || at > side.Hi {
				return false
			}
		}
		return true
	}
	for margin := range s.margins {
		got, want := c.base[margin], s.margins[margin].Base
		for g := range c.groups() {
			in := 0
			for i := c.first[g]; i < c.first[g+1]; i++ {
				if holds(i) && c.reaches[i] <= reach*(1+1e-12) {
					got, in = got+c.gain(i, margin), in+1
				}
			}
			if in != 1 {
				t.Fatalf("instance %d: cell %v lies in %d choices of group %d", number, cell, in, g)
			}
		}
		for i := range s.Trees {
			leaf := s.Leaf(&s.Trees[i], cell)
			want += s.margins[margin].Gain(s.model.Value(i, int(leaf)))
		}
		if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Fatalf("instance %d: cell %v adds up to %v, want %v", number, cell, got, want)
		}
	}
}
