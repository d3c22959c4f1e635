package baseline

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// rays finds where the label changes along rays from q.X. Lengths are in units of
// scale.
type rays struct {
	ctx   context.Context
	c     *counter
	q     search.Query
	scale float64
	limit int // of predictions
	z     []float64
}

const (
	// rayEnd is how far a change of label is looked for along a direction
	// close to one that has a change.
	rayEnd = 20
	// rayStride is the factor by which that search goes out, or in.
	rayStride = 1.01
	// startBracket is how closely the change along a first direction is bracketed.
	startBracket = 1e-5
)

// over reports whether there is no prediction left, or no time.
func (r *rays) over() bool { return r.c.queries >= r.limit || r.ctx.Err() != nil }

// at sets z to the point at this distance.
func (r *rays) at(theta []float64, distance float64) []float64 {
	for j, v := range r.q.X {
		r.z[j] = v + float64(r.scale*distance*theta[j])
	}
	return r.z
}

// flips reports whether the label at this distance is known to answer. When all is over it is not,
// so that every search ends soon with a distance that was seen to flip.
func (r *rays) flips(theta []float64, distance float64) bool {
	z := r.at(theta, distance)
	return !r.over() && geometry.CheckPoint(z, len(z)) == nil && r.q.Reaches(r.c.Predict(z))
}

// from0 returns the distance of a change between x and a distance that flips,
// unless that at best does not flip: then the change is no nearer than the one
// already known.
func (r *rays) from0(theta []float64, flipping, best float64) float64 {
	if flipping > best {
		if !r.flips(theta, best) {
			return math.Inf(1)
		}
		flipping = best
	}
	return r.bisect(theta, 0, flipping, startBracket)
}

// near returns the distance of a change along theta close to a distance at which
// there is one along a similar direction, +Inf if there is none within rayEnd.
func (r *rays) near(theta []float64, distance, width float64) float64 {
	low, high := distance, distance
	if r.flips(theta, distance) {
		for low > width {
			high, low = low, low/rayStride
			if !r.flips(theta, low) {
				return r.bisect(theta, low, high, width)
			}
		}
		return low
	}
	for !r.flips(theta, high) {
		if low, high = high, high*rayStride; high > rayEnd || r.over() {
			return math.Inf(1)
		}
	}
	return r.bisect(theta, low, high, width)
}

// bisect returns the upper end of an interval of at most this width between low,
// which does not flip, and high, which does.
func (r *rays) bisect(theta []float64, low, high, width float64) float64 {
	for high-low > width {
		if middle := (low + high) / 2; r.flips(theta, middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}
