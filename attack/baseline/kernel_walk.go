package baseline

import "github.com/seed-1a7dc1f9/facet/polytope"

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
	length := w.norm.Length(gradient)
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
	if length := w.norm.Length(w.moved); length > w.budget {
		for j := range w.moved {
			w.moved[j] *= w.budget / length
		}
	}
}
