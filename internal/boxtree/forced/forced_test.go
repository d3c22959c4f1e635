package forced_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/forced"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// game is a problem whose inputs are cells of the grid: what each leaf adds to each lead is drawn.
type game struct {
	*forced.Problem
	closed map[[2]int32]bool
}

func newGame(t *testing.T, axes []*trees.Axis, dim int, leads ...forced.Lead) *game {
	t.Helper()
	g := grid.New(dim, axes)
	p := &game{&forced.Problem{Grid: &g, Leads: leads}, map[[2]int32]bool{}}
	p.Closed = func(feature, interval int32) bool { return p.closed[[2]int32{feature, interval}] }
	for f := range dim {
		p.Domain = append(p.Domain, grid.Span{Lo: 0, Hi: int32(len(g.Borders[f]))})
		p.At = append(p.At, 0)
	}
	p.Example = func(b grid.Box) []float64 {
		var z []float64
		p.cells(b, func(cell []int32) bool {
			if p.wins(cell) {
				for _, s := range cell {
					z = append(z, float64(s))
				}
			}
			return z == nil
		})
		return z
	}
	return p
}

// wins reports whether another label wins in a cell.
func (p *game) wins(cell []int32) bool {
	for _, l := range p.Leads {
		sum := l.Base
		for i := range p.Grid.Trees {
			sum += l.Gain(i, int(p.Grid.Leaf(&p.Grid.Trees[i], cell)))
		}
		if sum >= l.Goal {
			return true
		}
	}
	return false
}

// cells visits those of a box that are not closed, until visit returns false.
func (p *game) cells(b grid.Box, visit func(cell []int32) bool) bool {
	cell := make([]int32, len(b))
	var from func(f int) bool
	from = func(f int) bool {
		if f == len(b) {
			return visit(cell)
		}
		for cell[f] = b[f].Lo; cell[f] <= b[f].Hi; cell[f]++ {
			if !p.Closed(int32(f), cell[f]) && !from(f+1) {
				return false
			}
		}
		return true
	}
	return from(0)
}

// stump is a tree of one test: leaf 1 is below the threshold, leaf 2 above.
func stump(t *testing.T, dim, feature int, threshold float64) *trees.Axis {
	t.Helper()
	nodes := []trees.Node{
		{Feature: feature, Threshold: threshold, Left: 1, Right: 2, Value: []float64{0}},
		{Feature: -1, Left: -1, Right: -1, Value: []float64{0}},
		{Feature: -1, Left: -1, Right: -1, Value: []float64{0}},
	}
	axis, err := trees.NewAxis(dim, trees.AtMostFloat64, trees.Nodes(nodes))
	if err != nil {
		t.Fatal(err)
	}
	return axis
}

// grown is a random tree over thresholds 0, 1, 2.
func grown(t *testing.T, rng *rand.Rand, dim, depth int) *trees.Axis {
	t.Helper()
	var nodes []trees.Node
	var grow func(depth int) int
	grow = func(depth int) int {
		at := len(nodes)
		nodes = append(nodes, trees.Node{Feature: -1, Left: -1, Right: -1, Value: []float64{0}})
		if depth > 0 {
			nodes[at].Feature, nodes[at].Threshold = rng.IntN(dim), float64(rng.IntN(3))
			nodes[at].Left = grow(depth - 1)
			nodes[at].Right = grow(depth - 1)
		}
		return at
	}
	grow(depth)
	axis, err := trees.NewAxis(dim, trees.AtMostFloat64, trees.Nodes(nodes))
	if err != nil {
		t.Fatal(err)
	}
	return axis
}

// TestDecideAgainstEnumeration asks about many boxes of one input, with a decider that remembers
// and with a new one, and compares with all cells.
func TestDecideAgainstEnumeration(t *testing.T) {
	var count [3]int
	for number := range uint64(150) {
		rng := rand.New(rand.NewPCG(number, 5))
		dim := 1 + rng.IntN(3)
		var axes []*trees.Axis
		for range 1 + rng.IntN(5) {
			axes = append(axes, grown(t, rng, dim, 1+rng.IntN(3)))
		}
		var leads []forced.Lead
		for range 1 + rng.IntN(2) {
			gains := map[[2]int]float64{}
			leads = append(leads, forced.Lead{
				Base: float64(-rng.IntN(3)), Goal: float64(1 + rng.IntN(5)),
				Gain: func(tree, leaf int) float64 {
					key := [2]int{tree, leaf}
					if _, ok := gains[key]; !ok {
						gains[key] = float64(rng.IntN(7) - 3)
					}
					return gains[key]
				},
			})
		}
		p := newGame(t, axes, dim, leads...)
		for f := range p.Domain {
			if at := rng.Int32N(4); rng.IntN(4) == 0 {
				p.closed[[2]int32{int32(f), at}] = true
			}
		}
		d := forced.New(p.Problem)
		for range 8 {
			box := make(grid.Box, dim)
			for f, all := range p.Domain {
				a, b := rng.Int32N(all.Hi+1), rng.Int32N(all.Hi+1)
				box[f] = grid.Span{Lo: min(a, b), Hi: max(a, b)}
			}
			want := forced.Forced
			if !p.cells(box, func(cell []int32) bool { return !p.wins(cell) }) {
				want = forced.Broken
			}
			for _, decider := range []*forced.Decider{d, forced.New(p.Problem)} {
				asked, left := append(grid.Box{}, box...), 1<<20
				got, z := decider.Decide(t.Context(), asked, &left)
				count[got]++
				if got != want || (z != nil) != (got == forced.Broken) {
					t.Fatalf("instance %d, box %v: %v with %v, want %v", number, box, got, z, want)
				}
				for f, v := range z {
					if s := int32(v); s < box[f].Lo || s > box[f].Hi {
						t.Fatalf("instance %d: %v lies outside %v", number, z, box)
					}
				}
			}
		}
	}
	if count[forced.Forced] < 300 || count[forced.Broken] < 300 {
		t.Errorf("verdicts %v", count)
	}
}

// doubtful are two trees whose best leaves win together and are disjoint, for the first lead: a
// split is needed to see that it wins nowhere. The second lead wins as its base says.
func doubtful(t *testing.T, base float64) *game {
	t.Helper()
	above := func(tree, leaf int) float64 {
		if tree == 0 && leaf == 2 || tree == 1 && leaf == 1 {
			return 1
		}
		return 0
	}
	return newGame(t, []*trees.Axis{stump(t, 1, 0, 1), stump(t, 1, 0, 0)}, 1,
		forced.Lead{Goal: 2, Gain: above},
		forced.Lead{Base: base, Goal: 1, Gain: func(int, int) float64 { return 0 }})
}

// TestLabelThatWonLastComesFirst: the second of two labels wins, after a split for the first one;
// asked again it needs none.
func TestLabelThatWonLastComesFirst(t *testing.T) {
	p := doubtful(t, 5)
	d := forced.New(p.Problem)
	for i, want := range []bool{true, false} {
		left := 10
		verdict, _ := d.Decide(t.Context(), append(grid.Box{}, p.Domain...), &left)
		if verdict != forced.Broken || (left < 10) != want {
			t.Errorf("question %d: %v, %d splits left", i, verdict, left)
		}
	}
}

// TestLimit: without splits left a box stays open; with them it is closed.
func TestLimit(t *testing.T) {
	p := doubtful(t, 0)
	for splits, want := range []forced.Verdict{forced.Open, forced.Forced} {
		left := splits
		d := forced.New(p.Problem)
		verdict, z := d.Decide(t.Context(), append(grid.Box{}, p.Domain...), &left)
		if verdict != want || z != nil {
			t.Errorf("%d splits: %v, %v", splits, verdict, z)
		}
	}
}

// TestBoxes: fixed features stay where the input is, intervals of numbers become spans, and what
// lies beside a value is the last float64 before a threshold.
func TestBoxes(t *testing.T) {
	p := doubtful(t, 0)
	d := forced.New(p.Problem)
	if b := d.Box(func(int) bool { return true }); b[0] != (grid.Span{}) {
		t.Errorf("fixed: %v", b)
	}
	if b := d.Box(func(int) bool { return false }); b[0] != p.Domain[0] {
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
