package nearest_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

func TestExactNeighborsAgainstBruteForce(t *testing.T) {
	t.Parallel()
	for _, norm := range instance.Norms() {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			compared := 0
			for number := range uint64(6000) {
				rng := rand.New(rand.NewPCG(number, uint64(norm)))
				in := instance.DrawNeighbors(rng)
				c := in.KNN(t, 1)
				goal, ok := in.Goal(c)
				if !ok {
					continue
				}
				truth := oracle.CellsKNN(oracle.Norm(norm), in.X, in.Y, 1, in.Query, goal,
					in.OracleBox())
				o := attack.Options{Norm: norm, Target: in.Target, Domain: in.Box, Workers: 1}
				a := &attack.RegionBased{Classifier: c, Options: o}
				if number%4 == 0 {
					a.Classifier = instance.Listed{Decomposable: c}
				}
				r, err := a.Perturb(t.Context(), in.Query)
				if err == nil {
					err = instance.CheckExact(t, c, norm, in.Query, r, truth)
				}
				if err != nil {
					t.Fatalf("instance %d: %v\n%+v", number, err, in)
				}
				compared++
			}
			if compared < 5000 {
				t.Errorf("%d instances compared, want 5000", compared)
			}
		})
	}
}

// TestManyRivals compares the search of 1-NN on sets of a few hundred rows, more than it
// looks at first, with the projection on every cell; some of them with the oracle, too.
func TestManyRivals(t *testing.T) {
	t.Parallel()
	for _, norm := range instance.Norms() {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			for number := range uint64(instance.Count(12, 150)) { // each kind of instance, below
				rng := rand.New(rand.NewPCG(number, 900+uint64(norm)))
				dim, n := 1+rng.IntN(4), 120+rng.IntN(300)
				in := instance.Neighbors{Query: make([]float64, dim)}
				side := math.Ceil(math.Pow(float64(n), 1/float64(dim)))
				draw := func() float64 {
					if number%2 == 0 { // a grid, with ties
						return math.Floor(rng.Float64() * side)
					}
					return rng.NormFloat64()
				}
				// The other class is rare and far away, or everywhere.
				rare := number%3 == 0
				for range n {
					p := make([]float64, dim)
					for j := range p {
						p[j] = draw()
					}
					label := rng.IntN(2)
					if rare {
						label = 0
						if p[0] > 0.8*side || p[0] > 2 {
							label = 1
						}
					}
					in.X, in.Y = append(in.X, p), append(in.Y, label)
				}
				in.Y[0] = 1
				for j := range in.Query {
					in.Query[j] = draw()
				}
				if number%4 >= 2 { // a domain that holds few of the rows
					for _, v := range in.Query {
						in.Box = append(in.Box, polytope.Interval{
							Lo:     v - 0.3,
							Hi:     v + 1.3,
							LoOpen: number%8 > 5,
							HiOpen: number%8 > 5,
						})
					}
				}
				c := in.KNN(t, 1)
				o := attack.Options{Norm: norm, Domain: in.Box, Workers: 1}
				r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(),
					in.Query)
				if err != nil {
					t.Fatalf("instance %d: %v", number, err)
				}
				truth, err := (&attack.RegionBased{
					Classifier: instance.Listed{Decomposable: c},
					Options:    o,
				}).Perturb(t.Context(), in.Query)
				if err != nil {
					t.Fatalf("instance %d, through Cells: %v", number, err)
				}
				if err := instance.CheckExact(t, c, norm, in.Query, r, truth.Distance); err != nil {
					t.Fatalf("instance %d, n = %d, dim = %d, box %v: %v",
						number, n, dim, in.Box, err)
				}
				if number%5 == 1 && dim < 3 {
					goal, _ := in.Goal(c)
					want := oracle.CellsKNN(oracle.Norm(norm), in.X, in.Y, 1, in.Query, goal,
						in.OracleBox())
					if err := instance.CheckExact(t, c, norm, in.Query, r, want); err != nil {
						t.Fatalf("instance %d, n = %d, dim = %d: %v", number, n, dim, err)
					}
				}
			}
		})
	}
}

// A candidate with an equal rival before it looks like an answer at distance 0, beyond
// which everything is put off. The search goes on all the same.
func TestForeseenInVain(t *testing.T) {
	t.Parallel()
	rows := mat.NewDense(4, 2, []float64{1, 0, 1, 0, 4, 0, -6, 0})
	for _, norm := range instance.Norms() {
		c, err := classifier.TrainKNN(t.Context(), rows, []int{0, 1, 1, 1},
			classifier.KNNOptions{K: 1})
		if err != nil {
			t.Fatal(err)
		}
		a := &attack.RegionBased{Classifier: c, Options: attack.Options{Norm: norm, Workers: 1}}
		r, err := a.Perturb(t.Context(), []float64{0, 0})
		if err != nil || !r.Optimal() || math.Abs(r.Distance-2.5) > 1e-9 {
			t.Errorf("norm %v: distance %v, proven %t, %v, want 2.5",
				norm, r.Distance, r.Optimal(), err)
		}
	}
}
