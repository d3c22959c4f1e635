package soundness

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawEnds draws k-NN in a domain whose ends are where rows tie: halfway between some, at others,
// or in corners that several bisectors pass. All numbers are small multiples of a power of two.
func drawEnds(r *rand.Rand) *KNN {
	d := pick(r, 1, 1, 2, 2, 2, 3)
	n, width := few(r, 2, 7), pick(r, 1, 1, 2, 3)
	in := &KNN{Labels: drawLabels(r, n, pick(r, 2, 2, 2, 3))}
	for range n {
		in.Rows = append(in.Rows, grid(r, d, width))
	}
	in.K = min(n, pick(r, 1, 1, 1, 2, 2, 3, 4))
	in.Listed = r.IntN(12) == 0
	q := Query{Norm: polytope.Norm(r.IntN(3)), Target: -1}
	q.X, q.Domain = make([]float64, d), polytope.NewBox(d)
	if r.IntN(3) == 0 {
		q.Target = r.IntN(slices.Max(in.Labels) + 1)
	}
	for j := range d {
		end := func() float64 {
			return (pick(r, in.Rows...)[j] + pick(r, in.Rows...)[j]) / 2
		}
		a, b := end(), pick(r, end(), end()+2, end()-2, end()+0.5)
		side := polytope.Interval{Lo: min(a, b), Hi: max(a, b)}
		switch r.IntN(6) {
		case 0:
			side.Lo = math.Inf(-1)
		case 1:
			side.Hi = math.Inf(1)
		case 2:
			if j > 0 {
				side.Hi = side.Lo
			}
		}
		if side.Lo < side.Hi && r.IntN(8) == 0 {
			side.LoOpen, side.HiOpen = r.IntN(2) == 0, r.IntN(2) == 0
		}
		q.Domain[j] = side
		q.X[j] = pick(r, end(), end()+0.5, float64(r.IntN(9)-4), end())
		if r.IntN(4) > 0 {
			q.X[j], _ = geometry.Inside(side, q.X[j])
		}
	}
	in.Query = q
	factor, offset := pick(r, 1, 1, 0x1p-30, 0x1p20, 0.5), pick(r, 0, 0, 0, 1000, 0x1p30)
	for j := range d {
		eachCoordinate(in.Rows, &in.Query, j,
			func(v float64) float64 { return (v + offset) * factor })
	}
	return in
}
