package prune

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

var norms = []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2}

// instance is a random input for Adversarial.
type instance struct {
	x      *mat.Dense
	y      []int
	radius float64
	norm   polytope.Norm
	local  float64
}

func (in *instance) adversarial() Adversarial {
	return Adversarial{Radius: in.radius, Norm: in.norm, Local: in.local}
}

func (in *instance) String() string {
	return fmt.Sprintf("radius %v, local %v, norm %v, labels %v, rows\n%v",
		in.radius, in.local, in.norm, in.y, mat.Formatted(in.x))
}

// conflict is the definition: labels differ and the distance is at most the sum of the radii.
func (in *instance) conflict(i, j int) bool {
	return in.y[i] != in.y[j] && in.distance(i, j) <= in.radiusOf(i)+in.radiusOf(j)
}

func (in *instance) distance(i, j int) float64 {
	return in.norm.Distance(in.x.RawRowView(i), in.x.RawRowView(j))
}

// radiusOf is R, or less where a row of another label is near.
func (in *instance) radiusOf(i int) float64 {
	r := in.radius
	for j := range in.y {
		if in.local > 0 && in.y[i] != in.y[j] {
			r = min(r, in.local*in.distance(i, j))
		}
	}
	return r
}

// localize gives half of the instances radii of their rows.
func (in *instance) localize(rng *rand.Rand) {
	if in.radius > 0 && rng.IntN(2) == 0 {
		in.local = []float64{0.5, 0.7, 1, 1.5, 3}[rng.IntN(5)]
	}
}

// newInstance returns rows biased to trouble: on coarse grids, with duplicates,
// and with a radius of half the distance of two rows, or a step beside it.
func newInstance(rng *rand.Rand, rows, dim int) *instance {
	in := &instance{
		x:    mat.NewDense(rows, dim, nil),
		y:    make([]int, rows),
		norm: norms[rng.IntN(len(norms))],
	}
	step := []float64{1, 0.25, 0.1, 1e-160, 1e200, 0}[rng.IntN(6)] // 0: no grid
	side := 2 + rng.IntN(4)
	for i := range rows {
		for j := range dim {
			v := step * float64(rng.IntN(side)-side/2)
			if step == 0 {
				v = rng.NormFloat64()
			}
			in.x.Set(i, j, v)
		}
		if i > 0 && rng.IntN(6) == 0 {
			in.x.SetRow(i, in.x.RawRowView(rng.IntN(i)))
		}
	}
	labels := [][2]int{{0, 1}, {1, 0}, {3, 7}, {2, 2}}[rng.IntN(4)]
	share := rng.Float64()
	for i := range in.y {
		in.y[i] = labels[0]
		if rng.Float64() < share {
			in.y[i] = labels[1]
		}
	}
	in.radius = in.norm.Distance(in.x.RawRowView(rng.IntN(rows)),
		in.x.RawRowView(rng.IntN(rows))) / 2
	switch rng.IntN(4) {
	case 0:
		in.radius = math.Nextafter(in.radius, math.Inf(1))
	case 1:
		in.radius = max(0, math.Nextafter(in.radius, 0))
	}
	return in
}
