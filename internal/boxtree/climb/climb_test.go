package climb

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawVote draws a hard vote of trees of one or two tests, with thresholds from 1 to 3.
func drawVote(t *testing.T, rng *rand.Rand, dim int) *trees.Ensemble[*trees.Axis] {
	t.Helper()
	var axes []*trees.Axis
	for range 5 + rng.IntN(8) {
		leaf := func() trees.Node {
			label := rng.IntN(2)
			return trees.Node{
				Left:  -1,
				Right: -1,
				Value: []float64{float64(1 - label), float64(label)},
			}
		}
		test := func(left, right int) trees.Node {
			return trees.Node{
				Feature:   rng.IntN(dim),
				Threshold: float64(1 + rng.IntN(3)),
				Left:      left,
				Right:     right,
				Value:     []float64{1, 1},
			}
		}
		nodes := []trees.Node{test(1, 2), leaf(), test(3, 4), leaf(), leaf()}
		if rng.IntN(2) == 0 {
			nodes = []trees.Node{test(1, 2), leaf(), leaf()}
		}
		axis, err := trees.NewAxis(dim, trees.AtMostFloat64, trees.Nodes(nodes))
		if err != nil {
			t.Fatal(err)
		}
		axes = append(axes, axis)
	}
	e, err := trees.NewEnsemble(axes, trees.Vote{Rule: trees.Hard})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// nearest tries every cell: the distance of the nearest with another label, +Inf if none has.
func nearest(v *grid.View, e *trees.Ensemble[*trees.Axis], m *grid.Metric) float64 {
	least, cell := math.Inf(1), make([]int32, len(v.At))
	var try func(f int)
	try = func(f int) {
		if f == len(cell) {
			if e.Predict(inside(v, cell)) != v.Query.From {
				least = min(least, m.Distance(v.CellReach(m, cell)))
			}
			return
		}
		for cell[f] = v.Domain[f].Lo; cell[f] <= v.Domain[f].Hi; cell[f]++ {
			try(f + 1)
		}
	}
	try(0)
	return least
}

// inside returns the point of a cell nearest to X.
func inside(v *grid.View, cell []int32) []float64 {
	z := make([]float64, len(cell))
	for f, interval := range cell {
		z[f], _ = geometry.Inside(v.Values(f, grid.Span{Lo: interval, Hi: interval}), v.Query.X[f])
	}
	return z
}

// TestFind compares cells that are found with all there are: they answer, at the distance that is
// said, and mostly one is found where there is one, and in a ball around it; some move nearer. Sums
// kept for trees that do not change leave the result the same: of whole votes sums are not rounded.
func TestFind(t *testing.T) {
	answers, found, within, sparse, nearer := 0, 0, 0, 0, 0
	for number := range uint64(racetest.Count(600, 6000)) {
		rng := rand.New(rand.NewPCG(number, 90))
		dim := 1 + rng.IntN(6)
		e, x := drawVote(t, rng, dim), make([]float64, dim)
		for f := range x {
			x[f] = 4 * rng.Float64()
		}
		g := grid.New(dim, e.Trees)
		q := search.Query{
			X:      x,
			From:   e.Predict(x),
			Target: -1,
			Cost:   geometry.In([]polytope.Norm{polytope.LInf, polytope.L1, polytope.L2}[number%3]),
		}
		v, _ := grid.NewView(&g, q)
		u, m := NewUses(e, &g), grid.NewMetric(q.Norm, dim, g.Depth)
		if u.sparse {
			sparse++
		}
		margins := e.Margins(&q, 1-q.From)
		find := func() ([]int32, float64) {
			l := New(&v, e, &u, m)
			return l.Find(t.Context(), margins, l.FirstRadius(), math.Inf(1))
		}
		cell, distance := find()
		least := nearest(&v, e, &m)
		if !math.IsInf(least, 1) {
			answers++
		}
		if cell != nil {
			found++
			if at := m.Distance(v.CellReach(&m, cell)); e.Predict(inside(&v, cell)) == q.From ||
				distance != at || distance < least {
				t.Fatalf("instance %d: cell %v at %v, said to be at %v; the nearest is at %v",
					number, cell, at, distance, least)
			}
		}
		if cell != nil {
			l, radius := New(&v, e, &u, m), 1.5*distance
			if near, at := l.Within(t.Context(), margins, radius); near != nil {
				within++
				if e.Predict(inside(&v, near)) == q.From || at < least || at > radius {
					t.Fatalf("instance %d: cell %v at %v, want an answer within %v, from %v on",
						number, near, at, radius, least)
				}
			}
		}
		if cell != nil && q.Norm != polytope.LInf {
			l, moved := New(&v, e, &u, m), slices.Clone(cell)
			at := l.Nearer(t.Context(), margins, moved, distance)
			if e.Predict(inside(&v, moved)) == q.From || at > distance || at < least ||
				at != m.Distance(v.CellReach(&m, moved)) {
				t.Fatalf("instance %d: cell %v at %v moves to %v, said to be at %v, not from %v on",
					number, cell, distance, moved, at, least)
			}
			if at < distance {
				nearer++
			}
		}
		u.sparse = !u.sparse
		if again, _ := find(); !slices.Equal(again, cell) {
			t.Fatalf("instance %d: cell %v, or %v with sparse = %v", number, cell, again, u.sparse)
		}
	}
	if found < answers*9/10 || within < found*9/10 || sparse < racetest.Count(20, 20) ||
		nearer < racetest.Count(1, 20) {
		t.Errorf("%d found of %d, %d of these within 1.5 times the distance, %d brought nearer, "+
			"%d sparse", found, answers, within, nearer, sparse)
	}
}

// TestOtherClasses: of trees that each add to one of many classes, a search for one of them looks
// at those of the two in question alone, and the gains of the others are not lost.
func TestOtherClasses(t *testing.T) {
	const classes, rounds = 7, 3
	var axes []*trees.Axis
	for i := range classes * rounds {
		value := func(v float64) []float64 {
			all := make([]float64, classes)
			all[i%classes] = v
			if i%classes == 2 { // which adds as much to another in both leaves
				all[0] = 5
			}
			return all
		}
		nodes := []trees.Node{
			{Threshold: 1, Left: 1, Right: 2, Value: value(0)},
			{Left: -1, Right: -1, Value: value(1)}, {Left: -1, Right: -1, Value: value(3)},
		}
		axis, err := trees.NewAxis(1, trees.AtMostFloat64, trees.Nodes(nodes))
		if err != nil {
			t.Fatal(err)
		}
		axes = append(axes, axis)
	}
	e, err := trees.NewEnsemble(axes, trees.Vote{Rule: trees.Soft})
	if err != nil {
		t.Fatal(err)
	}
	g := grid.New(1, e.Trees)
	q := search.Query{X: []float64{0}, From: 0, Target: -1, Cost: geometry.In(polytope.L2)}
	v, _ := grid.NewView(&g, q)
	u, m := NewUses(e, &g), grid.NewMetric(q.Norm, 1, g.Depth)
	margins := e.Margins(&q, 1)
	for _, u.sparse = range []bool{false, true} {
		l := New(&v, e, &u, m)
		l.aim(margins)
		l.fill(l.At)
		p := l.profile(margins, 0, grid.Span{Lo: 0, Hi: 1})
		if got, want := p.least(1), -15-margins[0].Slack; len(l.live) != 2*rounds || got != want {
			t.Errorf("sparse %v: %d trees, margin %v; want %d, %v", u.sparse, len(l.live), got,
				2*rounds, want)
		}
	}
}
