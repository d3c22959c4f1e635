package outputrange

import (
	"context"
	"errors"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/slots"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Model is the trees of a regressor, prepared for searches.
type Model struct {
	ensemble *trees.Ensemble[*trees.Axis] // of one class
	grid     slots.Grid
	// gains are, by tree and node, the largest gain of the leaves below: towards large sums,
	// and towards small ones.
	gains [2][][]float64
	// slack is by how much a sum differs from that of real numbers at most.
	slack float64
}

// New prepares the trees of a regressor: an ensemble of one class.
func New(e *trees.Ensemble[*trees.Axis]) *Model {
	m := &Model{ensemble: e, grid: slots.New(e.Dim(), e.Trees)}
	largest, partial := math.Abs(e.Vote.Base[0]), 0.0
	for t := range e.Trees {
		large, small := m.measure(t)
		m.gains[0], m.gains[1] = append(m.gains[0], large), append(m.gains[1], small)
		largest += max(math.Abs(large[0]), math.Abs(small[0]))
		partial += largest
	}
	unit := precise.Roundoff
	if e.Vote.Single {
		unit = 0x1p-24
	}
	m.slack = 1.01 * unit * partial
	return m
}

// measure returns the largest gain below each node of a tree, in both directions.
func (m *Model) measure(t int) (large, small []float64) {
	nodes := m.grid.Trees[t].Nodes
	large, small = make([]float64, len(nodes)), make([]float64, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- { // children come after their parents
		if n := &nodes[i]; n.Feature < 0 {
			v := m.ensemble.Value(t, i)[0]
			large[i], small[i] = v, -v
		} else {
			large[i], small[i] = max(large[n.Left], large[n.Right]), max(small[n.Left],
				small[n.Right])
		}
	}
	return large, small
}

// Query asks for an end of the range of sums.
type Query struct {
	// Center is the center of the ball; examples are near it. Its norm is ℓ∞, ℓ1 or ℓ2.
	Center []float64
	Norm   polytope.Norm
	Radius float64      // +Inf for no ball
	Domain polytope.Box // nil for all of R^d
	Least  bool         // the smallest sum, in place of the largest
	Nodes  int          // parts to open, 0 for no limit
}

// ErrEmpty is the error for a region that holds no real numbers.
var ErrEmpty = errors.New("the region holds no input")

// End is an end of the range.
type End struct {
	Sum     float64   // of Example; meaningless without one
	Bound   float64   // that no sum in the region exceeds, or falls short of: Sum if that is proven
	Example []float64 // a float64 input in the region that has the sum; nil if none was found
	Nodes   int       // parts opened
}

// Find searches for an end. When ctx ends or the nodes are opened, it returns what is proven then.
func (m *Model) Find(ctx context.Context, q Query) (End, error) {
	s, err := m.newFinder(q)
	if err != nil {
		return End{}, err
	}
	bound := s.run(ctx)
	if math.IsInf(bound, -1) {
		return End{}, ErrEmpty
	}
	return End{Sum: s.sign * s.best, Bound: s.sign * bound, Example: s.example, Nodes: s.nodes}, nil
}
