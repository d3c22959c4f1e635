package attack_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestWeightedCases holds instances that once crept, failed, or were proven wrong.
func TestWeightedCases(t *testing.T) {
	column := func(v ...float64) (x [][]float64) {
		for _, e := range v {
			x = append(x, []float64{e})
		}
		return x
	}
	inf := math.Inf(1)
	tests := []struct {
		name     string
		in       neighborInstance
		k        int
		norm     polytope.Norm
		distance float64
		hidden   bool // rounding hides the nearest answers from Predict
	}{
		{"equal rows of two labels at x, others tie", neighborInstance{
			x: column(-3, 1, 3, 2, 3, -1, 1, 0, -1, 3), y: []int{0, 1, 2, 1, 2, 0, 0, 2, 0, 0}, query: []float64{1},
		}, 8, polytope.L2, 0, true},
		{"equal rows of two labels at x", neighborInstance{
			x: column(0, 2, 0, 1, 2, 3), y: []int{0, 1, 1, 2, 2, 1}, query: []float64{2},
		}, 4, polytope.L1, 0, true},
		{"a bisector along a side of the domain", neighborInstance{
			x: [][]float64{{1, 4}, {3, 4}, {3, 4}, {1, 4}, {4, 2}, {0, 3}, {1, 4}}, y: []int{3, 1, 1, 0, 3, 2, 3},
			query: []float64{3, 4}, box: polytope.Box{{Lo: 2, Hi: 3}, polytope.Line()},
		}, 3, polytope.L2, 2, false},
		{"no answer however far on a half-line", neighborInstance{
			x: column(1, 0, 2), y: []int{0, 1, 1}, query: []float64{-1}, target: new(0), box: polytope.Box{{Lo: -inf, Hi: 0}},
		}, 2, polytope.L1, inf, false},
		{"no answer however far in a half-plane", neighborInstance{
			x: [][]float64{{1, 0}, {0, 0}, {2, 0}}, y: []int{0, 1, 1}, query: []float64{-1, 0}, target: new(0),
			box: polytope.Box{{Lo: -inf, Hi: 0}, {Lo: -1, Hi: 1}},
		}, 2, polytope.LInf, inf, false},
		{"one row against three, however far in a half-plane", neighborInstance{
			x: [][]float64{{-9, 1}, {-8, 15}, {-14, -8}, {-6, 8}}, y: []int{1, 1, 0, 1}, query: []float64{0, 0},
			box: polytope.Box{{Lo: 0, Hi: inf}, polytope.Line()},
		}, 4, polytope.LInf, inf, false},
		{"an answer far from all rows", neighborInstance{
			x: column(0, -4.875, -5, -9.9375), y: []int{1, 0, 0, 1}, query: []float64{0.5}, box: polytope.Box{{Lo: 0.5, Hi: inf}},
		}, 4, polytope.L2, 784.4374950545972, false},
		{"rows a hair's breadth apart", neighborInstance{
			x: [][]float64{{1, 0x1p-31}, {1, -0x1p-31}}, y: []int{0, 1}, query: []float64{0, 0x1p-17},
		}, 2, polytope.LInf, 0x1p-17, true},
		{"mirror images on a domain that is a line", neighborInstance{
			x: [][]float64{{1, 0}, {-1, 0}, {-1, 3}, {1, 3}}, y: []int{0, 1, 1, 1}, query: []float64{0, 0}, box: polytope.Box{{}, polytope.Line()},
		}, 1, polytope.LInf, 1.5, false},
		{"a domain that is a point", neighborInstance{
			x: column(-1, 3, -3, 3, 2), y: []int{0, 1, 1, 0, 1}, query: []float64{0}, box: polytope.Box{{}},
		}, 4, polytope.L2, inf, false},
		{"a domain that is a point where sums tie", neighborInstance{
			x: column(1, -1, 1, 2), y: []int{0, 1, 0, 1}, query: []float64{0}, box: polytope.Box{{Lo: 3, Hi: 3}},
		}, 3, polytope.LInf, inf, false},
		{"more than a few sets of neighbors, however far in a strip", neighborInstance{
			x: [][]float64{{-1, 1}, {-2, 0}, {-3, 1}, {-4, 2}, {-5, 0}, {-6, 1}}, y: []int{1, 1, 1, 1, 0, 1}, query: []float64{1, 0},
			box: polytope.Box{{Lo: 0, Hi: inf}, {Lo: -1, Hi: 1}},
		}, 3, polytope.L2, inf, false},
		{"k = n, all rows at one place", neighborInstance{
			x: column(1, 1), y: []int{0, 1}, query: []float64{1},
		}, 2, polytope.L2, inf, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.in.weighted(t, tt.k)
			r, ok := tt.in.attackWeighted(t, c, attack.Options{Norm: tt.norm, Workers: 1, MaxNodes: 5000})
			err := tt.in.checkSound(c, tt.norm, r)
			switch {
			case !ok || err != nil || r.Nodes > 500 || !(r.Optimal || tt.hidden):
				t.Errorf("%+v: %v", r, err)
			case r.Bound > tt.distance || r.Bound < tt.distance-1.01e-9*max(1, tt.distance):
				t.Errorf("bound %v, want %v", r.Bound, tt.distance)
			case (r.Example == nil) != math.IsInf(tt.distance, 1):
				t.Errorf("%+v, want %v", r, tt.distance)
			}
		})
	}
}

// drawGrid draws integer rows in up to three dimensions, with every kind of domain.
func drawGrid(rng *rand.Rand) neighborInstance {
	dim, n, classes := 1+rng.IntN(3), 2+rng.IntN(6), 2+rng.IntN(2)
	draw := func() (p []float64) {
		for range dim {
			p = append(p, float64(rng.IntN(9)-4))
		}
		return p
	}
	in := neighborInstance{query: draw()}
	for range n {
		in.x, in.y = append(in.x, draw()), append(in.y, rng.IntN(classes))
	}
	if rng.IntN(2) == 0 {
		return in
	}
	lo, hi := draw(), draw()
	for j := range lo {
		i := polytope.Interval{Lo: min(lo[j], hi[j]), Hi: max(lo[j], hi[j])}
		switch rng.IntN(4) {
		case 0:
			i.Lo = math.Inf(-1)
		case 1:
			i.Hi = math.Inf(1)
		case 2:
			i.Hi = i.Lo
		}
		in.box = append(in.box, i)
	}
	return in
}

// reversed returns v backwards.
func reversed[S ~[]E, E any](v S) S {
	w := slices.Clone(v)
	slices.Reverse(w)
	return w
}

// shuffled permutes the places of the rows, and reverses the features. Rows at one place keep
// their order, which decides which of them vote.
func (in neighborInstance) shuffled(rng *rand.Rand) neighborInstance {
	out := neighborInstance{query: reversed(in.query), target: in.target, box: reversed(in.box)}
	var places [][]float64
	for _, p := range in.x {
		if !slices.ContainsFunc(places, func(q []float64) bool { return slices.Equal(p, q) }) {
			places = append(places, p)
		}
	}
	rng.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	for _, q := range places {
		for i, p := range in.x {
			if slices.Equal(p, q) {
				out.x, out.y = append(out.x, reversed(p)), append(out.y, in.y[i])
			}
		}
	}
	return out
}

// doubled holds every row twice.
func (in neighborInstance) doubled() neighborInstance {
	out := neighborInstance{query: in.query, target: in.target, box: in.box}
	for i, p := range in.x {
		out.x, out.y = append(out.x, p, p), append(out.y, in.y[i], in.y[i])
	}
	return out
}

// attackGrid attacks within so many nodes; nothing where x is there already, or where rounding
// hides every example.
func (in neighborInstance) attackGrid(t *testing.T, k int, norm polytope.Norm) (r attack.Result, from int, ok bool) {
	t.Helper()
	c := in.weighted(t, k)
	o := attack.Options{Norm: norm, Workers: 1, MaxNodes: 3000, Target: in.target, Domain: in.box}
	r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), in.query)
	if errors.Is(err, polytope.ErrNumerical) || errors.Is(err, classifier.ErrFarAway) {
		return r, 0, false
	}
	if err != nil {
		t.Fatalf("%v\n%+v", err, in)
	}
	if err := in.checkSound(c, norm, r); err != nil {
		t.Errorf("k = %d, ℓ%v: %v\n%+v", k, norm, err, in)
	}
	return r, c.Predict(in.query), true
}

// flips reports whether the example of the shuffled instance, if any, is one here as well.
func (in neighborInstance) flips(t *testing.T, k int, r attack.Result) bool {
	c := in.weighted(t, k)
	goal, _ := in.goal(c)
	return r.Example == nil || goal(c.Predict(reversed(r.Example)))
}

// TestWeightedMovedAndScaled: neither the place nor the unit of the data, nor the order of
// rows and features, nor doubling rows and neighbors change distances and bounds.
func TestWeightedMovedAndScaled(t *testing.T) {
	t.Parallel()
	compared, failed, drawn := 0, 0, instance.Count(60, 500)
	for number := range uint64(drawn) {
		rng := rand.New(rand.NewPCG(number, 49))
		in := drawGrid(rng)
		k, norm := 1+rng.IntN(len(in.x)), norms[rng.IntN(3)]
		want, from, ok := in.attackGrid(t, k, norm)
		if !ok || want.Nodes == 3000 {
			failed++
			continue
		}
		offset, unit := math.Ldexp(1, 10+rng.IntN(36)), math.Ldexp(1, rng.IntN(80)-40)
		for _, v := range []struct {
			name    string
			in      neighborInstance
			k       int
			unit, z float64
		}{
			{"moved", in.moved(1, offset), k, 1, offset},
			{"scaled", in.moved(unit, 0), k, unit, 0},
			{"shuffled", in.shuffled(rng), k, 1, 0},
			{"doubled", in.doubled(), 2 * k, 1, 0},
		} {
			r, same, ok := v.in.attackGrid(t, v.k, norm)
			tol := 2e-8 * max(1, want.Distance)
			switch {
			case !ok || r.Nodes == 3000:
				failed++
			case same != from: // a tie at x
			case v.name == "shuffled" && (!in.flips(t, k, r) || !v.in.flips(t, k, want)): // a tie at the example
			case (r.Example == nil) != (want.Example == nil):
				t.Errorf("instance %d, %s: %+v, want %+v\n%+v, k = %d, ℓ%v", number, v.name, r, want, in, k, norm)
			case r.Example != nil && math.Abs(r.Bound/v.unit-want.Bound) > tol:
				t.Errorf("instance %d, %s: bound %v, want %v\n%+v, k = %d, ℓ%v", number, v.name, r.Bound/v.unit, want.Bound, in, k, norm)
			case r.Example != nil && math.Abs(r.Distance/v.unit-want.Distance) > hidden*max(1, want.Distance)+8*0x1p-52*v.z:
				t.Errorf("instance %d, %s: distance %v, want %v\n%+v, k = %d, ℓ%v", number, v.name, r.Distance/v.unit, want.Distance, in, k, norm)
			default:
				compared++
			}
		}
	}
	if compared < 3*drawn || failed > 1+drawn/20 {
		t.Errorf("%d compared, %d failed", compared, failed)
	}
}
