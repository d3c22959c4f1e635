package orderk_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// TestExactMoreNeighborsAgainstBruteForce compares k-NN, k > 1, with a search
// through every set of k rows. Every sixth instance goes through a Solver.
func TestExactMoreNeighborsAgainstBruteForce(t *testing.T) {
	compareMany(t, 2, 7, false)
}

// TestExactSharesAgainstBruteForce asks for shares of a label, where fewer votes than half are
// enough, or more are needed.
func TestExactSharesAgainstBruteForce(t *testing.T) {
	compareMany(t, 1, 9, true)
}

// compareMany compares some hundred instances in each norm.
func compareMany(t *testing.T, least, most int, shares bool) {
	t.Parallel()
	for _, norm := range instance.Norms() {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			want := instance.Count(250, 5000)
			compared := 0
			for number := uint64(0); compared < want; number++ {
				ok, err := compareMoreNeighbors(t, norm, number, least, most, shares)
				if err != nil {
					t.Fatalf("instance %d: %v", number, err)
				}
				if ok {
					compared++
				}
			}
		})
	}
}

// TestExactManyVotes compares with brute force where so many votes are needed that
// the first answer is walked to.
func TestExactManyVotes(t *testing.T) {
	t.Parallel()
	for _, norm := range instance.Norms() {
		compared := 0
		for number := uint64(0); compared < racetest.Scale(150); number++ {
			ok, err := compareMoreNeighbors(t, norm, number, 9, 11, false)
			if err != nil {
				t.Fatalf("norm %v, instance %d: %v", norm, number, err)
			}
			if ok {
				compared++
			}
		}
	}
}

// manySets is the number of sets of k rows from which on brute force is slow, and
// only every fifth such instance is compared.
const manySets = 200

// compareMoreNeighbors draws an instance and compares; false if it is left out or
// the query has the target label already.
func compareMoreNeighbors(
	t *testing.T, norm polytope.Norm, number uint64, fewest, most int, above bool,
) (bool, error) {
	t.Helper()
	rng := rand.New(rand.NewPCG(number, 400+uint64(norm)))
	in := instance.DrawNeighbors(rng)
	k := min(fewest+rng.IntN(most-fewest+1), len(in.X))
	if number%5 > 0 && sets(len(in.X), k) > manySets {
		return false, nil
	}
	c, vote := in.KNN(t, k), oracle.Plurality(in.Y)
	if above {
		c, vote = in.Above(t, rng, k)
	}
	goal, ok := in.Goal(c)
	if !ok {
		return false, nil
	}
	truth := oracle.CellsVote(oracle.Norm(norm), in.X, vote, k, in.Query, goal, in.OracleBox())
	o := attack.Options{Norm: norm, Target: in.Target, Domain: in.Box, Workers: 1}
	if number%6 == 0 {
		o.Solver = instance.Solver(native.Solver{}.Closest)
	}
	r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), in.Query)
	if err == nil {
		err = instance.CheckExact(t, c, norm, in.Query, r, truth)
	}
	if err != nil {
		err = fmt.Errorf("k = %d: %w\n%+v", k, err, in)
	}
	return true, err
}

// sets returns the number of sets of k of n rows.
func sets(n, k int) int {
	count := 1
	for i := range k {
		count = count * (n - i) / (i + 1)
	}
	return count
}

// TestExactThreeNeighbors compares the radii of 3-NN with an independent program's.
func TestExactThreeNeighbors(t *testing.T) {
	t.Parallel()
	means := map[string][2]float64{ // as printed, in ℓ∞ and ℓ2
		"australian": {.1937, .3405}, "cancer": {.1510, .3614}, "diabetes": {.0408, .0858},
		"fourclass": {.0826, .0987}, "halfmoon": {.0725, .0825},
	}
	fixture.Each(t, func(t *testing.T, s fixture.Case) {
		points, exact := s.Points(t)["3nn"].X, s.Exact(t)
		c, err := classifier.TrainKNN(t.Context(), s.Set.Train, s.Set.TrainY,
			classifier.KNNOptions{K: 3})
		if err != nil {
			t.Fatal(err)
		}
		for i, norm := range []polytope.Norm{polytope.LInf, polytope.L2} {
			a := &attack.RegionBased{Classifier: c, Options: attack.Options{Norm: norm, Workers: 1}}
			var sum float64
			for number, want := range exact["3nn_"+norm.String()] {
				r, err := a.Perturb(t.Context(), points[number])
				if err != nil {
					t.Fatal(err)
				}
				// The fixtures are good to 1e-8.
				if !r.Optimal() || math.Abs(r.Distance-want) > 1e-8 || r.Bound > r.Distance ||
					c.Predict(r.Example) != r.Label {
					t.Errorf("norm %v, point %d: %+v, want %v", norm, number, r, want)
				}
				sum += r.Distance
			}
			if mean := sum / float64(len(points)); math.Abs(mean-means[s.Set.Name][i]) > 5.1e-5 {
				t.Errorf("norm %v: mean %.5f, want %v", norm, mean, means[s.Set.Name][i])
			}
		}
	})
}

// TestMoreNeighborsAreProven solves points of the five sets for k = 5 and 7: each
// to a proof, in the order of the norms.
func TestMoreNeighborsAreProven(t *testing.T) {
	t.Parallel()
	fixture.Each(t, func(t *testing.T, s fixture.Case) {
		points := s.Points(t)["3nn"].X
		for _, k := range []int{5, 7} {
			c, err := classifier.TrainKNN(t.Context(), s.Set.Train, s.Set.TrainY,
				classifier.KNNOptions{K: k})
			if err != nil {
				t.Fatal(err)
			}
			for number, x := range points[:instance.Count(1, 10)] {
				var radius [3]float64
				for _, norm := range instance.Norms() {
					a := &attack.RegionBased{Classifier: c, Options: attack.Options{Norm: norm}}
					r, err := a.Perturb(t.Context(), x)
					if err != nil {
						t.Fatal(err)
					}
					if !r.Optimal() || r.Distance-r.Bound > 1e-9 ||
						c.Predict(r.Example) == c.Predict(x) {
						t.Errorf("k = %d, norm %v, point %d: %+v", k, norm, number, r)
					}
					radius[norm] = r.Distance
				}
				if radius[polytope.LInf] > radius[polytope.L2]+1e-9 ||
					radius[polytope.L2] > radius[polytope.L1]+1e-9 {
					t.Errorf("k = %d, point %d: radii %v by norm", k, number, radius)
				}
			}
		}
	})
}

// TestMoreNeighborsDoNotDependOnWorkers compares everything but the counters on
// grids, where many answers are equally near.
func TestMoreNeighborsDoNotDependOnWorkers(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(30, 200)) {
		compareWorkers(t, number, 1, 1, 2, 8)
	}
}

// TestMoreNeighborsOnABorder: at a point with answers at distance 0, one is often
// found while another worker has yet to come to the first of them.
func TestMoreNeighborsOnABorder(t *testing.T) {
	for range racetest.Scale(50) {
		compareWorkers(t, 28, 1, 2, 8)
	}
}

// compareWorkers attacks an instance with several numbers of workers.
func compareWorkers(t *testing.T, number uint64, workers ...int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(number, 500))
	k := 2 + rng.IntN(5)
	in := instance.DrawPoints(rng, 8+rng.IntN(40), 2+rng.IntN(3))
	c, norm := in.KNN(t, k), instance.Norms()[number%3]
	var first attack.Result
	for run, workers := range workers {
		r, err := (&attack.RegionBased{
			Classifier: c,
			Options:    attack.Options{Norm: norm, Workers: workers},
		}).Perturb(t.Context(), in.Query)
		if err != nil {
			t.Fatalf("instance %d, %d workers: %v", number, workers, err)
		}
		r.Nodes, r.Solves = 0, 0
		if run == 0 {
			first = r
		} else if !reflect.DeepEqual(r, first) {
			t.Fatalf("instance %d: %+v with %d workers, %+v with one", number, r, workers, first)
		}
	}
}

// TestMoreNeighborsWithinLimits: a search that is cut short returns an interval
// around the radius, and a longer one no wider interval.
func TestMoreNeighborsWithinLimits(t *testing.T) {
	s := fixture.Halfmoon(t)
	c, err := classifier.TrainKNN(t.Context(), s.Set.Train, s.Set.TrainY,
		classifier.KNNOptions{K: 7})
	if err != nil {
		t.Fatal(err)
	}
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	for number, x := range s.Points(t)["3nn"].X[:8] {
		norm := instance.Norms()[number%3]
		a := &attack.RegionBased{Classifier: c, Options: attack.Options{Norm: norm}}
		full, err := a.Perturb(t.Context(), x)
		if err != nil || !full.Optimal() {
			t.Fatalf("point %d: %+v, %v", number, full, err)
		}
		before := attack.Result{Distance: math.Inf(1)}
		for _, nodes := range []int{1, 10, 50, 200, 1000} {
			a := &attack.RegionBased{
				Classifier: c,
				Options:    attack.Options{Norm: norm, MaxNodes: nodes, Workers: 1},
			}
			r, err := a.Perturb(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			if r.Example == nil || c.Predict(r.Example) == c.Predict(x) {
				t.Errorf("point %d, %d nodes: no adversarial example: %+v", number, nodes, r)
			}
			if r.Bound > full.Distance || r.Distance < full.Bound || r.Bound < before.Bound ||
				r.Distance > before.Distance {
				t.Errorf("point %d, %d nodes: %+v after %+v, radius %v",
					number, nodes, r, before, full.Distance)
			}
			before = r
		}
		if r, err := a.Perturb(late, x); err != nil || r.Optimal() || r.Bound > full.Distance {
			t.Errorf("point %d, no time: %+v, %v", number, r, err)
		}
	}
}

// TestMoreNeighborsByHand are cases with known answers.
func TestMoreNeighborsByHand(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		name   string
		x      []float64 // rows on a line
		y      []int
		k      int
		query  float64
		target *int
		domain polytope.Box
		want   float64
	}{
		// Of 0, 2, 10 the row 0 is replaced by 12 at 6.
		{"majority", []float64{0, 2, 10, 12, 14}, []int{0, 0, 1, 1, 1}, 3, 1, nil, nil, 5},
		{"within a domain", []float64{0, 2, 10, 12, 14}, []int{0, 0, 1, 1, 1}, 3, 1, nil,
			polytope.Cube(1, 0, 7), 5},
		{"out of the domain", []float64{0, 2, 10, 12, 14}, []int{0, 0, 1, 1, 1}, 3, 1, nil,
			polytope.Cube(1, 0, 5), inf},
		{"the domain ends at the border", []float64{0, 2, 10, 12, 14}, []int{0, 0, 1, 1, 1}, 3, 1,
			nil, polytope.Cube(1, 0, 6), inf},
		{"x out of the domain", []float64{0, 2, 10, 12, 14}, []int{0, 0, 1, 1, 1}, 3, 1, nil,
			polytope.Cube(1, 8, 9), 7},
		// A tie of the votes goes to label 0, until 2 is replaced by 12 at 7.
		{"tied vote", []float64{0, 2, 10, 12, 14}, []int{1, 0, 1, 1, 1}, 2, 1, nil, nil, 6},
		{"all rows vote", []float64{0, 2, 10, 12, 14}, []int{0, 0, 1, 1, 1}, 5, 1, nil, nil, inf},
		{"one class", []float64{0, 2, 10}, []int{0, 0, 0}, 2, 1, nil, nil, inf},
		{"a label without rows", []float64{0, 2, 10}, []int{0, 0, 2}, 2, 1, new(1), nil, inf},
		// Rows 2 and 3 are equal, so that 3 alone is never near: label 2 never wins.
		{"duplicates in order", []float64{0, 1, 5, 5}, []int{0, 0, 1, 2}, 2, 0, new(2), nil, inf},
		{"duplicates at first", []float64{5, 5, 0, 1}, []int{1, 2, 0, 0}, 2, 0, new(1), nil, 3},
		// {0, 2} is as near as {0, 1} and {1, 2} in the middle only: no interior.
		{"thin cell", []float64{0, 1, 2}, []int{1, 0, 1}, 2, 1, new(1), nil, inf},
		// One vote each goes to label 0; with 9 instead of 0 label 2 has two.
		{"a third label takes a seat", []float64{0, 4, 5, 9}, []int{0, 1, 2, 2}, 3, 3, nil, nil,
			1.5},
		{"a target beats the third label, too", []float64{0, 4, 5, 9, 11, 13},
			[]int{0, 1, 2, 2, 1, 1}, 3, 3, new(1), nil, 6},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := instance.Neighbors{Y: test.y, Query: []float64{test.query}}
			for _, v := range test.x {
				in.X = append(in.X, []float64{v})
			}
			c := in.KNN(t, test.k)
			for _, norm := range instance.Norms() {
				o := attack.Options{Norm: norm, Target: test.target, Domain: test.domain}
				r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(),
					in.Query)
				if err == nil {
					err = instance.CheckExact(t, c, norm, in.Query, r, test.want)
				}
				if err != nil {
					t.Errorf("norm %v: %v", norm, err)
				}
			}
		})
	}
}

// TestMoreNeighborsSolverFails: the error of a solver is passed on.
func TestMoreNeighborsSolverFails(t *testing.T) {
	refusal := errors.New("refused")
	in := instance.Neighbors{
		X:     [][]float64{{0}, {1}, {2}, {3}},
		Y:     []int{0, 0, 1, 1},
		Query: []float64{0},
	}
	refuse := instance.Solver(func(context.Context, polytope.Problem) (polytope.Solution, error) {
		return polytope.Solution{}, refusal
	})
	a := &attack.RegionBased{Classifier: in.KNN(t, 3), Options: attack.Options{Solver: refuse}}
	if r, err := a.Perturb(t.Context(), in.Query); !errors.Is(err, refusal) ||
		!instance.IsNothing(r) {
		t.Errorf("%+v, error %v, want the solver's", r, err)
	}
}

// TestFirstAnswerIsNear: the first answer of a search with many votes, which it returns at once if
// it must, is not much farther than the nearest answer.
func TestFirstAnswerIsNear(t *testing.T) {
	t.Parallel()
	s := fixture.Halfmoon(t)
	c, err := classifier.TrainKNN(t.Context(), s.Set.Train, s.Set.TrainY,
		classifier.KNNOptions{K: 9})
	if err != nil {
		t.Fatal(err)
	}
	points := s.Points(t)["3nn"].X[:4]
	for _, norm := range instance.Norms() {
		var first, nearest float64
		for _, x := range points {
			for _, nodes := range []int{1, 0} {
				a := &attack.RegionBased{
					Classifier: c,
					Options:    attack.Options{Norm: norm, MaxNodes: nodes},
				}
				r, err := a.Perturb(t.Context(), x)
				if err != nil || r.Example == nil {
					t.Fatalf("norm %v, %d nodes: %+v, %v", norm, nodes, r, err)
				}
				if nodes == 1 {
					first += r.Distance
				} else {
					nearest += r.Distance
				}
			}
		}
		if first > 1.25*nearest {
			t.Errorf("norm %v: first answers at a mean of %v, nearest at %v",
				norm, first/4, nearest/4)
		}
	}
}

// TestMoreNeighborsInASliver: rows closer to each other than rounding, in a domain as
// thin, leave programs that can be neither solved nor shown to have no solution. The
// search must end all the same.
func TestMoreNeighborsInASliver(t *testing.T) {
	const gap = 3.963399370294335e-12
	in := instance.Neighbors{
		X: [][]float64{
			{-1.5, -0.5}, {1, -1}, {1, -1 + gap}, {-1.5, -1}, {-gap, -1.5}, {-1.5, 1 - gap},
			{0.5, 1.5},
			{-0.5 + gap, -0.5}, {-1.5 - gap, 0.5}, {0.5, 0.5}, {1 + gap, 0}, {0, -1}, {-0.5, -gap},
			{0.5, -1},
			{0.5, 1}, {2 - gap, 0.5}, {0.5, -1}, {0.5, -1}, {0.5, 0}, {-0.5, -0.5 + gap}, {-1, 1},
			{-1.5 - gap, 0},
		},
		Y:      []int{2, 0, 0, 1, 2, 1, 0, 0, 0, 1, 1, 2, 0, 1, 1, 1, 2, 2, 0, 1, 0, 2},
		Query:  []float64{0, gap},
		Target: new(2),
		Box:    polytope.Box{{Lo: -0.5, Hi: 0.5}, {Lo: 0.25 + gap, Hi: 0.25 + 3*gap}},
	}
	c := in.KNN(t, 15)
	o := attack.Options{Target: in.Target, Domain: in.Box, Workers: 1, MaxNodes: 1000}
	if r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(
		t.Context(), in.Query,
	); err != nil || r.Bound > r.Distance {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestNeighborsInSmallUnits: the bound holds for rows as close to each other as 1e-30,
// and 1e-150.
func TestNeighborsInSmallUnits(t *testing.T) {
	t.Parallel()
	compared := 0
	for number := range uint64(instance.Count(40, 600)) {
		rng := rand.New(rand.NewPCG(number, 48))
		in := instance.DrawNeighbors(rng)
		k := 1 + rng.IntN(min(len(in.X), 4))
		norm := instance.Norms()[rng.IntN(3)]
		goal, ok := in.Goal(in.KNN(t, k))
		if !ok || goal(in.KNN(t, k).Predict(in.Query)) {
			continue
		}
		o := attack.Options{Norm: norm, Target: in.Target, Domain: in.Box, Workers: 1}
		want, err := (&attack.RegionBased{Classifier: in.KNN(t, k), Options: o}).Perturb(
			t.Context(), in.Query,
		)
		if err != nil || want.Distance < 1e-9 {
			continue
		}
		for _, unit := range []float64{0x1p-100, 0x1p-500} {
			small := in.Moved(unit, 0)
			o.Domain = small.Box
			r, err := (&attack.RegionBased{Classifier: small.KNN(t, k), Options: o}).Perturb(
				t.Context(), small.Query,
			)
			if err == nil && r.Bound/unit > want.Distance*(1+1e-9) {
				t.Errorf("instance %d, k = %d, in units of %v: %+v, %+v in those of 1",
					number, k, unit, r, want)
			}
			compared++
		}
	}
	if compared < instance.Count(40, 600) {
		t.Errorf("%d instances compared", compared)
	}
}
