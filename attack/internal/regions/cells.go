package regions

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Cell is classifier.Cell.
type Cell struct {
	Label  int
	Region polytope.Polyhedron
}

// cellSearch is the search over a list of cells: the first opening of a chunk of
// them bounds each by its sides one at a time, the second opening of a cell
// solves its program.
type cellSearch struct {
	q       *query.Query
	cells   []Cell // those whose label answers the query
	numbers []int  // of the cells within the classifier's list
}

// chunk is the number of cells that one worker bounds at a time.
const chunk = 256

// list collects the cells that answer q, and makes sure on the way that one of the others holds
// q.X.
func list(ctx context.Context, q *query.Query, cells access.Cells) (*cellSearch, error) {
	s := &cellSearch{q: q}
	x := containing{x: q.X, label: q.From}
	n, err := eachCell(ctx, q.Classifier, cells, func(number int, cell Cell) bool {
		x.visit(number, cell)
		s.add(number, cell)
		return true
	})
	if err != nil {
		return nil, err
	}
	return s, x.check(n)
}

// add takes up a cell if it answers the query within the domain.
func (s *cellSearch) add(number int, cell Cell) {
	if !s.q.Reaches(cell.Label) {
		return
	}
	cell.Region.Box = geometry.IntersectBoxes(cell.Region.Box, s.q.Domain)
	if geometry.EmptyBox(cell.Region.Box) {
		return
	}
	s.cells = append(s.cells, cell)
	s.numbers = append(s.numbers, number)
}

func (s *cellSearch) Roots() []search.Node {
	var roots []search.Node
	for first := 0; first < len(s.cells); first += chunk {
		roots = append(roots, search.Node{
			Order: int64(s.numbers[first]),
			Item:  int64(first),
			State: ahead{},
		})
	}
	return roots
}

func (s *cellSearch) NewOpener() search.Opener { return &cellOpener{cellSearch: s} }

type cellOpener struct {
	*cellSearch
	children []search.Node
}

// ahead is the State of the chunk that begins at Item. Without it a node is the cell Item.
type ahead struct{}

// Open opens a chunk, or a cell.
func (o *cellOpener) Open(
	ctx context.Context, n search.Node, cutoff float64,
) (search.Opened, error) {
	defer guard.Name("the regions of Cells", o.q.Classifier)
	if n.State == nil {
		return o.solve(ctx, n, cutoff)
	}
	o.children = o.children[:0]
	first := int(n.Item)
	for i := first; i < min(first+chunk, len(o.cells)); i++ {
		if ctx.Err() != nil {
			return search.Opened{}, ctx.Err()
		}
		region := cellpoint.Within(o.cells[i].Region, o.q.Linear)
		if bound := o.q.Cost.Bound(region, o.q.X); bound <= cutoff {
			o.children = append(o.children, search.Node{
				Bound: bound,
				Order: int64(o.numbers[i]),
				Item:  int64(i),
			})
		}
	}
	return search.Opened{Children: o.children}, nil
}

// solve projects on the cell of a node. A contradiction of a caller's classifier is
// named; a cell too thin for a float64 point of it gives its bound.
func (o *cellOpener) solve(
	ctx context.Context, n search.Node, cutoff float64,
) (search.Opened, error) {
	cell := o.cells[n.Item]
	fail := func(err error) (search.Opened, error) {
		if errors.Is(err, cellpoint.ErrNone) {
			err = fmt.Errorf("%w: %w", guard.ErrClassifier, err)
		}
		return search.Opened{}, fmt.Errorf("cell %d, label %d: %w", n.Order, cell.Label, err)
	}
	p := o.q.Cost.Problem(o.q.X, cellpoint.Within(cell.Region, o.q.Linear))
	p.Cutoff = math.Nextafter(cutoff, math.Inf(1))
	sol, err := cellpoint.Ask(ctx, o.q.Solver, p)
	if err != nil {
		return fail(err)
	}
	opened := search.Opened{Solves: 1}
	if sol.Status == polytope.StatusCutoff ||
		(sol.Status == polytope.StatusInfeasible && cellpoint.Empty(p.Region, sol)) {
		return opened, nil
	}
	if !math.IsInf(sol.Bound, 1) {
		n.Bound = max(n.Bound, sol.Bound)
	}
	var z []float64
	if sol.Point != nil {
		flips := func(z []float64) bool { return o.q.Reaches(guard.Predict(o.q.Classifier, z)) }
		var solves int
		p.Region = cell.Region
		z, solves, err = cellpoint.Margin(
			ctx, o.q.Solver, p, o.q.Linear, sol.Point, 0, flips,
		)
		opened.Solves += solves
		switch {
		case errors.Is(err, cellpoint.ErrThin):
			z = nil
		case err != nil:
			return fail(&search.Undecided{Bound: sol.Bound, Err: err})
		case z == nil:
			return opened, nil
		}
	}
	opened.Answer = cellpoint.Answer(&o.q.Query, n, z)
	return opened, nil
}
