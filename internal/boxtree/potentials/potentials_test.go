package potentials_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/potentials"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// forest is a random sum of trees over a small grid.
type forest struct {
	box    grid.Box
	base   float64
	leaves []potentials.Leaf
	first  []int32
}

func draw(rng *rand.Rand) forest {
	f := forest{base: rng.Float64() - 0.5, first: []int32{0}}
	for range 1 + rng.IntN(3) {
		f.box = append(f.box, grid.Span{Lo: 2, Hi: 2 + rng.Int32N(6)})
	}
	value := func() float64 { return 2*rng.Float64() - 1 }
	if rng.IntN(3) == 0 {
		value = func() float64 { return float64(rng.IntN(3) - 1) }
	}
	for range 2 + rng.IntN(6) {
		f.grow(rng, append(grid.Box(nil), f.box...), rng.IntN(4), value)
		f.first = append(f.first, int32(len(f.leaves)))
	}
	return f
}

// grow adds the leaves of a random tree. The reach of interval s is s in any feature, of a leaf
// that of its nearest interval.
func (f *forest) grow(rng *rand.Rand, box grid.Box, depth int, value func() float64) {
	j := rng.IntN(len(box))
	if s := box[j]; depth > 0 && s.Lo < s.Hi {
		at := s.Lo + rng.Int32N(s.Hi-s.Lo)
		box[j].Hi = at
		f.grow(rng, box, depth-1, value)
		box[j] = grid.Span{Lo: at + 1, Hi: s.Hi}
		f.grow(rng, box, depth-1, value)
		box[j] = s
		return
	}
	leaf := potentials.Leaf{Gain: value()}
	for j, s := range box {
		leaf.Reach = max(leaf.Reach, float64(s.Lo))
		if s != f.box[j] {
			leaf.Ranges = append(leaf.Ranges, potentials.Range{Feature: int32(j), Span: s})
		}
	}
	f.leaves = append(f.leaves, leaf)
}

// nearby is the reach of a cell: the farthest of its intervals.
func nearby(cell []int32) float64 { return float64(slices.Max(cell)) }

// most returns the largest margin of a cell within a box and a reach.
func (f *forest) most(
	box grid.Box, reach float64, reachOf func(cell []int32) float64,
) float64 {
	most := math.Inf(-1)
	f.each(box, func(cell []int32) {
		if reachOf(cell) <= reach {
			most = max(most, f.margin(cell))
		}
	})
	return most
}

// each visits the cells of a box.
func (f *forest) each(box grid.Box, visit func(cell []int32)) {
	cell := make([]int32, len(box))
	var try func(j int)
	try = func(j int) {
		if j == len(box) {
			visit(cell)
			return
		}
		for cell[j] = box[j].Lo; cell[j] <= box[j].Hi; cell[j]++ {
			try(j + 1)
		}
	}
	try(0)
}

// margin is the sum of the gains of a cell.
func (f *forest) margin(cell []int32) float64 {
	sum := f.base
	for i := range f.leaves {
		if f.holds(i, cell) {
			sum += f.leaves[i].Gain
		}
	}
	return sum
}

func (f *forest) holds(leaf int, cell []int32) bool {
	for _, s := range f.leaves[leaf].Ranges {
		if at := cell[s.Feature]; at < s.Lo || at > s.Hi {
			return false
		}
	}
	return true
}

// TestBounds: sweeps never bring a bound below the largest margin, in the box or any part of it,
// within any reach, and improve it a lot; with every tree decided it is the margin.
func TestBounds(t *testing.T) {
	var s potentials.Sweeper
	before, after, decided := 0.0, 0.0, 0
	for number := range uint64(racetest.Scale(4000)) {
		rng := rand.New(rand.NewPCG(number, 1))
		f := draw(rng)
		d := potentials.New(f.box, f.base, f.leaves, f.first)
		if d == nil {
			continue // all gains are zero
		}
		box, reach := f.box, 9.0
		for d != nil {
			check(t, number, &f, d, reach)
			truth := f.most(box, reach, nearby)
			s.Prepare(d)
			before += d.Margin(reach) - truth
			split := grid.Cut{Feature: -1}
			for range 1 + rng.IntN(5) {
				split = s.Sweep(d, 0.1)
				check(t, number, &f, d, reach)
			}
			after += d.Margin(reach) - truth
			if d.Decided() {
				decided++
				if got := d.Margin(reach); math.Abs(got-truth) > 1e-4 {
					t.Fatalf("instance %d: bound %v of a cell whose margin is %v",
						number, got, truth)
				}
			}
			if split.Feature < 0 {
				break
			}
			box = half(rng, d.Box(), split)
			for _, b := range box {
				reach = max(reach, float64(b.Lo))
			}
			d = s.Narrow(d, box, reach, math.Inf(-1))
		}
	}
	if after > 0.5*before || decided < racetest.Scale(500) {
		t.Errorf("sweeps leave %.3g of an excess of %.3g; %d boxes are decided",
			after, before, decided)
	}
}

// half returns one of the halves of a box.
func half(rng *rand.Rand, whole grid.Box, split grid.Cut) grid.Box {
	box := append(grid.Box(nil), whole...)
	if rng.IntN(2) == 0 {
		box[split.Feature].Hi = split.After
	} else {
		box[split.Feature].Lo = split.After + 1
	}
	return box
}

// check compares bounds within all reaches.
func check(t *testing.T, number uint64, f *forest, d *potentials.Decomposition, most float64) {
	t.Helper()
	for reach := 2.0; reach <= most; reach++ {
		if truth, bound := f.most(d.Box(), reach, nearby), d.Margin(reach); bound < truth-1e-12 {
			t.Fatalf("instance %d: bound %v within %v, but a margin of %v",
				number, bound, reach, truth)
		}
	}
	goal := d.Margin(most) - 1e-9
	if d.Margin(2) >= goal {
		return
	}
	if at := d.Crossing(goal, 2, most); d.Margin(at) < goal || d.Margin(at-1e-6) >= goal {
		t.Fatalf("instance %d: a crossing at %v", number, at)
	}
}

// TestNew: gains that cannot be counted in units make no decomposition.
func TestNew(t *testing.T) {
	box := grid.Box{{Lo: 0, Hi: 1}}
	for _, gain := range []float64{
		0, math.NaN(), math.Inf(1), 1e300, 1e-300, math.SmallestNonzeroFloat64,
	} {
		if d := potentials.New(
			box, 0, []potentials.Leaf{{Gain: gain}, {Gain: -gain}}, []int32{0, 2},
		); d != nil {
			t.Errorf("gains of %v are counted", gain)
		}
	}
}

// TestReaches: no cell of a part whose margin comes to the goal is nearer than Least, and beyond a
// reach none is nearer than the next: also where a tree has one leaf left, whose own reach is that
// of every cell.
func TestReaches(t *testing.T) {
	var s potentials.Sweeper
	settled := 0
	for number := range uint64(racetest.Scale(4000)) {
		rng := rand.New(rand.NewPCG(number, 3))
		f := draw(rng)
		d := potentials.New(f.box, f.base, f.leaves, f.first)
		within := 4 + float64(rng.IntN(5))
		goal := f.most(f.box, within, f.entered) - rng.Float64()
		for d != nil {
			s.Prepare(d)
			split := s.Sweep(d, 0.1)
			f.each(d.Box(), func(cell []int32) {
				at := f.entered(cell)
				if at > within || f.margin(cell) < goal {
					return
				}
				for near := d.Least(); near <= within; near++ {
					if next := d.NextReach(near, within); at < d.Least() ||
						(at > near && at < next) {
						t.Fatalf("instance %d: a reach of %v, but none is said to be less than "+
							"%v, or between %v and %v", number, at, d.Least(), near, next)
					}
				}
			})
			if d.Least() > 2 && !d.Decided() {
				settled++
			}
			if split.Feature < 0 {
				break
			}
			box := append(grid.Box(nil), d.Box()...)
			if rng.IntN(2) == 0 {
				box[split.Feature].Hi = split.After
			} else {
				box[split.Feature].Lo = split.After + 1
			}
			d = s.Narrow(d, box, within, goal)
		}
	}
	if settled < racetest.Scale(200) {
		t.Errorf("%d parts have a tree with one leaf, beyond the origin", settled)
	}
}

// TestTighten: the rest of a box holds all cells within a reach whose margin comes to a goal, with
// and without prices; it is less than Narrow alone leaves, and bounds hold in it.
func TestTighten(t *testing.T) {
	var s potentials.Sweeper
	narrowed, left, closed := 0, 0, 0
	cells := func(b grid.Box) int {
		n := 1
		for _, s := range b {
			n *= int(s.Hi - s.Lo + 1)
		}
		return n
	}
	for number := range uint64(racetest.Scale(8000)) {
		rng := rand.New(rand.NewPCG(number, 5))
		f := draw(rng)
		d := potentials.New(f.box, f.base, f.leaves, f.first)
		within, reachOf := 4+float64(rng.IntN(12)), nearby
		goal := f.most(f.box, within, nearby) + rng.Float64() - 0.8
		if d != nil && rng.IntN(2) == 0 {
			reachOf = total
			goal = f.most(f.box, within, total) + rng.Float64() - 0.8
			d.Charge(func(_ int32, s grid.Span) float64 { return float64(s.Lo) }, 0.5)
		}
		if d != nil {
			d = s.Narrow(d, f.box, within, goal)
		}
		if d == nil || d.Decided() {
			continue
		}
		stop := potentials.Stop{
			Goal: goal, Near: within, Far: within, Sweeps: 1 + rng.IntN(9), Root: rng.IntN(2) == 0,
		}
		narrowed += cells(d.Box())
		tight, now := s.Tighten(d, stop)
		if tight == nil {
			closed++
		} else {
			left += cells(tight.Box())
		}
		f.each(f.box, func(cell []int32) {
			own := f.margin(cell)
			if reachOf(cell) > within || own < goal {
				return
			}
			if tight == nil || now.Margin < own-1e-12 || !holdsCell(tight.Box(), cell) {
				t.Fatalf("instance %d: a cell comes to %v, over %v, and the bound is %v",
					number, own, goal, now.Margin)
			}
		})
	}
	t.Logf("%d cells, %d left, %d closed", narrowed, left, closed)
	if left > narrowed*3/4 || closed < 10 {
		t.Errorf("of %d cells %d are left; %d boxes are closed", narrowed, left, closed)
	}
}

func holdsCell(b grid.Box, cell []int32) bool {
	for f, s := range b {
		if cell[f] < s.Lo || cell[f] > s.Hi {
			return false
		}
	}
	return true
}

// entered is the reach of a cell: that of the farthest leaf that holds it.
func (f *forest) entered(cell []int32) (reach float64) {
	for i := range f.leaves {
		if f.holds(i, cell) {
			reach = max(reach, f.leaves[i].Reach)
		}
	}
	return reach
}

// TestTinyGain: a gain that is no float64 in units is rounded up, not to 0.
func TestTinyGain(t *testing.T) {
	box := grid.Box{{Lo: 0, Hi: 1}}
	side := func(interval int32) []potentials.Range {
		return []potentials.Range{{Span: grid.Span{Lo: interval, Hi: interval}}}
	}
	d := potentials.New(box, 0, []potentials.Leaf{
		{Gain: math.SmallestNonzeroFloat64, Ranges: side(0)}, {Gain: -0x1p890, Ranges: side(1)},
	}, []int32{0, 2})
	if margin := d.Margin(0); margin < math.SmallestNonzeroFloat64 {
		t.Errorf("a margin of %v is bounded by %v", math.SmallestNonzeroFloat64, margin)
	}
}
