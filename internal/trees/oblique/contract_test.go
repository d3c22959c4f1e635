package oblique_test

import (
	"math"
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

// drawQuery draws a query about a classifier in dim dimensions, false when it is pointless.
func drawQuery(rng *rand.Rand, c classifier.Classifier) (search.Query, bool) {
	dim := c.Dim()
	q := search.Query{
		X:      make([]float64, dim),
		Target: -1,
		Cost:   geometry.In(polytope.Norm(rng.IntN(3))),
		Solver: native.Solver{},
	}
	for j := range q.X {
		q.X[j] = float64(rng.IntN(13)-6) / 4
	}
	if rng.IntN(3) == 0 {
		q.Domain = polytope.Cube(dim, -1.71, 1.33)
	}
	if rng.IntN(3) == 0 {
		q.Target = rng.IntN(c.Classes())
	}
	q.From = c.Predict(q.X)
	return q, q.From != q.Target
}

// brancher opens every node of a search and holds each result against the contract of Search and
// Opener.
type brancher struct {
	t       *testing.T
	c       classifier.Classifier
	q       search.Query
	opener  search.Opener
	answers map[int64]search.Answer
	nodes   int
}

func (b *brancher) open(n search.Node, cutoff float64) search.Opened {
	b.t.Helper()
	o, err := b.opener.Open(b.t.Context(), n, cutoff)
	if err != nil {
		b.t.Fatalf("node %+v: %v", n, err)
	}
	o.Children = slices.Clone(o.Children)
	return o
}

// visit returns the answers at and below a node.
func (b *brancher) visit(n search.Node) []search.Answer {
	b.t.Helper()
	b.nodes++
	all := b.open(n, math.Inf(1))
	var answers []search.Answer
	if a := all.Answer; a != nil {
		b.checkAnswer(*a)
		answers = append(answers, *a)
		b.checkCutoff(n, all, a.Bound)
		if below := math.Nextafter(a.Bound, 0); below >= n.Bound {
			b.checkCutoff(n, all, below)
		}
	}
	for _, child := range all.Children {
		if child.Bound < n.Bound || child.Order < n.Order || math.IsInf(child.Bound, 1) {
			b.t.Fatalf("%+v lies below %+v", child, n)
		}
		b.checkCutoff(n, all, child.Bound)
		answers = append(answers, b.visit(child)...)
	}
	for _, a := range answers {
		if n.Bound > a.Bound || n.Order > a.Order || n.Bound > a.Distance*(1+1e-15)+1e-15 {
			b.t.Fatalf("node %+v stands above the answer %+v", n, a)
		}
	}
	return answers
}

// checkAnswer looks at an answer, which the dive below a root brings twice.
func (b *brancher) checkAnswer(a search.Answer) {
	b.t.Helper()
	if before, ok := b.answers[a.Order]; ok && !reflect.DeepEqual(a, before) {
		b.t.Fatalf("two answers have the order %d: %+v and %+v", a.Order, before, a)
	}
	b.answers[a.Order] = a
	if a.Example == nil { // too thin for one
		return
	}
	if !b.q.Reaches(b.c.Predict(a.Example)) || !b.q.Domain.Contains(a.Example) ||
		a.Distance != b.q.Norm.Distance(b.q.X, a.Example) {
		b.t.Fatalf("answer %+v is predicted %d", a, b.c.Predict(a.Example))
	}
	if a.Bound > a.Distance*(1+1e-15)+1e-15 || a.Distance-a.Bound > 1e-9*max(1, a.Distance) {
		b.t.Fatalf("answer %+v, %g above its bound", a, a.Distance-a.Bound)
	}
}

// checkCutoff opens a node again: a cutoff leaves out the cells beyond it, no others.
func (b *brancher) checkCutoff(n search.Node, all search.Opened, cutoff float64) {
	b.t.Helper()
	type position struct {
		bound       float64
		order, item int64
	}
	positions := func(nodes []search.Node) (p []position) {
		for _, n := range nodes {
			if n.Bound <= cutoff {
				p = append(p, position{n.Bound, n.Order, n.Item})
			}
		}
		return p
	}
	got := b.open(n, cutoff)
	if !slices.Equal(positions(got.Children), positions(all.Children)) ||
		len(positions(got.Children)) < len(got.Children) {
		b.t.Fatalf("node %+v, cutoff %v: children %+v, want %+v",
			n, cutoff, got.Children, all.Children)
	}
	if all.Answer != nil && all.Answer.Bound <= cutoff &&
		!reflect.DeepEqual(got.Answer, all.Answer) {
		b.t.Fatalf("node %+v, cutoff %v: answer %+v, want %+v", n, cutoff, got.Answer, all.Answer)
	}
	if got.Answer != nil && got.Answer.Bound > cutoff {
		b.t.Fatalf("node %+v, cutoff %v: answer %+v", n, cutoff, got.Answer)
	}
}

// explore returns how many answers and nodes a search has.
func explore(t *testing.T, c classifier.Classifier, q search.Query) (answers, nodes int) {
	t.Helper()
	s, err := instance.SearchOf(t.Context(), c, q)
	if err != nil {
		t.Fatal(err)
	}
	b := &brancher{t: t, c: c, q: q, opener: s.NewOpener(), answers: map[int64]search.Answer{}}
	for _, n := range s.Roots() {
		b.visit(n)
	}
	return len(b.answers), b.nodes
}

func TestSearchOfATreeKeepsItsContract(t *testing.T) {
	t.Parallel()
	answers := 0
	for number := range uint64(racetest.Scale(1200)) {
		rng := rand.New(rand.NewPCG(number, 5))
		dim, classes := 1+rng.IntN(4), 2+rng.IntN(3)
		tree := instance.ObliqueTree(t, dim, instance.ObliqueNodes(rng, dim, classes, 5)...)
		if q, ok := drawQuery(rng, tree); ok {
			found, _ := explore(t, tree, q)
			answers += found
		}
	}
	if answers < racetest.Scale(1000) {
		t.Errorf("%d answers, want more", answers)
	}
}

func TestSearchOfVotesKeepsItsContract(t *testing.T) {
	t.Parallel()
	answers, nodes := 0, 0
	for number := range uint64(racetest.Scale(1200)) {
		rng := rand.New(rand.NewPCG(number, 6))
		dim, classes := 1+rng.IntN(4), 2+rng.IntN(3)
		var trees []*classifier.ObliqueEnsemble
		for range 1 + rng.IntN(4) {
			trees = append(trees,
				instance.ObliqueTree(t, dim, instance.ObliqueNodes(rng, dim, classes, 2)...))
		}
		e := instance.ObliqueVote(t, classifier.EnsembleOptions{Vote: classifier.Vote(rng.IntN(3))},
			trees...)
		if q, ok := drawQuery(rng, e); ok {
			found, opened := explore(t, e, q)
			answers += found
			nodes += opened
		}
	}
	if answers < racetest.Scale(1400) || nodes < racetest.Scale(4000) {
		t.Errorf("%d answers at %d nodes, want more", answers, nodes)
	}
}
