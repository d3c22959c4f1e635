package regions

import (
	"context"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Point is a training point with the label that the classifier gives it.
type Point struct {
	Row   int
	X     []float64
	Label int
}

// Around returns the search over the cells around points whose labels answer q: those that
// CellAt names, or the first in the list. A list must hold a cell around q.X as well.
func Around(ctx context.Context, q *query.Query, points []Point) (search.Search, error) {
	s := &cellSearch{q: q}
	if _, ok := access.CellAtOf(q.Classifier); ok {
		for number, p := range points {
			cell, err := Locate(q.Classifier, p.X, p.Label)
			if err != nil {
				return nil, fmt.Errorf("cell around training point %d: %w", p.Row, err)
			}
			s.add(number, cell)
		}
		return s, nil
	}
	cells, ok := access.CellsOf(q.Classifier)
	if !ok {
		return nil, fmt.Errorf("%w: %T neither lists its cells nor names the one around a point",
			guard.ErrClassifier, q.Classifier)
	}
	around := make([]containing, len(points), len(points)+1)
	for i, p := range points {
		around[i] = containing{x: p.X, label: p.Label}
	}
	around = append(around, containing{x: q.X, label: q.From})
	if err := find(ctx, q.Classifier, cells, around); err != nil {
		return nil, err
	}
	for number := range points {
		s.add(number, around[number].cell)
	}
	return s, nil
}

// find goes through the list once, until all cells are found.
func find(
	ctx context.Context, c guard.Classifier, cells access.Cells, around []containing,
) error {
	missing := len(around)
	n, err := eachCell(ctx, c, cells, func(number int, cell Cell) bool {
		for i := range around {
			if around[i].visit(number, cell) {
				missing--
			}
		}
		return missing > 0
	})
	for i := 0; i < len(around) && err == nil; i++ {
		err = around[i].check(n)
	}
	return err
}

// Locate returns the cell that CellAt names around a point, which has this label.
func Locate(c guard.Classifier, p []float64, label int) (cell Cell, err error) {
	defer guard.Catch(&err, "CellAt", c)
	at, ok := access.CellAtOf(c)
	if !ok {
		return cell, fmt.Errorf("%w: %T names no cells", guard.ErrClassifier, c)
	}
	if cell.Label, cell.Region, err = at(p); err != nil {
		return cell, err
	}
	if err := geometry.Check(cell.Region, len(p)); err != nil {
		return cell, fmt.Errorf("%w: %w", guard.ErrClassifier, err)
	}
	if covered := covers(cell.Region, p); cell.Label != label || !covered {
		return cell,
			fmt.Errorf("%w: %T predicts label %d, and names a cell with label %d that holds it: %t",
				guard.ErrClassifier, c, label, cell.Label, covered)
	}
	return cell, nil
}
