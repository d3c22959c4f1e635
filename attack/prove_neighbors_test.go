package attack_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestProveNeighbors proves the known bounds of the paper's k-NN, on all rows and on those that
// pruning keeps.
func TestProveNeighbors(t *testing.T) {
	t.Parallel()
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		t.Parallel()
		kept := instance.Dense(rowsOf(c, c.Split(t).Pruned["0.3"].Keep))
		var labels []int
		for _, i := range c.Split(t).Pruned["0.3"].Keep {
			labels = append(labels, c.Set.TrainY[i])
		}
		for _, k := range []int{1, 3, 5} {
			bytes, proofs := 0, 0
			all, pruned := saved(t, instance.Voters(t, c, k)), saved(t,
				instance.KNN(t, kept, labels, k))
			points := c.Points(t)[map[int]string{1: "1nn", 3: "3nn", 5: "3nn"}[k]].X
			for _, norm := range instance.Norms() {
				for _, x := range points[:instance.Count(1, len(points))] {
					for _, n := range []*notary{all, pruned} {
						r, text := n.prove(t, attack.Options{Norm: norm, Workers: 1}, x)
						if !r.Optimal() {
							t.Errorf("k = %d, norm %v, x = %v: %+v, want a proof", k, norm, x, r)
						}
						bytes, proofs = bytes+len(text), proofs+1
					}
				}
			}
			if k <= 3 && bytes > 20000*proofs {
				t.Errorf("k = %d: %d proofs take %d bytes", k, proofs, bytes)
			}
		}
	})
}

func rowsOf(c fixture.Case, keep []int) (rows [][]float64) {
	for _, i := range keep {
		rows = append(rows, c.Set.Train.RawRowView(i))
	}
	return rows
}

// TestProveSmallNeighbors proves bounds of small random instances: grids, duplicates, ties,
// targets, domains, also flat ones, units, limits.
func TestProveSmallNeighbors(t *testing.T) {
	t.Parallel()
	finite, infinite, unproven := 0, 0, 0
	for number := range uint64(instance.Count(250, 10000)) {
		rng := rand.New(rand.NewPCG(number, 303))
		in, hard := drawNeighbors(rng)
		o := attack.Options{
			Norm:    instance.Norms()[number%3],
			Target:  in.Target,
			Domain:  in.Box,
			Workers: 1,
		}
		switch rng.IntN(6) {
		case 0:
			o.MaxNodes = 1 + rng.IntN(20)
		case 1:
			o.Workers = 2
		}
		n := saved(t, in.KNN(t, 1+rng.IntN(min(6, len(in.X)))))
		a := &attack.RegionBased{Classifier: n.c, Options: o}
		r, err := instance.Prove(t.Context(), a, in.Query, io.Discard)
		switch {
		case errors.Is(err, attack.ErrTarget), errors.Is(err, classifier.ErrOption):
			continue
		case hard && errors.Is(err, attack.ErrUnproven):
			unproven++
			continue
		case err != nil:
			t.Fatalf("instance %d, %+v, %+v: %+v, %v", number, o, in, r, err)
		}
		n.prove(t, o, in.Query)
		if math.IsInf(r.Bound, 1) {
			infinite++
		} else {
			finite++
		}
	}
	t.Logf("%d proofs of a bound, %d of none, %d not proven", finite, infinite, unproven)
	if few := racetest.Enabled; unproven*100 > infinite || !few && (finite < 80 || infinite < 20) {
		t.Errorf("%d proofs of a bound, %d of none, %d not proven", finite, infinite, unproven)
	}
}

// drawNeighbors draws an instance, and says whether its bound may have no proof: where a domain
// leaves a feature one value rows may tie in all of it, and where a grid was moved they tie but for
// rounding.
func drawNeighbors(rng *rand.Rand) (in instance.Neighbors, hard bool) {
	in = instance.DrawNeighbors(rng)
	switch rng.IntN(8) {
	case 0:
		in = instance.DrawPoints(rng, 4+rng.IntN(10), 2+rng.IntN(2))
	case 1:
		in, hard = in.Moved([]float64{1e-9, 3, 1e8}[rng.IntN(3)],
			[]float64{0, 1000, 0.1}[rng.IntN(3)]), true
	case 2:
		if hard = in.Box != nil; hard {
			j, v := rng.IntN(len(in.Box)), float64(rng.IntN(3)-1)
			in.Box[j] = polytope.Interval{Lo: v, Hi: v}
		}
	}
	return in, hard
}

// TestProveNeighborsAt: radii that hold, limits and deadlines.
func TestProveNeighborsAt(t *testing.T) {
	t.Parallel()
	c := fixture.Halfmoon(t)
	points := c.Points(t)["3nn"].X
	proven := 0
	for _, k := range []int{1, 3} {
		n := saved(t, instance.Voters(t, c, k))
		for i, x := range points[:instance.Count(4, 40)] {
			o := attack.Options{Norm: instance.Norms()[i%3]}
			r, _ := n.prove(t, o, x)
			for _, radius := range []float64{r.Bound / 2, math.Nextafter(r.Bound, 0), 2 * r.Bound} {
				var w bytes.Buffer
				a := &attack.RegionBased{Classifier: n.c, Options: o}
				verdict, err := instance.ProveRobustAt(t.Context(), a, x, radius, &w)
				robust := verdict == attack.Holds
				if err != nil || robust != (radius < r.Bound) || robust != (w.Len() > 0) {
					t.Fatalf("k = %d, radius %v of %v: %t, %d bytes, %v",
						k, radius, r.Bound, robust, w.Len(), err)
				}
				if robust {
					n.check(t, o, x, attack.Result{Bound: math.Nextafter(radius, 1)}, w.Bytes())
				}
			}
			for _, limited := range []attack.Options{
				{Norm: o.Norm, Workers: 1, MaxNodes: 5}, {
					Norm:    o.Norm,
					Timeout: 100 * time.Microsecond,
				},
			} {
				if r, text := n.prove(t, limited, x); !r.Optimal() && len(text) > 0 {
					proven++
				}
			}
		}
	}
	if proven < 2 {
		t.Errorf("%d proofs of bounds at limits, want more", proven)
	}
}

// TestProveWeightedNeighbors: votes that count differently have no proofs yet.
func TestProveWeightedNeighbors(t *testing.T) {
	x := instance.Dense([][]float64{{0}, {1}})
	c, err := classifier.TrainWeightedKNN(t.Context(), x, []int{0, 1},
		classifier.KNNOptions{K: 1})
	if err != nil {
		t.Fatal(err)
	}
	a := &attack.RegionBased{Classifier: c}
	_, err = instance.Prove(t.Context(), a, []float64{0}, io.Discard)
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v, want errors.ErrUnsupported", err)
	}
}
