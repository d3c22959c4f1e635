package boxtree

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// draw draws a few trees with thresholds on a grid, so that many fall together, and leaves of
// which many are equal.
func draw(t testing.TB, rng *rand.Rand, dim, count, depth int) *trees.Ensemble[*trees.Axis] {
	t.Helper()
	coarse := rng.IntN(2) == 0
	members := drawTrees(t, rng, dim, count, depth, 1, func() float64 {
		v := rng.NormFloat64()
		if coarse {
			v = math.Round(2*v) / 10
		}
		return v
	})
	v := trees.Vote{Rule: trees.Sum, Base: []float64{rng.NormFloat64()}, Single: rng.IntN(2) == 0}
	if rng.IntN(3) == 0 {
		v.Rule, v.Base = trees.Soft, nil
	}
	return vote(t, members, v)
}

func vote(t testing.TB, members []*trees.Axis, v trees.Vote) *trees.Ensemble[*trees.Axis] {
	t.Helper()
	e, err := trees.NewEnsemble(members, v)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// drawTrees draws trees with the values of leaves that value returns.
func drawTrees(
	t testing.TB, rng *rand.Rand, dim, count, depth, classes int, value func() float64,
) []*trees.Axis {
	t.Helper()
	comparison, sets := trees.Comparison(rng.IntN(4)), rng.IntN(3) == 0
	members := make([]*trees.Axis, count)
	for i := range members {
		var nodes []trees.Node
		var grow func(depth int) int
		grow = func(depth int) int {
			at := len(nodes)
			values := make([]float64, classes)
			for c := range values {
				values[c] = value()
			}
			nodes = append(nodes, trees.Node{Left: -1, Right: -1, Value: values})
			if depth > 0 && rng.IntN(8) > 0 {
				nodes[at].Feature, nodes[at].Threshold = rng.IntN(dim), float64(rng.IntN(9)-4)/4
				if sets && rng.IntN(2) == 0 {
					nodes[at].Thresholds = drawSet(rng)
				}
				nodes[at].Left = grow(depth - 1)
				nodes[at].Right = grow(depth - 1)
			}
			return at
		}
		grow(depth)
		var err error
		if members[i], err = trees.NewAxis(dim, comparison, trees.Nodes(nodes)); err != nil {
			t.Fatal(err)
		}
	}
	return members
}

// drawSet draws the thresholds of the test of a set: nil for a single one.
func drawSet(rng *rand.Rand) (thresholds []float64) {
	for v := -4; v <= 4; v++ {
		if rng.IntN(2) == 0 {
			thresholds = append(thresholds, float64(v)/4)
		}
	}
	if len(thresholds) < 2 {
		return nil
	}
	return thresholds
}

// drawQuery draws a ball, a box, both or neither, with ends on thresholds or beside them.
func drawQuery(rng *rand.Rand, dim int) SumQuery {
	q := SumQuery{
		Region: Region{
			Center: make([]float64, dim),
			Norm:   []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2}[rng.IntN(3)],
			Radius: math.Inf(1),
		},
		Least: rng.IntN(2) == 0,
	}
	end := func() float64 {
		v := float64(rng.IntN(9)-4) / 4
		switch rng.IntN(3) {
		case 0:
			v = math.Nextafter(v, math.Inf(rng.IntN(2)*2-1))
		case 1:
			v += 0.1 * rng.NormFloat64()
		}
		return v
	}
	for j := range q.Center {
		q.Center[j] = end()
	}
	if rng.IntN(4) > 0 {
		q.Radius = math.Abs(end())
	}
	if rng.IntN(2) == 0 {
		q.Domain = polytope.NewBox(dim)
		for j := range q.Domain {
			lo, hi := end(), end()
			q.Domain[j] = polytope.Interval{
				Lo:     min(lo, hi),
				Hi:     max(lo, hi),
				LoOpen: rng.IntN(4) == 0 && lo != hi,
				HiOpen: rng.IntN(4) == 0 && lo != hi,
			}
		}
	}
	return q
}

// enumerate returns the largest or smallest sum of all cells of the region, by the float64 of each
// that is nearest to the center; false if none has any.
func enumerate(e *trees.Ensemble[*trees.Axis], q *SumQuery) (end float64, ok bool) {
	z := make([]float64, len(q.Center))
	borders := trees.BordersOf(e.Dim(), e.Trees)
	var walk func(f int)
	walk = func(f int) {
		if f < len(z) {
			for interval := range int32(len(borders[f]) + 1) {
				side := borders[f].Values(interval, interval)
				if q.Domain != nil {
					side = geometry.Intersect(side, q.Domain[f])
				}
				if v, inside := geometry.Inside(side, q.Center[f]); inside {
					z[f] = v
					walk(f + 1)
				}
			}
			return
		}
		if exceeds(q, z) {
			return
		}
		var sum [1]float64
		e.Score(z, sum[:])
		if !ok || (sum[0] > end) != q.Least && sum[0] != end {
			end, ok = sum[0], true
		}
	}
	walk(0)
	return end, ok
}

// enumerateReal returns the largest or smallest sum of all cells of the region, float64 in them or
// not; false if no real vector lies in it.
func enumerateReal(e *trees.Ensemble[*trees.Axis], q *SumQuery) (end float64, ok bool) {
	g := grid.New(e.Dim(), e.Trees)
	cell, sides := make([]int32, e.Dim()), make(polytope.Box, e.Dim())
	var walk func(f int)
	walk = func(f int) {
		if f < len(cell) {
			for interval := range int32(len(g.Borders[f]) + 1) {
				sides[f], cell[f] = g.Borders[f].Values(interval, interval), interval
				if q.Domain != nil {
					sides[f] = geometry.Intersect(sides[f], q.Domain[f])
				}
				if !geometry.Empty(sides[f]) {
					walk(f + 1)
				}
			}
			return
		}
		if !meets(q, sides) {
			return
		}
		sum := [1]float64{e.Vote.Base[0]}
		for t := range g.Trees {
			e.Add(sum[:], t, int(g.Leaf(&g.Trees[t], cell)))
		}
		if !ok || (sum[0] > end) != q.Least && sum[0] != end {
			end, ok = sum[0], true
		}
	}
	walk(0)
	return end, ok
}

// meets reports whether a box has a point in the ball, over the real numbers.
func meets(q *SumQuery, sides polytope.Box) bool {
	z := geometry.NearestIn(nil, sides, q.Center)
	if q.Norm != polytope.LInf {
		c := compareLength(q, z)
		return c < 0 || c == 0 && sides.Contains(z)
	}
	for f, v := range z { // each feature on its own
		alone := SumQuery{Region: Region{Center: q.Center[f : f+1], Radius: q.Radius}}
		if c := compareLength(&alone, z[f:f+1]); c > 0 || c == 0 && !sides[f].Contains(v) {
			return false
		}
	}
	return true
}

// exceeds reports whether an input lies beyond the ball, over the real numbers.
func exceeds(q *SumQuery, z []float64) bool { return compareLength(q, z) > 0 }

// compareLength compares the distance of an input from the center with the radius.
func compareLength(q *SumQuery, z []float64) int {
	if math.IsInf(q.Radius, 1) {
		return -1
	}
	if apart := q.Norm.Distance(q.Center, z) - q.Radius; math.Abs(apart) > 1e-9*q.Radius {
		return cmp.Compare(apart, 0) // which rounding does not change
	}
	number := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	radius, length := number(q.Radius), new(big.Rat)
	for j, v := range z {
		off := number(v)
		off.Abs(off.Sub(off, number(q.Center[j])))
		switch {
		case q.Norm == polytope.L2:
			length.Add(length, off.Mul(off, off))
		case q.Norm == polytope.L1:
			length.Add(length, off)
		case off.Cmp(length) > 0:
			length = off
		}
	}
	if q.Norm == polytope.L2 {
		radius.Mul(radius, radius)
	}
	return length.Cmp(radius)
}

// withoutPotentials finds an end without keeping the potentials of parts.
func withoutPotentials(m *Sums, q SumQuery) (end [2]float64, err error) {
	f, o, err := m.newFinder(q)
	if err != nil {
		return end, err
	}
	f.memory = 0
	bound := f.run(context.Background())
	return [2]float64{o.sign * f.incumbent, o.sign * bound}, nil
}

// TestFind compares both ends with those of all cells, bit for bit: the sums of examples with the
// float64 in the region, the bounds with the real numbers there.
func TestFind(t *testing.T) {
	proven, thin, empty := 0, 0, 0
	for number := range uint64(racetest.Count(6000, 200000)) {
		rng := rand.New(rand.NewPCG(number, 61))
		dim := 1 + rng.IntN(3)
		e, q := draw(t, rng, dim, 1+rng.IntN(6), rng.IntN(5)), drawQuery(rng, dim)
		want, found := enumerate(e, &q)
		bound, ok := enumerateReal(e, &q)
		end, err := NewSums(e).Find(t.Context(), q)
		if err != nil {
			if empty++; ok || !errors.Is(err, ErrEmpty) {
				t.Fatalf("instance %d: %v, want %v", number, err, bound)
			}
			continue
		}
		again, err := withoutPotentials(NewSums(e), q)
		if err != nil || again[1] != end.Bound || (found && again[0] != end.Sum) {
			t.Fatalf("instance %d: %v without room for potentials, %+v with it; %v",
				number, again, end, err)
		}
		if !ok || end.Bound != bound || found != (end.Example != nil) ||
			(found && end.Sum != want) {
			t.Fatalf("instance %d: %+v, want %v, %v and %v, %v in %+v",
				number, end, want, found, bound, ok, q)
		}
		q.Beyond = &bound // no number lies beyond the end itself
		beyond, err := NewSums(e).Find(t.Context(), q)
		if err != nil || beyond.Example != nil || beyond.Bound != bound {
			t.Fatalf("instance %d: %+v, %v beyond %v", number, beyond, err, bound)
		}
		if found {
			var sum [1]float64
			if e.Score(end.Example, sum[:]); sum[0] != want || exceeds(&q, end.Example) ||
				(q.Domain != nil && !q.Domain.Contains(end.Example)) {
				t.Fatalf("instance %d: %v has the sum %v in %+v", number, end.Example, sum[0], q)
			}
		}
		if found && bound == want {
			proven++
		} else {
			thin++
		}
	}
	if thin < proven/500 || empty > proven || proven == 0 {
		t.Errorf("%d proven, %d with thin cells, %d empty", proven, thin, empty)
	}
}

// TestRoundedUp: float32 rounds each of many small leaves up, so that a sum exceeds that of real
// numbers by as much as sums differ.
func TestRoundedUp(t *testing.T) {
	for number := range uint64(racetest.Count(300, 20000)) {
		rng := rand.New(rand.NewPCG(number, 63))
		members := drawTrees(t, rng, 2, 12, 2, 1,
			func() float64 { return [...]float64{0, 0x1.8p-24, 0x1p-23}[rng.IntN(3)] })
		e := vote(t, members, trees.Vote{Rule: trees.Sum, Base: []float64{1}, Single: true})
		q := SumQuery{Region: Region{Center: make([]float64, 2), Radius: math.Inf(1)}}
		want, _ := enumerate(e, &q)
		if end, err := NewSums(e).Find(t.Context(), q); err != nil || end.Sum != want ||
			end.Bound != want {
			t.Fatalf("instance %d: %+v, %v, want %v", number, end, err, want)
		}
	}
}

// TestNodes: a search opens as many parts as it may, and no more.
func TestNodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 62))
	e := draw(t, rng, 6, 40, 6)
	q := SumQuery{
		Region: Region{Center: make([]float64, 6), Radius: math.Inf(1)}, Limits: Limits{Nodes: 3},
	}
	end, err := NewSums(e).Find(t.Context(), q)
	if err != nil || end.Nodes != 3 || !(end.Bound > end.Sum) {
		t.Errorf("%d nodes, from %v to %v, %v, want 3 that do not suffice",
			end.Nodes, end.Sum, end.Bound, err)
	}
}

// TestRoom: where two boxes may wait and no more, the bound is true, and weaker.
func TestRoom(t *testing.T) {
	open := 0
	for number := range uint64(racetest.Count(1000, 20000)) {
		rng := rand.New(rand.NewPCG(number, 64))
		e, q := draw(t, rng, 3, 12, 4), drawQuery(rng, 3)
		want, err := NewSums(e).Find(t.Context(), q)
		q.Bytes = 1
		s := NewSums(e)
		f, o, made := s.newFinder(q)
		if err != nil || made != nil {
			continue
		}
		bound := o.sign * f.run(t.Context())
		if f.queue.Len() > 2 || o.sign*bound < o.sign*want.Bound ||
			f.found != nil && f.incumbent > o.sign*want.Bound {
			t.Fatalf("instance %d: %v of %d that wait, want %+v",
				number, bound, f.queue.Len(), want)
		}
		if bound != want.Bound {
			open++
		}
	}
	if open == 0 {
		t.Error("none is open")
	}
}

// TestThinCell: a part of the region without a float64 holds the bound, and no example.
func TestThinCell(t *testing.T) {
	next := math.Nextafter(1, 2)
	nodes := []trees.Node{{Left: 1, Right: 2, Threshold: next, Value: []float64{0}},
		{Left: -1, Right: -1, Value: []float64{10}}, {Left: -1, Right: -1, Value: []float64{5}}}
	axis, err := trees.NewAxis(1, trees.BelowFloat64, trees.Nodes(nodes))
	if err != nil {
		t.Fatal(err)
	}
	e := vote(t, []*trees.Axis{axis}, trees.Vote{Rule: trees.Sum})
	// x < next is 1 < x < next
	q := SumQuery{Region: Region{
		Center: []float64{2},
		Radius: math.Inf(1),
		Domain: polytope.Box{{Lo: 1, LoOpen: true, Hi: 3}},
	}}
	end, err := NewSums(e).Find(t.Context(), q)
	if err != nil || end.Sum != 5 || end.Bound != 10 {
		t.Errorf("from %v to %v, %v, want 5 to 10", end.Sum, end.Bound, err)
	}
}
