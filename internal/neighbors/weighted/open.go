package weighted

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Roots returns one node, unless no label can answer.
func (s *instance) Roots() []search.Node {
	if len(s.goals) == 0 {
		return nil
	}
	return []search.Node{{}}
}

// NodeBytes is the memory that a waiting node may take, most of it candidates.
func (s *instance) NodeBytes() int { return 1024 }

// NewOpener returns an opener for one goroutine.
func (s *instance) NewOpener() search.Opener {
	d := s.table.Dim
	floats := make([]float64, 5*d)
	return &opener{
		instance: s, spans: make([]span, len(s.groups.rows)), sides: floats[:d:d],
		moves: floats[d : 2*d : 2*d],
		way:   way{floats[2*d : 3*d : 3*d], floats[3*d : 4*d : 4*d], floats[4*d:]},
	}
}

// opener opens the nodes of one goroutine. Apart from the values that Open returns it holds memory
// only, which no method reads before it is written anew.
type opener struct {
	*instance
	children []search.Node
	solves   int

	spans    []span
	sides    []float64 // lengths in a box
	moves    []float64 // by coordinate
	way      way
	family   rowFamily
	top      neighbors.TopK
	assigned assignment
}

// Open goes on without boxes, or looks at a box and splits it.
func (o *opener) Open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	o.children, o.solves = o.children[:0], 0
	var answer *search.Answer
	var err error
	switch state := n.State.(type) {
	case nil:
		answer, err = o.begin(ctx, n, cutoff)
	case *boundsWithoutBoxes:
		answer, err = o.resume(ctx, n, state, cutoff)
	case *node:
		answer, err = o.answerOrSplit(ctx, n, state, cutoff)
	case horizon:
		err = o.beyondHorizon(ctx, n, state, cutoff)
	}
	if err != nil {
		return search.Opened{}, &search.Undecided{
			Bound: n.Bound,
			Err:   fmt.Errorf("classifier: weighted k-NN: %w", err),
		}
	}
	return search.Opened{Children: o.children, Answer: answer, Solves: o.solves}, nil
}

// push keeps a node that may hold an answer within the cutoff.
func (o *opener) push(bound float64, order int64, p *node, cutoff float64) {
	if bound <= cutoff {
		o.children = append(o.children, search.Node{Bound: bound, Order: order, State: p})
	}
}

// closest asks for the closest point of a box of displacements under the rows of f. An
// error comes without a bound: a bound of a box need not hold for the whole node.
func (o *opener) closest(
	ctx context.Context, box polytope.Box, f *rowFamily, margin, cutoff float64,
) (polytope.Solution, error) {
	p := o.q.Cost.Problem(o.zero, polytope.Polyhedron{Box: box})
	p.Margin, p.Cutoff = margin, cutoff
	if len(f.b) > 0 {
		p.Region.Rest = f
	}
	o.solves++
	sol, err := cellpoint.Ask(ctx, o.q.Solver, p)
	if undecided, ok := errors.AsType[*search.Undecided](err); ok {
		err = undecided.Err
	}
	return sol, err
}
