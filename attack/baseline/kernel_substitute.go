package baseline

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack/internal/training"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// substitute is a soft nearest-neighbour classifier: the weight of point p_i at z
// is proportional to exp(−‖z − p_i‖²/width).
type substitute struct {
	*training.Points
	width float64
	pulls []float64
}

func newSubstitute(p *training.Points, width float64) *substitute {
	return &substitute{Points: p, width: width, pulls: make([]float64, p.Len)}
}

// gradient sets dst to the direction in which the mass on the query's label falls
// fastest, or that on its target rises fastest; its length has no meaning.
func (s *substitute) gradient(dst, z []float64, q search.Query) {
	for i := range s.pulls {
		s.pulls[i] = nnindex.Squared(z, s.Row(i))
	}
	label, away := q.From, 1.0
	if q.Target >= 0 {
		label, away = q.Target, -1
	}
	soften(s.pulls, s.width)
	mass, rest := masses(s.pulls, s.Labels, label)
	pull(s.pulls, s.Labels, label, mass, rest)
	clear(dst)
	for i, f := range s.pulls {
		push(dst, away*f, z, s.Row(i))
	}
}

// soften turns squared distances into weights that sum to 1. A point at distance
// +Inf has none; if all are, no point has any.
func soften(w []float64, width float64) {
	least := slices.Min(w)
	if math.IsInf(least, 1) {
		clear(w)
		return
	}
	var sum float64
	for i, squared := range w {
		w[i] = math.Exp((least - squared) / width)
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
}

// masses returns the mass on the label, and that on the others. The latter is added up on
// its own: near a point of the label it is all that is left.
func masses(w []float64, labels []int, label int) (mass, rest float64) {
	for i, v := range w {
		if labels[i] == label {
			mass += v
		} else {
			rest += v
		}
	}
	return mass, rest
}

// pull turns the weights w_i into w_i·([label i = label] − m), where m is the mass on the
// label and rest is 1 − m: up to the factor −1/width these are the derivatives of m by
// the squared distances.
func pull(w []float64, labels []int, label int, mass, rest float64) {
	for i := range w {
		if labels[i] == label {
			w[i] *= rest
		} else {
			w[i] *= -mass
		}
	}
}

// push adds f·(z − p) to dst.
func push(dst []float64, f float64, z, p []float64) {
	if f == 0 {
		return
	}
	for j, v := range p {
		dst[j] += float64(f * (z[j] - v))
	}
}

// walk is projected gradient ascent from x within a ball around it, in ℓ∞ or ℓ2.
type walk struct {
	norm         polytope.Norm
	rate, budget float64
	x, z, moved  []float64 // z = x + moved
}

// step takes one step and reports whether it changed z.
func (w *walk) step(gradient []float64) bool {
	w.climb(gradient)
	w.project()
	changed := false
	for j, v := range w.x {
		z := v + w.moved[j]
		changed = changed || z != w.z[j]
		w.z[j] = z
	}
	return changed
}

// climb adds the step of length rate that gains most to first order: one along
// the signs of the gradient in ℓ∞, one along the gradient itself in ℓ2.
func (w *walk) climb(gradient []float64) {
	length := geometry.Length(w.norm, gradient)
	if length == 0 {
		return
	}
	for j, g := range gradient {
		switch {
		case w.norm == polytope.L2:
			w.moved[j] += float64(w.rate * (g / length))
		case g > 0:
			w.moved[j] += w.rate
		case g < 0:
			w.moved[j] -= w.rate
		}
	}
}

// project moves z to the nearest point of the ball.
func (w *walk) project() {
	if w.norm == polytope.LInf {
		for j, v := range w.moved {
			w.moved[j] = min(max(v, -w.budget), w.budget)
		}
		return
	}
	if length := geometry.Length(w.norm, w.moved); length > w.budget {
		for j := range w.moved {
			w.moved[j] *= w.budget / length
		}
	}
}
