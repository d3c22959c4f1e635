package baseline

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
)

// descent minimises the distance g of the change of label over the directions.
type descent struct {
	rays
	random *rand.Rand
	rate   float64 // α: steps are −α·∇g
}

// ray is a direction of length 1 and its distance g.
type ray struct {
	theta []float64
	g     float64
}

const (
	firstRate = 0.2
	// A rate below leastRate has shrunk for want of a step that helps; the next
	// search starts over from 1.
	leastRate = 1e-4
	// probeReach is β, how far probes are from the direction they surround.
	probeReach = 0.01
	// bracket is the width of the interval that holds a change.
	bracket = probeReach / 500
	// searchTrials is the number of times that a step is lengthened, or shortened.
	searchTrials = 15
	// leastGain is the gain of a step below which no other one is made.
	leastGain = 0.005
)

// randomFor returns a generator for the attack of x, the same in every unit of
// length.
func randomFor(seed uint64, x []float64, scale float64) *rand.Rand {
	h := fnv.New64a()
	var b [8]byte
	for _, v := range x {
		// Adding 0 makes one number of both zeros.
		bits := math.Float64bits(v/scale + 0)
		for i := range b {
			b[i] = byte(bits >> (8 * i))
		}
		h.Write(b[:])
	}
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// run returns the nearest point found that flips, nil if there is none.
func (d *descent) run(starts, steps int) []float64 {
	best := d.start(starts)
	if best.theta == nil {
		return nil
	}
	for range steps {
		if d.over() {
			break
		}
		next := d.step(best)
		gain := best.g - next.g
		if best = next; gain < leastGain {
			break
		}
	}
	return slices.Clone(d.at(best.theta, best.g))
}

// start returns the best of some random directions, among those that flip at
// their own random length.
func (d *descent) start(starts int) ray {
	best := ray{g: math.Inf(1)}
	for range starts {
		if d.over() {
			break
		}
		theta := d.gauss()
		length := geometry.Length(d.q.Norm, theta)
		if !unit(theta, length) || !d.flips(theta, length) {
			continue
		}
		if g := d.from0(theta, length, best.g); g < best.g {
			best = ray{theta, g}
		}
	}
	return best
}

// step returns a direction that is no worse than from: the best on the way down
// the estimated gradient, or the best probe.
func (d *descent) step(from ray) ray {
	gradient, probe := d.estimate(from)
	next := d.search(from, gradient)
	if probe.g < next.g {
		next = probe
	}
	if d.rate < leastRate {
		d.rate = 1
	}
	return next
}

// estimate returns the mean of ((g(θ + βu) − g(θ))/β)·u over random u, which is
// close to the gradient, and the best of the directions.
func (d *descent) estimate(from ray) (gradient []float64, best ray) {
	gradient, best = make([]float64, len(from.theta)), ray{g: math.Inf(1)}
	for range probes {
		if d.over() {
			break
		}
		u := d.gauss()
		unit(u, geometry.Length(d.q.Norm, u))
		probe := d.try(from.theta, probeReach, u, from.g)
		if math.IsInf(probe.g, 1) {
			continue
		}
		for j, v := range u {
			gradient[j] += float64((probe.g - from.g) / probeReach * v / float64(probes))
		}
		if probe.g < best.g {
			best = probe
		}
	}
	return gradient, best
}

// search lengthens the step down the gradient as long as that helps. If not even
// the first one does, it shortens the step until one does.
func (d *descent) search(from ray, gradient []float64) ray {
	best := from
	for range searchTrials {
		next := d.try(from.theta, -d.rate, gradient, best.g)
		d.rate *= 2
		if !(next.g < best.g) {
			break
		}
		best = next
	}
	if best.g < from.g {
		return best
	}
	for range searchTrials {
		d.rate /= 4
		if next := d.try(from.theta, -d.rate, gradient, from.g); next.g < from.g {
			return next
		}
	}
	return from
}

// try returns the direction of theta + t·v, and the distance of its change close
// to g.
func (d *descent) try(theta []float64, t float64, v []float64, g float64) ray {
	next := ray{make([]float64, len(theta)), math.Inf(1)}
	for j := range theta {
		next.theta[j] = theta[j] + float64(t*v[j])
	}
	if unit(next.theta, geometry.Length(d.q.Norm, next.theta)) {
		next.g = d.near(next.theta, g, bracket)
	}
	return next
}

func (d *descent) gauss() []float64 {
	v := make([]float64, len(d.q.X))
	for j := range v {
		v[j] = d.random.NormFloat64()
	}
	return v
}

// unit divides v by its length and reports whether it has one.
func unit(v []float64, length float64) bool {
	if length == 0 {
		return false
	}
	for j := range v {
		v[j] /= length
	}
	return true
}
