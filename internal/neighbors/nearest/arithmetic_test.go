package nearest_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// squaredRat returns the squared distance of two points, exactly.
func squaredRat(x, y []float64) *big.Rat {
	sum := new(big.Rat)
	for j := range x {
		d := exact.Difference(x[j], y[j])
		sum.Add(sum, d.Mul(d, d))
	}
	return sum
}

// TestExamplesFlipInExactArithmetic: an example of 1-NN must not owe its label to the way
// in which Predict rounds squared distances.
func TestExamplesFlipInExactArithmetic(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(120, 400)) {
		rng := rand.New(rand.NewPCG(number, 90))
		var in instance.Neighbors
		for i := range 40 {
			in.X = append(in.X, normals(rng, 12, 1))
			in.Y = append(in.Y, i%2)
		}
		in.Query = normals(rng, 12, 1)
		c, norm := in.KNN(t, 1), instance.Norms()[number%3]
		r, err := (&attack.RegionBased{
			Classifier: c,
			Options:    attack.Options{Norm: norm, Workers: 1},
		}).Perturb(t.Context(), in.Query)
		if err != nil {
			t.Fatal(err)
		}
		nearest, least := 0, squaredRat(r.Example, in.X[0])
		for i, p := range in.X {
			if d := squaredRat(r.Example, p); d.Cmp(least) < 0 {
				nearest, least = i, d
			}
		}
		if in.Y[nearest] != r.Label {
			t.Errorf("instance %d, norm %v: the nearest row has label %d, Predict says %d",
				number, norm, in.Y[nearest], r.Label)
		}
	}
}

// TestBoundOfTwoRows compares the bound with the exact distance of a single bisector,
// |‖x−p‖² − ‖x−q‖²| / (2‖p−q‖_1) in ℓ∞, where its terms cancel.
func TestBoundOfTwoRows(t *testing.T) {
	for _, scale := range []float64{1e-9, 1, 1e6, 1e9} {
		for number := range uint64(racetest.Scale(300)) {
			rng := rand.New(rand.NewPCG(number, 91))
			p, q := normals(rng, 3, scale), normals(rng, 3, scale)
			x := make([]float64, 3)
			for j := range x { // close to the bisector
				x[j] = (p[j]+q[j])/2 + 1e-6*scale*rng.NormFloat64()
			}
			in := instance.Neighbors{X: [][]float64{p, q}, Y: []int{0, 1}, Query: x}
			r, err := (&attack.RegionBased{
				Classifier: in.KNN(t, 1),
				Options:    attack.Options{Norm: polytope.LInf, Workers: 1},
			}).Perturb(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			length := new(big.Rat)
			for j := range p {
				d := exact.Difference(p[j], q[j])
				length.Add(length, d.Abs(d))
			}
			truth := squaredRat(x, p)
			truth.Sub(truth, squaredRat(x, q)).Abs(truth)
			truth.Quo(truth, length.Add(length, length))
			near, _ := truth.Float64()
			if exact.Float(r.Bound).Cmp(truth) > 0 || r.Distance-near > 1e-9*math.Max(scale, near) {
				t.Fatalf("scale %g, instance %d: bound %v, distance %v, exactly %v",
					scale, number, r.Bound, r.Distance, near)
			}
		}
	}
}

func normals(rng *rand.Rand, dim int, scale float64) []float64 {
	p := make([]float64, dim)
	for j := range p {
		p[j] = scale * rng.NormFloat64()
	}
	return p
}
