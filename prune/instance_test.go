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
}

func (in *instance) adversarial() Adversarial {
	return Adversarial{Radius: in.radius, Norm: in.norm}
}

func (in *instance) String() string {
	return fmt.Sprintf("radius %v, norm %v, labels %v, rows\n%v",
		in.radius, in.norm, in.y, mat.Formatted(in.x))
}

// conflict is the definition: labels differ and the distance is at most 2R.
func (in *instance) conflict(i, j int) bool {
	return in.y[i] != in.y[j] &&
		in.norm.Distance(in.x.RawRowView(i), in.x.RawRowView(j)) <= 2*in.radius
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
