package attack_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

var norms = instance.Norms()

func TestPerturbErrors(t *testing.T) {
	knn := instance.Line(t, 0, 1)
	x := []float64{0}
	nan := math.NaN()
	refusal := errors.New("refused")
	refuse := instance.Solver(func(context.Context, polytope.Problem) (polytope.Solution, error) {
		return polytope.Solution{}, refusal
	})
	points := func(v ...float64) mat.Matrix { return mat.NewDense(1, len(v), v) }
	tests := []struct {
		name string
		a    *attack.RegionBased
		x    []float64
		want error
	}{
		{"no classifier", &attack.RegionBased{}, x, attack.ErrClassifier},
		{"norm 4", &attack.RegionBased{Classifier: knn, Options: attack.Options{Norm: 4}}, x,
			polytope.ErrNorm},
		{"norm -1", &attack.RegionBased{Classifier: knn, Options: attack.Options{Norm: -1}}, x,
			polytope.ErrNorm},
		{"mode 2", &attack.RegionBased{Classifier: knn, Options: attack.Options{Mode: 2}}, x,
			classifier.ErrOption},
		{"mode -1", &attack.RegionBased{Classifier: knn, Options: attack.Options{Mode: -1}}, x,
			classifier.ErrOption},
		{"target -1",
			&attack.RegionBased{Classifier: knn, Options: attack.Options{Target: new(-1)}}, x,
			classifier.ErrOption},
		{"target 2 of 2",
			&attack.RegionBased{Classifier: knn, Options: attack.Options{Target: new(2)}}, x,
			classifier.ErrOption},
		{"target reached",
			&attack.RegionBased{Classifier: knn, Options: attack.Options{Target: new(0)}}, x,
			attack.ErrTarget},
		{"workers -1", &attack.RegionBased{Classifier: knn, Options: attack.Options{Workers: -1}},
			x, classifier.ErrOption},
		{"timeout -1", &attack.RegionBased{Classifier: knn, Options: attack.Options{Timeout: -1}},
			x, classifier.ErrOption},
		{"nodes -1", &attack.RegionBased{Classifier: knn, Options: attack.Options{MaxNodes: -1}}, x,
			classifier.ErrOption},
		{"memory -1", &attack.RegionBased{Classifier: knn, Options: attack.Options{MaxMemory: -1}},
			x, classifier.ErrOption},
		{"regions -1", &attack.RegionBased{Classifier: knn, Options: attack.Options{Regions: -1}},
			x, classifier.ErrOption},
		{"nil solver",
			&attack.RegionBased{
				Classifier: knn,
				Options:    attack.Options{Solver: (*native.Solver)(nil)},
			}, x, classifier.ErrOption},
		{"gap -1", &attack.RegionBased{Classifier: knn, Options: attack.Options{Gap: -1}}, x,
			classifier.ErrOption},
		{"gap NaN", &attack.RegionBased{Classifier: knn, Options: attack.Options{Gap: nan}}, x,
			classifier.ErrOption},
		{"gap Inf", &attack.RegionBased{Classifier: knn, Options: attack.Options{Gap: math.Inf(1)}},
			x, classifier.ErrOption},
		{"domain of two intervals",
			&attack.RegionBased{
				Classifier: knn,
				Options:    attack.Options{Domain: polytope.NewBox(2)},
			}, x, polytope.ErrDimension},
		{"domain of none",
			&attack.RegionBased{Classifier: knn, Options: attack.Options{Domain: polytope.Box{}}},
			x, polytope.ErrDimension},
		{"domain NaN",
			&attack.RegionBased{
				Classifier: knn,
				Options:    attack.Options{Domain: polytope.Box{{Lo: nan, Hi: 1}}},
			}, x, polytope.ErrNotFinite},
		{"domain empty",
			&attack.RegionBased{
				Classifier: knn,
				Options:    attack.Options{Domain: polytope.Box{{Lo: 1, Hi: 0}}},
			}, x, classifier.ErrOption},
		{"domain open and empty",
			&attack.RegionBased{
				Classifier: knn,
				Options:    attack.Options{Domain: polytope.Box{{Lo: 1, Hi: 1, HiOpen: true}}},
			}, x, classifier.ErrOption},
		{"x nil", &attack.RegionBased{Classifier: knn}, nil, polytope.ErrDimension},
		{"x too long", &attack.RegionBased{Classifier: knn}, []float64{0, 0},
			polytope.ErrDimension},
		{"x NaN", &attack.RegionBased{Classifier: knn}, []float64{nan}, polytope.ErrNotFinite},
		{"x Inf", &attack.RegionBased{Classifier: knn}, []float64{math.Inf(-1)},
			polytope.ErrNotFinite},
		{"exact without cells", &attack.RegionBased{Classifier: instance.Opaque{Classifier: knn}},
			x, attack.ErrClassifier},
		{"approx without cells",
			&attack.RegionBased{
				Classifier: instance.Opaque{Classifier: knn},
				Points:     points(1),
				Options:    attack.Options{Mode: attack.Approx},
			}, x, attack.ErrClassifier},
		{"approx without points",
			&attack.RegionBased{
				Classifier: instance.Listed{Decomposable: knn},
				Options:    attack.Options{Mode: attack.Approx},
			}, x, classifier.ErrEmpty},
		{"approx with no points",
			&attack.RegionBased{
				Classifier: knn,
				Points:     &mat.Dense{},
				Options:    attack.Options{Mode: attack.Approx},
			}, x, classifier.ErrEmpty},
		{"approx with nil points",
			&attack.RegionBased{
				Classifier: knn,
				Points:     (*mat.Dense)(nil),
				Options:    attack.Options{Mode: attack.Approx},
			}, x, classifier.ErrEmpty},
		{"approx with NaN points",
			&attack.RegionBased{
				Classifier: knn,
				Points:     points(nan),
				Options:    attack.Options{Mode: attack.Approx},
			}, x, classifier.ErrEmpty},
		{"approx with long points",
			&attack.RegionBased{
				Classifier: knn,
				Points:     points(1, 2),
				Options:    attack.Options{Mode: attack.Approx},
			}, x, polytope.ErrDimension},
		{"a solver that fails, 1-NN",
			&attack.RegionBased{Classifier: knn, Options: attack.Options{Solver: refuse}}, x,
			refusal},
		{"a solver that fails, cells",
			&attack.RegionBased{
				Classifier: instance.Listed{Decomposable: knn},
				Options:    attack.Options{Solver: refuse},
			}, x, refusal},
		{"a solver that fails, approx",
			&attack.RegionBased{
				Classifier: knn,
				Options:    attack.Options{Solver: refuse, Mode: attack.Approx},
			}, x, refusal},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			instance.CheckRefused(t, test.a, test.x, test.want)
		})
	}
}

// TestNothingAdversarial: the search ends with the proof that no example exists.
func TestNothingAdversarial(t *testing.T) {
	oneClass := instance.Line(t, 0, 0, 0)
	leaf, err := classifier.NewTree(1, classifier.AtMostFloat32,
		[]classifier.TreeNode{{Left: -1, Right: -1, Value: []float64{0, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		c    classifier.Classifier
		o    attack.Options
	}{
		{"1-NN of one class", oneClass, attack.Options{}},
		{"cells of one class", instance.Listed{Decomposable: oneClass}, attack.Options{}},
		{"a tree without splits", leaf, attack.Options{}},
		{"a target that no row holds", instance.Line(t, 0, 2), attack.Options{Target: new(1)}},
		{"cells of a target that no row holds",
			instance.Listed{Decomposable: instance.Line(t, 0, 2)}, attack.Options{Target: new(1)}},
		{"a domain within the cell", instance.Line(t, 0, 1), attack.Options{
			Domain: polytope.Cube(1, -1, 0.4),
		}},
		{"a domain within the cell, cells", instance.Listed{Decomposable: instance.Line(t, 0, 1)},
			attack.Options{Domain: polytope.Cube(1, -1, 0.4)}},
		{"a domain that ends on the border", instance.Line(t, 0, 1), attack.Options{
			Domain: polytope.Box{{Lo: -1, Hi: 0.5, HiOpen: true}},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, norm := range norms {
				for _, workers := range []int{1, 3} {
					o := test.o
					o.Norm, o.Workers = norm, workers
					r, err := (&attack.RegionBased{Classifier: test.c, Options: o}).Perturb(
						t.Context(), []float64{0},
					)
					if err != nil {
						t.Fatal(err)
					}
					if !r.Optimal() || r.Example != nil || r.Label != -1 ||
						!math.IsInf(r.Bound, 1) || !math.IsInf(r.Distance, 1) {
						t.Errorf("norm %v: %+v, want the proof that there is no example", norm, r)
					}
				}
			}
		})
	}
}

// TestResultsDoNotDependOnWorkers compares everything but the counters.
func TestResultsDoNotDependOnWorkers(t *testing.T) {
	t.Parallel()
	families := []struct {
		name   string
		trials int
		make   func(*rand.Rand) (classifier.Classifier, []float64)
	}{
		{"1-NN", 600, func(rng *rand.Rand) (classifier.Classifier, []float64) {
			in := instance.DrawPoints(rng, 10+rng.IntN(60), 2+rng.IntN(3))
			return in.KNN(t, 1), in.Query
		}},
		{"tree", 600, func(rng *rand.Rand) (classifier.Classifier, []float64) {
			in := instance.DrawTree(t, rng)
			return in.Tree, in.Query
		}},
		{"cells", 500, func(rng *rand.Rand) (classifier.Classifier, []float64) {
			k := 2 + rng.IntN(2)
			in := instance.DrawPoints(rng, 11+rng.IntN(6), 2+rng.IntN(3))
			return instance.Listed{Decomposable: in.KNN(t, k)}, in.Query
		}},
	}
	for _, family := range families {
		t.Run(family.name, func(t *testing.T) {
			t.Parallel()
			found := 0
			for number := range uint64(instance.Count(family.trials/5, family.trials)) {
				rng := rand.New(rand.NewPCG(number, 300))
				c, x := family.make(rng)
				norm := norms[number%3]
				var first attack.Result
				for run, workers := range []int{1, 1, 2, 8, 8} {
					r, err := (&attack.RegionBased{
						Classifier: c,
						Options:    attack.Options{Norm: norm, Workers: workers},
					}).Perturb(t.Context(), x)
					if err != nil {
						t.Fatalf("instance %d, %d workers: %v", number, workers, err)
					}
					r.Nodes, r.Solves = 0, 0
					if run == 0 {
						first = r
					}
					if !reflect.DeepEqual(r, first) {
						t.Fatalf("instance %d, norm %v, %d workers: %+v, want %+v",
							number, norm, workers, r, first)
					}
				}
				if first.Example != nil {
					found++
				}
			}
			if found < instance.Count(family.trials/5, family.trials)/2 {
				t.Errorf("%d examples in %d instances, want more", found, family.trials)
			}
		})
	}
}

// subjects are classifiers that take some searching, each with a point to attack.
func subjects(t *testing.T) map[string]struct {
	c classifier.Classifier
	x []float64
} {
	t.Helper()
	rng := rand.New(rand.NewPCG(9, 9))
	x, y := blobs(rng, 300, 4)
	few, fewY := blobs(rng, 18, 3)
	var in instance.Neighbors
	for i := range fewY {
		in.X, in.Y, in.Query = append(in.X, few.RawRowView(i)), append(in.Y,
			fewY[i]), make([]float64, 3)
	}
	tree, err := classifier.TrainTree(t.Context(), x, y, classifier.TreeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	type subject = struct {
		c classifier.Classifier
		x []float64
	}
	return map[string]subject{
		"1-NN":  {neighbors(t, x, y), x.RawRowView(0)},
		"tree":  {tree, x.RawRowView(1)},
		"cells": {instance.Listed{Decomposable: in.KNN(t, 3)}, in.X[0]},
	}
}

func TestLimitsGiveValidIntervals(t *testing.T) {
	for name, s := range subjects(t) {
		t.Run(name, func(t *testing.T) {
			truth := instance.Radius(t, s.c, s.x)
			perturb := func(o attack.Options) attack.Result {
				t.Helper()
				r, err := (&attack.RegionBased{Classifier: s.c, Options: o}).Perturb(t.Context(),
					s.x)
				if err != nil {
					t.Fatal(err)
				}
				instance.CheckInterval(t, s.c, s.x, r, truth)
				return r
			}
			for _, workers := range []int{1, 4} {
				last, early := attack.Result{Distance: math.Inf(1)}, 0
				for nodes := 1; ; nodes += 1 + nodes/8 {
					r := perturb(attack.Options{MaxNodes: nodes, Workers: workers})
					if r.Nodes > nodes {
						t.Fatalf("%d nodes, at most %d wanted", r.Nodes, nodes)
					}
					if workers == 1 && (r.Bound < last.Bound || r.Distance > last.Distance) {
						t.Errorf("%d nodes: %v ≤ radius ≤ %v, worse than %v, %v",
							nodes, r.Bound, r.Distance, last.Bound, last.Distance)
					}
					if last = r; r.Optimal() {
						break
					}
					early++
				}
				if early < 3 {
					t.Errorf("%d workers: only %d limits ended the search early", workers, early)
				}
				for _, timeout := range []time.Duration{
					1, 50 * time.Microsecond, 300 * time.Microsecond, time.Hour,
				} {
					r := perturb(attack.Options{Timeout: timeout, Workers: workers})
					if timeout == 1 && (r.Optimal() || r.Example != nil) {
						t.Errorf("a nanosecond was enough: %+v", r)
					}
					if timeout == time.Hour && !r.Optimal() {
						t.Errorf("an hour was too short: %+v", r)
					}
				}
				for gap := truth * 4; gap > truth/100; gap /= 2 {
					if r := perturb(
						attack.Options{Gap: gap, Workers: workers},
					); r.Distance-r.Bound > gap*(1+1e-9) {
						t.Errorf("gap %v: %v ≤ radius ≤ %v", gap, r.Bound, r.Distance)
					}
				}
				if r := perturb(attack.Options{Gap: truth * 4, Workers: workers}); name ==
					"cells" && r.Optimal() {
					t.Errorf("gap %v did not end the search early", truth*4)
				}
			}
		})
	}
}

func TestCancelledContext(t *testing.T) {
	for name, s := range subjects(t) {
		t.Run(name, func(t *testing.T) {
			truth := instance.Radius(t, s.c, s.x)
			for _, workers := range []int{1, 4} {
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				r, err := (&attack.RegionBased{
					Classifier: s.c,
					Options:    attack.Options{Workers: workers},
				}).Perturb(ctx, s.x)
				if !errors.Is(err, context.Canceled) {
					t.Errorf("error = %v, want context.Canceled", err)
				}
				instance.CheckInterval(t, s.c, s.x, r, truth)
				if r.Optimal() {
					t.Errorf("optimal without a search: %+v", r)
				}

				// A deadline is not an error.
				ctx, cancel = context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
				r, err = (&attack.RegionBased{
					Classifier: s.c,
					Options:    attack.Options{Workers: workers},
				}).Perturb(ctx, s.x)
				cancel()
				if err != nil {
					t.Errorf("error after the deadline = %v, want none", err)
				}
				instance.CheckInterval(t, s.c, s.x, r, truth)
			}
		})
	}
}

// TestCancelledWhileSolving cancels at the n-th program.
func TestCancelledWhileSolving(t *testing.T) {
	subjects := subjects(t)
	for _, name := range []string{"1-NN", "cells"} {
		s := subjects[name]
		t.Run(name, func(t *testing.T) {
			truth := instance.Radius(t, s.c, s.x)
			for n := int64(1); n <= 4; n++ {
				for _, workers := range []int{1, 4} {
					ctx, cancel := context.WithCancel(t.Context())
					var calls atomic.Int64
					native := native.Solver{}
					stopping := instance.Solver(func(
						ctx context.Context, p polytope.Problem,
					) (polytope.Solution, error) {
						if calls.Add(1) == n {
							cancel()
						}
						return native.Closest(ctx, p)
					})
					r, err := (&attack.RegionBased{
						Classifier: s.c,
						Options:    attack.Options{Workers: workers, Solver: stopping},
					}).Perturb(ctx, s.x)
					cancel()
					if calls.Load() < n {
						continue // it was over before
					}
					if !errors.Is(err, context.Canceled) {
						t.Errorf("cancelled at program %d: error = %v, want context.Canceled",
							n, err)
					}
					instance.CheckInterval(t, s.c, s.x, r, truth)
				}
			}
		})
	}
}

// TestSolverThatGivesUp: a solver may stop though the context goes on. That is no proof.
func TestSolverThatGivesUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	x, y := blobs(rng, 40, 2)
	for _, c := range []classifier.Classifier{
		neighbors(t, x, y), instance.Listed{Decomposable: neighbors(t, x, y)},
	} {
		for _, k := range []int64{1, 2, 3} {
			for _, margin := range []bool{false, true} {
				native := native.Solver{}
				var calls atomic.Int64
				lazy := instance.Solver(func(
					ctx context.Context, p polytope.Problem,
				) (polytope.Solution, error) {
					if (p.Margin > 0) == margin && calls.Add(1)%k == 0 {
						return polytope.Solution{
							Status:   polytope.StatusStopped,
							Distance: math.Inf(1),
						}, nil
					}
					return native.Closest(ctx, p)
				})
				truth := instance.Radius(t, c, x.RawRowView(0))
				r, err := (&attack.RegionBased{
					Classifier: c,
					Options:    attack.Options{Workers: 1, Solver: lazy},
				}).Perturb(t.Context(), x.RawRowView(0))
				if err != nil {
					continue
				}
				instance.CheckInterval(t, c, x.RawRowView(0), r, truth)
				if t.Failed() {
					t.Fatalf("%T, every %d-th program stopped, margins = %v: %+v", c, k, margin, r)
				}
			}
		}
	}
}

// TestOpenDomain puts the nearest point on an open side of the domain: the infimum
// is not attained.
func TestOpenDomain(t *testing.T) {
	knn := instance.Line(t, 0, 1)
	tree, err := classifier.NewTree(1, classifier.AtMostFloat64, []classifier.TreeNode{
		{Feature: 0, Threshold: 0.5, Left: 1, Right: 2, Value: []float64{1, 1}},
		{Left: -1, Right: -1, Value: []float64{1, 0}}, {
			Left:  -1,
			Right: -1,
			Value: []float64{0, 1},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []classifier.Classifier{
		knn, instance.Listed{Decomposable: knn}, tree, instance.Listed{Decomposable: tree},
	} {
		for _, domain := range []polytope.Box{
			{{Lo: 0.7, Hi: 2, LoOpen: true}},                      // the training row inside
			{{Lo: 0.7, Hi: 0.9, LoOpen: true}},                    // and outside
			{{Lo: 0.7, Hi: 1, LoOpen: true, HiOpen: true}},        // on an open side
			{{Lo: 0.7, Hi: math.Nextafter(0.7, 1)}},               // two numbers
			{{Lo: 0.7, Hi: 0.7}},                                  // one
			{{Lo: 0.7, Hi: math.Inf(1), HiOpen: true}},            // no end
			{{Lo: 0.7, Hi: math.Nextafter(0.7, 1), LoOpen: true}}, // one, beside the open side
		} {
			for _, mode := range []attack.Mode{attack.Exact, attack.Approx} {
				a := &attack.RegionBased{
					Classifier: c,
					Points:     mat.NewDense(2, 1, []float64{0, 1}),
					Options:    attack.Options{Mode: mode, Domain: domain},
				}
				r, err := a.Perturb(t.Context(), []float64{0})
				if err != nil {
					t.Errorf("%T, %v, domain %v: %v", c, mode, domain, err)
					continue
				}
				want := 0.7
				if domain[0].LoOpen {
					want = math.Nextafter(0.7, 1)
				}
				if r.Example == nil || math.Abs(r.Distance-want) > 1e-9 ||
					!domain.Contains(r.Example) || r.Bound > 0.7 {
					t.Errorf("%T, %v, domain %v: %+v, want an example at %v",
						c, mode, domain, r, want)
				}
			}
		}
	}
}

// TestBoundAtZero attacks points on, or a rounding error beside, the border between
// two rows of a decimal grid: the radius is 0 or nearly so.
func TestBoundAtZero(t *testing.T) {
	small := 0
	for number := range uint64(racetest.Scale(4000)) {
		rng := rand.New(rand.NewPCG(number, 1000))
		in := instance.Neighbors{Query: make([]float64, 1+rng.IntN(3))}
		draw := func(p []float64) []float64 {
			for j := range p {
				p[j] = float64(rng.IntN(6)) / 10
			}
			return p
		}
		for range 2 + rng.IntN(6) {
			in.X, in.Y = append(in.X, draw(make([]float64, len(in.Query)))), append(in.Y,
				rng.IntN(2))
		}
		draw(in.Query)
		c := in.KNN(t, 1)
		norm := norms[number%3]
		r, err := (&attack.RegionBased{
			Classifier: c,
			Options:    attack.Options{Norm: norm, Workers: 1},
		}).Perturb(t.Context(), in.Query)
		if err != nil {
			t.Fatalf("instance %d: %v\n%+v", number, err, in)
		}
		goal, _ := in.Goal(c)
		truth := oracle.CellsKNN(oracle.Norm(norm), in.X, in.Y, 1, in.Query, goal, oracle.Box{})
		if err := instance.CheckExact(t, c, norm, in.Query, r, truth); err != nil ||
			r.Bound > r.Distance {
			t.Fatalf("instance %d: %v ≤ radius ≤ %v: %v\n%+v", number, r.Bound, r.Distance, err, in)
		}
		if r.Distance < 1e-12 {
			small++
		}
	}
	if small < racetest.Scale(100) {
		t.Errorf("%d radii of nearly 0, want more", small)
	}
}

// TestCopies: a copy of an attack that was used answers with its own options, as a new one does.
func TestCopies(t *testing.T) {
	x, y := blobs(rand.New(rand.NewPCG(7, 1)), 60, 2)
	knn, err := classifier.TrainKNN(t.Context(), x, y, classifier.KNNOptions{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	used := attack.RegionBased{Classifier: knn}
	for _, mode := range []attack.Mode{attack.Exact, attack.Approx} {
		for _, norm := range norms {
			if _, err := used.Perturb(t.Context(), x.RawRowView(0)); err != nil {
				t.Fatal(err)
			}
			again := used
			again.Norm, again.Mode = norm, mode
			got, err := again.Perturb(t.Context(), x.RawRowView(1))
			if err != nil {
				t.Fatal(err)
			}
			o := attack.Options{Norm: norm, Mode: mode}
			a := attack.RegionBased{Classifier: knn, Options: o}
			want, err := a.Perturb(t.Context(), x.RawRowView(1))
			if err != nil || got.Distance != want.Distance || got.Bound != want.Bound {
				t.Errorf("%v, %v: %+v, %v, a new attack says %+v", mode, norm, got, err, want)
			}
		}
	}
}
