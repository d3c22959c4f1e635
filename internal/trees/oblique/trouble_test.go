package oblique_test

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// TestSolverTrouble has every n-th program refused, undecided, or given up: the attack fails or
// makes no false claim.
func TestSolverTrouble(t *testing.T) {
	e, points := bagged(t, 4, 5)
	tree := instance.ObliqueTree(t, e.Dim(), e.Tree(0)...)
	refusal := errors.New("refused")
	failed, answered, despite := 0, 0, 0
	for _, x := range points[:6] {
		for _, c := range []classifier.Classifier{e, tree} {
			truth := instance.Radius(t, c, x)
			for _, trouble := range []error{refusal, polytope.ErrNumerical, nil} {
				for _, k := range []int64{1, 2, 3, 7, 20} {
					native := native.Solver{}
					var calls atomic.Int64
					solver := instance.Solver(func(
						ctx context.Context, p polytope.Problem,
					) (polytope.Solution, error) {
						if calls.Add(1)%k == 0 {
							return polytope.Solution{
								Status:   polytope.StatusStopped,
								Distance: math.Inf(1),
							}, trouble
						}
						return native.Closest(ctx, p)
					})
					o := attack.Options{Workers: 1, Solver: solver, MaxNodes: 3000}
					r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(),
						x)
					if err != nil {
						if failed++; !instance.IsNothing(r) ||
							(trouble != nil && !errors.Is(err, trouble)) {
							t.Fatalf("%T, every %d-th program: %+v, %v, want %v",
								c, k, r, err, trouble)
						}
						continue
					}
					if answered++; trouble != nil && calls.Load() >= k {
						despite++
					}
					instance.CheckInterval(t, c, x, r, truth)
				}
			}
		}
	}
	if failed < 50 || answered < 20 || despite < 14 {
		t.Errorf("%d attacks failed, %d did not, %d of them in spite of trouble: want more",
			failed, answered, despite)
	}
}

// TestCancelled cancels at the n-th program.
func TestCancelled(t *testing.T) {
	e, points := bagged(t, 8, 10)
	tree := instance.ObliqueTree(t, e.Dim(), e.Tree(0)...)
	for _, c := range []classifier.Classifier{e, tree} {
		truth := instance.Radius(t, c, points[0])
		for _, n := range []int64{1, 2, 3, 5, 20, 100} {
			for _, workers := range []int{1, 4} {
				ctx, cancel := context.WithCancel(t.Context())
				native := native.Solver{}
				var calls atomic.Int64
				stopping := instance.Solver(func(
					ctx context.Context, p polytope.Problem,
				) (polytope.Solution, error) {
					if calls.Add(1) == n {
						cancel()
					}
					return native.Closest(ctx, p)
				})
				o := attack.Options{Workers: workers, Solver: stopping}
				r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(ctx, points[0])
				cancel()
				if calls.Load() < n {
					continue // it was over before
				}
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%T, cancelled at program %d: error = %v, want context.Canceled",
						c, n, err)
				}
				instance.CheckInterval(t, c, points[0], r, truth)
			}
		}
	}
}
