package attack

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// cellSearch is the search over a list of cells: the first opening of a chunk of
// them bounds each by its sides one at a time, the second opening of a cell
// solves its program.
type cellSearch struct {
	classifier classifier.Classifier
	q          search.Query
	cells      []classifier.Cell // those whose label answers the query
	numbers    []int             // of the cells within the classifier's list
}

// chunk is the number of cells that one worker bounds at a time.
const chunk = 256

// listCells collects the cells of c that answer q, and makes sure on the way that
// one of the others holds q.X.
func listCells(ctx context.Context, c classifier.Decomposable, q search.Query) (*cellSearch, error) {
	s := &cellSearch{classifier: c, q: q}
	x := home{x: q.X, label: q.From}
	n, err := eachCell(ctx, c, func(number int, cell classifier.Cell) (bool, error) {
		x.visit(number, cell)
		s.add(number, cell)
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	return s, x.check(n)
}

// add takes up a cell if it answers the query within the domain.
func (s *cellSearch) add(number int, cell classifier.Cell) {
	if !s.q.Reaches(cell.Label) {
		return
	}
	cell.Region.Box = intersect(cell.Region.Box, s.q.Domain)
	if cell.Region.Box.Empty() {
		return
	}
	s.cells = append(s.cells, cell)
	s.numbers = append(s.numbers, number)
}

// intersect returns the intersection of two boxes, nil for the whole space.
func intersect(a, b polytope.Box) polytope.Box {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	box := make(polytope.Box, len(a))
	for j, i := range a {
		box[j] = i.Intersect(b[j])
	}
	return box
}

func (s *cellSearch) Roots() []search.Node {
	var roots []search.Node
	for first := 0; first < len(s.cells); first += chunk {
		roots = append(roots, search.Node{Order: int64(s.numbers[first]), Item: int64(-1 - first)})
	}
	return roots
}

func (s *cellSearch) NewOpener() search.Opener { return &cellOpener{cellSearch: s} }

type cellOpener struct {
	*cellSearch
	children []search.Node
}

// Open opens the chunk that begins at −1−Item, or the cell Item.
func (o *cellOpener) Open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	defer guard.Name("the regions of Cells", o.classifier)
	if n.Item >= 0 {
		return o.solve(ctx, n, cutoff)
	}
	o.children = o.children[:0]
	first := int(-1 - n.Item)
	for i := first; i < min(first+chunk, len(o.cells)); i++ {
		if ctx.Err() != nil {
			return search.Opened{}, ctx.Err()
		}
		if bound := o.cells[i].Region.Bound(o.q.Norm, o.q.X); bound <= cutoff {
			o.children = append(o.children, search.Node{Bound: bound, Order: int64(o.numbers[i]), Item: int64(i)})
		}
	}
	return search.Opened{Children: o.children}, nil
}

func (o *cellOpener) solve(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	cell := o.cells[n.Item]
	p := polytope.Problem{
		Norm: o.q.Norm, X: o.q.X, Region: cell.Region,
		Cutoff: math.Nextafter(cutoff, math.Inf(1)),
	}
	fail := func(bound float64, err error) (search.Opened, error) {
		if errors.Is(err, cellpoint.ErrNone) {
			err = fmt.Errorf("%w: %w", ErrClassifier, err)
		}
		err = fmt.Errorf("cell %d, label %d: %w", n.Order, cell.Label, err)
		return search.Opened{}, &search.Undecided{Bound: bound, Err: err}
	}
	sol, err := o.q.Solver.Closest(ctx, p)
	if err != nil {
		return fail(sol.Bound, err)
	}
	switch sol.Status {
	case polytope.StatusStopped:
		return fail(sol.Bound, cellpoint.Stopped(ctx))
	case polytope.StatusInfeasible, polytope.StatusCutoff:
		if sol.Status == polytope.StatusInfeasible && !cellpoint.Empty(cell.Region, sol) {
			thin := &search.Answer{Bound: n.Bound, Order: n.Order, Distance: math.Inf(1)}
			if !math.IsInf(sol.Bound, 1) {
				thin.Bound = max(n.Bound, sol.Bound)
			}
			return search.Opened{Solves: 1, Answer: thin}, nil
		}
		return search.Opened{Solves: 1}, nil
	}
	flips := func(z []float64) bool { return o.q.Reaches(predict(o.classifier, z)) }
	z, solves, err := cellpoint.Margin(ctx, o.q.Solver, p, sol.Point, flips)
	opened := search.Opened{Solves: 1 + solves}
	if errors.Is(err, cellpoint.ErrThin) {
		opened.Answer = &search.Answer{Bound: max(n.Bound, sol.Bound), Order: n.Order, Distance: math.Inf(1)}
		return opened, nil
	}
	if err != nil {
		return fail(sol.Bound, err)
	}
	if z != nil {
		opened.Answer = &search.Answer{
			Bound: max(n.Bound, sol.Bound), Order: n.Order,
			Example: z, Distance: o.q.Norm.Distance(o.q.X, z),
		}
	}
	return opened, nil
}
