package classifier_test

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// explorer opens every node of a search and holds the results against the contract of Search and
// Opener.
type explorer struct {
	t      *testing.T
	c      classifier.Classifier
	q      search.Query
	opener search.Opener
	rng    *rand.Rand
	orders map[int64]bool
	// radius0 reports that the cell of the answer with this order has X in its
	// closure for certain; its bounds must then be 0. nil knows of none.
	radius0 func(order int64) bool
}

func explore(
	t *testing.T, rng *rand.Rand, c classifier.Classifier, q search.Query, radius0 func(int64) bool,
) []search.Answer {
	t.Helper()
	q.From, q.Solver = c.Predict(q.X), native.Solver{}
	s, err := instance.SearchOf(t.Context(), c, q)
	if err != nil {
		t.Fatal(err)
	}
	e := &explorer{
		t:       t,
		c:       c,
		q:       q,
		opener:  s.NewOpener(),
		rng:     rng,
		orders:  map[int64]bool{},
		radius0: radius0,
	}
	var answers []search.Answer
	for _, n := range s.Roots() {
		answers = append(answers, e.visit(n)...)
	}
	return answers
}

// open keeps the children that the next call overwrites.
func (e *explorer) open(n search.Node, cutoff float64) search.Opened {
	e.t.Helper()
	o, err := e.opener.Open(e.t.Context(), n, cutoff)
	if err != nil {
		e.t.Fatalf("node %+v: %v", n, err)
	}
	o.Children = slices.Clone(o.Children)
	return o
}

// visit returns the answers below a node.
func (e *explorer) visit(n search.Node) []search.Answer {
	e.t.Helper()
	o := e.open(n, math.Inf(1))
	e.checkCutoffs(n, o)
	var answers []search.Answer
	if a := o.Answer; a != nil {
		e.checkAnswer(n, *a)
		answers = append(answers, *a)
	}
	for _, child := range o.Children {
		if child.Bound < n.Bound || child.Order < n.Order {
			e.t.Fatalf("%+v lies below %+v", child, n)
		}
		answers = append(answers, e.visit(child)...)
	}
	for _, a := range answers {
		if n.Bound > e.reach(a) || n.Bound > a.Bound || n.Order > a.Order {
			e.t.Fatalf("node %+v stands above the answer %+v", n, a)
		}
		if e.radius0 != nil && e.radius0(a.Order) && (n.Bound != 0 || a.Bound != 0) {
			e.t.Fatalf("bounds %v and %v of a cell that x touches", n.Bound, a.Bound)
		}
	}
	return answers
}

func (e *explorer) checkAnswer(n search.Node, a search.Answer) {
	e.t.Helper()
	if a.Example == nil { // too thin for one
		if !math.IsInf(a.Distance, 1) {
			e.t.Fatalf("node %+v: the answer %+v has a distance without an example", n, a)
		}
		return
	}
	if !e.q.Reaches(e.c.Predict(a.Example)) || !e.q.Domain.Contains(a.Example) {
		e.t.Fatalf("node %+v: the answer %+v is predicted %d", n, a, e.c.Predict(a.Example))
	}
	if a.Distance != e.q.Norm.Distance(e.q.X, a.Example) || a.Bound > e.reach(a) {
		e.t.Fatalf("node %+v: answer %+v at distance %v", n, a, e.q.Norm.Distance(e.q.X, a.Example))
	}
	if e.orders[a.Order] {
		e.t.Fatalf("two answers have the order %d", a.Order)
	}
	e.orders[a.Order] = true
}

// reach returns the distance of an example, and the rounding error by which Predict may
// take a point for one inside the cell.
func (e *explorer) reach(a search.Answer) float64 {
	size := 0.0
	for j, v := range a.Example {
		size = max(size, math.Abs(v), math.Abs(e.q.X[j]))
	}
	return a.Distance*(1+1e-15) + 1e-16*size
}

// checkCutoffs opens the node again: a cutoff leaves out the nodes that exceed it, and no others.
func (e *explorer) checkCutoffs(n search.Node, all search.Opened) {
	e.t.Helper()
	var cutoffs []float64
	if len(all.Children) > 0 {
		c := all.Children[e.rng.IntN(len(all.Children))].Bound
		cutoffs = append(cutoffs, c, math.Nextafter(c, 0), math.Nextafter(c, math.Inf(1)))
	}
	if all.Answer != nil {
		cutoffs = append(cutoffs, all.Answer.Bound, all.Answer.Bound*2, all.Answer.Bound/2)
	}
	for _, cutoff := range cutoffs {
		got := e.open(n, cutoff)
		within := slices.DeleteFunc(slices.Clone(all.Children),
			func(c search.Node) bool { return c.Bound > cutoff })
		if len(got.Children)+len(within) > 0 && !reflect.DeepEqual(got.Children, within) {
			e.t.Fatalf("node %+v, cutoff %v: children %+v, want %+v",
				n, cutoff, got.Children, within)
		}
		if all.Answer == nil && got.Answer != nil ||
			all.Answer != nil && all.Answer.Bound <= cutoff && got.Answer == nil {
			e.t.Fatalf("node %+v, cutoff %v: answer %+v, want %+v",
				n, cutoff, got.Answer, all.Answer)
		}
		if got.Answer != nil && !reflect.DeepEqual(got.Answer, all.Answer) {
			e.t.Fatalf("node %+v, cutoff %v: answer %+v, want %+v",
				n, cutoff, *got.Answer, *all.Answer)
		}
	}
}

// touches reports, in exact arithmetic, whether no rival is nearer to x than row i.
func touches(rows [][]float64, y []int, from int, x []float64, i int) bool {
	squared := func(p []float64) *big.Rat {
		sum := new(big.Rat)
		for j, v := range p {
			d := new(big.Rat).Sub(new(big.Rat).SetFloat64(v), new(big.Rat).SetFloat64(x[j]))
			sum.Add(sum, d.Mul(d, d))
		}
		return sum
	}
	own := squared(rows[i])
	for r, p := range rows {
		if y[r] == from && squared(p).Cmp(own) < 0 {
			return false
		}
	}
	return true
}

func TestNearestNeighborSearchKeepsItsContract(t *testing.T) {
	t.Parallel()
	answers := 0
	for number := range uint64(racetest.Scale(240)) {
		rng := rand.New(rand.NewPCG(number, 8))
		scale := scales[rng.IntN(len(scales)-1)]
		n, dim, classes := 2+rng.IntN(60), 1+rng.IntN(3), 2+rng.IntN(2)
		x, y := instance.DrawRows(rng, n, dim, classes, scale.draw)
		if number%4 == 0 { // a few places with many rows each: tree nodes that are points
			for i := 6; i < n; i++ {
				copy(x[i], x[rng.IntN(6)%n])
			}
		}
		if number%5 == 0 { // more rivals than are looked at first
			more, _ := instance.DrawRows(rng, 150, dim, 1, scale.draw)
			x, y = append(x, more...), append(y, make([]int, 150)...)
		}
		q := search.Query{
			X: make([]float64, dim), Target: -1, Cost: geometry.In(polytope.Norm(number % 3)),
		}
		for j := range q.X {
			q.X[j] = scale.draw(rng)
		}
		if number%4 == 1 { // candidates on one side, in long boxes that x lies outside of
			y = make([]int, len(x))
			for i := range x {
				if y[i] = rng.IntN(4) % 3 % 2; y[i] == 1 {
					x[i][0] += 4 * math.Abs(x[0][0]-q.X[0])
					x[i][dim-1] *= 8
				}
			}
		}
		c := knnOf(t, x, y, 1)
		if number%7 == 0 {
			for j, v := range x[rng.IntN(n)] {
				q.Domain = append(q.Domain, polytope.Interval{
					Lo: min(v, q.X[j]),
					Hi: max(v, q.X[j]),
				})
			}
		}
		var zero func(int64) bool
		if q.Domain == nil {
			from := c.Predict(q.X)
			zero = func(order int64) bool { return touches(x, y, from, q.X, int(order)) }
		}
		answers += len(explore(t, rng, c, q, zero))
	}
	if answers < racetest.Scale(2000) {
		t.Errorf("%d answers, want more", answers)
	}
}

func TestTreeSearchKeepsItsContract(t *testing.T) {
	answers := 0
	for number := range uint64(racetest.Scale(1500)) {
		rng := rand.New(rand.NewPCG(number, 9))
		draw := func() float64 { return float64(rng.IntN(13)-6) / 10 }
		dim := 1 + rng.IntN(4)
		tree := randomTree(t, rng, classifier.Comparison(number%2), dim, 2+rng.IntN(3), 6, draw)
		q := search.Query{
			X: make([]float64, dim), Target: -1, Cost: geometry.In(polytope.Norm(number % 3)),
		}
		for j := range q.X {
			q.X[j] = draw()
		}
		if number%3 == 0 {
			q.Domain = polytope.Cube(dim, -0.3, 0.45)
		}
		if number%5 == 0 && tree.Predict(q.X) != 1 {
			q.Target = 1
		}
		found := explore(t, rng, tree, q, nil)
		answers += len(found)
		// Each leaf that answers has one, in every norm.
		leaves := 0
		for cell := range tree.Cells() {
			b := cell.Region.Box
			for j, i := range q.Domain {
				b[j] = geometry.Intersect(b[j], i)
			}
			if _, ok := geometry.InsideBox(nil, b, q.X); ok &&
				(search.Query{From: tree.Predict(q.X), Target: q.Target}).Reaches(cell.Label) {
				leaves++
			}
		}
		if len(found) != leaves {
			t.Fatalf("instance %d: %d answers, want %d", number, len(found), leaves)
		}
	}
	if answers < racetest.Scale(3000) {
		t.Errorf("%d answers, want more", answers)
	}
}

// inspector is a Solver that looks at the region it is given before it answers.
type inspector struct {
	native.Solver
	look func(polytope.Polyhedron)
}

func (i *inspector) Closest(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
	i.look(p.Region)
	return i.Solver.Closest(ctx, p)
}

// TestRegionOfACandidate asks the region that 1-NN hands to its solver about points
// everywhere: it holds those to which the only candidate is at least as near as every rival, and
// nearer than those before it, as the classifier decides ties.
func TestRegionOfACandidate(t *testing.T) {
	inside, asked := 0, 0
	for number := range uint64(racetest.Scale(200)) {
		rng := rand.New(rand.NewPCG(number, 10))
		dim, n := 1+rng.IntN(3), 2+rng.IntN(250)
		draw := func() []float64 {
			p := make([]float64, dim)
			for j := range p {
				p[j] = float64(rng.IntN(40)) / 2
			}
			return p
		}
		var x [][]float64
		for range n {
			x = append(x, draw())
		}
		y := make([]int, n)
		candidate := rng.IntN(n)
		y[candidate] = 1
		solver := &inspector{look: func(p polytope.Polyhedron) {
			for trial := range 60 {
				z := draw()
				if trial%2 == 0 { // near the candidate
					for j := range z {
						z[j] = x[candidate][j] + float64(rng.IntN(5)-2)/2
					}
				}
				closed, open := membership(x, []int{candidate}, z)
				first := closed && !slices.ContainsFunc(x[:candidate], func(row []float64) bool {
					return polytope.L2.Distance(row, z) == polytope.L2.Distance(x[candidate], z)
				})
				if got := p.Contains(z); got != first {
					t.Errorf("instance %d, n = %d: Contains(%v) = %v, want %v",
						number, n, z, got, first)
				}
				if asked++; open {
					inside++
				}
			}
		}}
		c := knnOf(t, x, y, 1)
		q := search.Query{X: draw(), Target: 1, Solver: solver}
		if c.Predict(q.X) == 1 {
			continue
		}
		s, err := instance.SearchOf(t.Context(), c, q)
		if err != nil {
			t.Fatal(err)
		}
		var open func(n search.Node)
		opener := s.NewOpener()
		open = func(n search.Node) {
			o, err := opener.Open(t.Context(), n, math.Inf(1))
			if err != nil {
				t.Fatal(err)
			}
			for _, child := range slices.Clone(o.Children) {
				open(child)
			}
		}
		for _, n := range s.Roots() {
			open(n)
		}
		if t.Failed() {
			return
		}
	}
	if asked < racetest.Scale(5000) || inside < asked/20 {
		t.Errorf("%d points asked about, %d inside, want more", asked, inside)
	}
}
