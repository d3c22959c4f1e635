package boxtree

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// game is a query about a hard vote, and the inputs that stand for the intervals of its features.
type game struct {
	*Model
	q search.Query
}

// newGame draws trees, some of which test sets, and allows some inputs multiples of a half only, so
// that intervals are closed.
func newGame(t *testing.T, rng *rand.Rand) *game {
	dim, classes := 1+rng.IntN(3), 2+rng.IntN(2)
	members := drawTrees(t, rng, dim, 1+rng.IntN(5), 1+rng.IntN(3), classes, rng.Float64)
	g := &game{Model: NewModel(vote(t, members, trees.Vote{Rule: trees.Hard}))}
	x := make([]float64, dim)
	for f := range x {
		x[f] = float64(rng.IntN(9)-4) / 4
	}
	g.q = search.Query{X: x, From: g.Predict(x), Target: -1}
	if rng.IntN(2) == 0 {
		r := rules.Rules{X: x, Features: make([]rules.Feature, dim)}
		for f := range r.Features {
			r.Features[f].Step = float64(rng.IntN(2)) / 2
		}
		g.q.Moves = r.Moves()
	}
	return g
}

// decider returns a new one.
func (g *game) decider(t *testing.T) *Decider {
	return forcing(t, g.Model, g.q)
}

func forcing(t *testing.T, m *Model, q search.Query) *Decider {
	t.Helper()
	s, err := searchOf(m, q)
	if err != nil {
		t.Fatal(err)
	}
	return s.Forcing()
}

// value returns an input's value in an interval; false if none is allowed.
func (g *game) value(f int, interval int32) (float64, bool) {
	side := g.grid.Borders[f].Values(interval, interval)
	if g.q.Moves != nil {
		return g.q.Moves.Each[f].Value(side)
	}
	return geometry.Inside(side, g.q.X[f])
}

// broken reports whether an input of a box has another label.
func (g *game) broken(b grid.Box) bool {
	z := make([]float64, len(b))
	var from func(f int) bool
	from = func(f int) bool {
		if f == len(b) {
			return g.Predict(z) != g.q.From
		}
		for at := b[f].Lo; at <= b[f].Hi; at++ {
			var ok bool
			if z[f], ok = g.value(f, at); ok && from(f+1) {
				return true
			}
		}
		return false
	}
	return from(0)
}

// TestDecideAgainstEnumeration asks about many boxes of one input, with a decider that remembers
// and with a new one, and compares with all cells.
func TestDecideAgainstEnumeration(t *testing.T) {
	var count [3]int
	for number := range uint64(200) {
		rng := rand.New(rand.NewPCG(number, 5))
		g := newGame(t, rng)
		d := g.decider(t)
		for range 8 {
			box := make(grid.Box, len(g.q.X))
			for f, borders := range g.grid.Borders {
				a, b := rng.IntN(len(borders)+1), rng.IntN(len(borders)+1)
				box[f] = grid.Span{Lo: int32(min(a, b)), Hi: int32(max(a, b))}
			}
			want := Forced
			if g.broken(box) {
				want = Broken
			}
			for _, decider := range []*Decider{d, g.decider(t)} {
				left := 1 << 20
				got, z := decider.Decide(t.Context(), slices.Clone(box), &left)
				count[got]++
				if got != want || (z != nil) != (got == Broken) {
					t.Fatalf("instance %d, box %v: %v with %v, want %v", number, box, got, z, want)
				}
				for f, v := range z {
					s := g.grid.Borders[f].Interval(v)
					if at, ok := g.value(f, s); s < box[f].Lo || s > box[f].Hi || !ok ||
						g.q.Moves != nil && g.q.Moves.Each[f].Step > 0 && v != at {
						t.Fatalf("instance %d: %v lies outside %v", number, z, box)
					}
				}
			}
		}
	}
	if count[Forced] < 300 || count[Broken] < 300 {
		t.Errorf("verdicts %v", count)
	}
}

// twoTrees returns a decider about two trees whose best leaves win for label 1 together, and are
// disjoint: a split is needed to see that it wins nowhere. Label 2 wins if its base says so.
func twoTrees(t *testing.T, start float64) *Decider {
	t.Helper()
	stump := func(threshold, left, right float64) *trees.Axis {
		tree, err := trees.NewAxis(1, trees.AtMostFloat64, trees.Nodes([]trees.Node{
			{Threshold: threshold, Left: 1, Right: 2, Value: []float64{0, 0, 0}},
			{Feature: -1, Left: -1, Right: -1, Value: []float64{0, left, 0}},
			{Feature: -1, Left: -1, Right: -1, Value: []float64{0, right, 0}},
		}))
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	e := vote(t, []*trees.Axis{stump(1, 0, 1), stump(0, 1, 0)},
		trees.Vote{Rule: trees.Sum, Base: []float64{1.5, 0, start}})
	q := search.Query{X: []float64{-1}, From: 0, Target: -1}
	return forcing(t, NewModel(e), q)
}

// TestLabelThatWonLastComesFirst: the second of two labels wins, after a split for the first one;
// asked again it needs none.
func TestLabelThatWonLastComesFirst(t *testing.T) {
	d := twoTrees(t, 5)
	for i, want := range []bool{true, false} {
		left := 10
		verdict, _ := d.Decide(t.Context(), slices.Clone(d.Domain), &left)
		if verdict != Broken || (left < 10) != want {
			t.Errorf("question %d: %v, %d splits left", i, verdict, left)
		}
	}
}

// TestLimit: without splits left a box stays open; with them it is closed.
func TestLimit(t *testing.T) {
	for splits, want := range []Verdict{Open, Forced} {
		d, left := twoTrees(t, 0), splits
		verdict, z := d.Decide(t.Context(), slices.Clone(d.Domain), &left)
		if verdict != want || z != nil {
			t.Errorf("%d splits: %v, %v", splits, verdict, z)
		}
	}
}

// TestBoxes: fixed features stay where the input is, intervals of numbers become spans, and the
// neighbour of a value is the last float64 before a threshold.
func TestBoxes(t *testing.T) {
	d := twoTrees(t, 0)
	if b := d.Box(func(int) bool { return true }); b[0] != (grid.Span{}) {
		t.Errorf("fixed: %v", b)
	}
	if b := d.Box(func(int) bool { return false }); b[0] != d.Domain[0] {
		t.Errorf("free: %v", b)
	}
	if s := d.Span(0, polytope.Interval{Lo: 0.5, Hi: 7}); s != (grid.Span{Lo: 1, Hi: 2}) {
		t.Errorf("from 0.5 to 7: %v", s)
	}
	if v := d.Beside(0, 0.5, true); v != 0 {
		t.Errorf("below 0.5: %v, want 0", v)
	}
	if v := d.Beside(0, 0.5, false); v != math.Nextafter(1, 2) {
		t.Errorf("above 0.5: %v, want the float64 after 1", v)
	}
	all, none := d.Missing(d.Box(func(int) bool { return false })),
		d.Missing(d.Box(func(int) bool { return true }))
	if all >= none {
		t.Errorf("%v is missing of the domain, and %v of the input alone", all, none)
	}
}
