package instance

import (
	"iter"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Patchwork is a user's classifier: cells as they were Listed, and any prediction.
type Patchwork struct {
	Dimension, Labels int
	Listed            []classifier.Cell
	Predicted         func([]float64) int
}

func (p *Patchwork) Dim() int                         { return p.Dimension }
func (p *Patchwork) Classes() int                     { return p.Labels }
func (p *Patchwork) Predict(x []float64) int          { return p.Predicted(x) }
func (p *Patchwork) Cells() iter.Seq[classifier.Cell] { return slices.Values(p.Listed) }

// HalfSpace is 1 where a·z > b, or a·z ≥ b when the far side is closed.
func HalfSpace(a []float64, b float64, closed bool) *Patchwork {
	negative := make([]float64, len(a))
	for j, v := range a {
		negative[j] = -v
	}
	return &Patchwork{
		Dimension: len(a), Labels: 2,
		Listed: []classifier.Cell{
			{Label: 0, Region: polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{{A: a, B: b, Open: closed}}}},
			{Label: 1, Region: polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{{A: negative, B: -b, Open: !closed}}}},
		},
		Predicted: func(z []float64) int {
			v := -b
			for j, e := range a {
				v += float64(e * z[j])
			}
			if v > 0 || (closed && v == 0) {
				return 1
			}
			return 0
		},
	}
}

// Opaque hides everything but the classifier.
type Opaque struct{ classifier.Classifier }

// Listed hides every upgrade of a classifier.
type Listed struct{ classifier.Decomposable }

// Watched counts predictions and calls At before each of them.
type Watched struct {
	classifier.Classifier
	Predictions int
	At          func(number int)
}

func (w *Watched) Predict(x []float64) int {
	w.Predictions++
	if w.At != nil {
		w.At(w.Predictions)
	}
	return w.Classifier.Predict(x)
}
