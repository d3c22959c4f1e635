package soundness

import (
	"iter"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// partition is a user's classifier: the leaves of a linear decision tree, listed.
type partition struct{ in *Oblique }

func (p *partition) Dim() int { return p.in.Dim }

func (p *partition) Classes() int { return len(p.in.Trees[0][0].Value) }

func (p *partition) Predict(x []float64) int {
	nodes, at := p.in.Trees[0], 0
	for nodes[at].Left >= 0 {
		sum := 0.0
		for j, w := range nodes[at].Weights {
			sum += float64(w * x[j])
		}
		at = side(nodes[at], sum <= nodes[at].Threshold)
	}
	return largest(nodes[at].Value)
}

func (p *partition) Cells() iter.Seq[classifier.Cell] {
	return func(yield func(classifier.Cell) bool) {
		p.leaves(0, nil, yield)
	}
}

func (p *partition) leaves(
	at int, sides []polytope.HalfSpace, yield func(classifier.Cell) bool,
) bool {
	n := p.in.Trees[0][at]
	if n.Left < 0 {
		return yield(classifier.Cell{
			Label:  largest(n.Value),
			Region: polytope.Polyhedron{HalfSpaces: sides},
		})
	}
	against := make([]float64, len(n.Weights))
	for j, w := range n.Weights {
		against[j] = -w
	}
	sides = sides[:len(sides):len(sides)]
	return p.leaves(n.Left, append(sides, polytope.HalfSpace{A: n.Weights, B: n.Threshold}),
		yield) &&
		p.leaves(n.Right,
			append(sides, polytope.HalfSpace{A: against, B: -n.Threshold, Open: true}), yield)
}
