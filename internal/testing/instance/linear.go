package instance

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// DrawLinear draws rules between features. Thin ones leave no interior: two that are opposite, or a
// border that is left out.
func DrawLinear(rng *rand.Rand, dim int) (all []polytope.HalfSpace, thin bool) {
	for range 1 + rng.IntN(3) {
		h := polytope.HalfSpace{A: make([]float64, dim), B: float64(rng.IntN(9)-4) / 8}
		switch kind := rng.IntN(10); {
		case kind < 4 && dim > 1: // x_i ≤ x_j + c
			i := rng.IntN(dim)
			h.A[i], h.A[(i+1+rng.IntN(dim-1))%dim] = 1, -1
		case kind < 8:
			for j := range h.A {
				h.A[j] = float64(rng.IntN(7)-3) / 2
			}
		case kind == 8: // one that holds nearly everywhere
			for j := range h.A {
				h.A[j] = rng.NormFloat64()
			}
			h.B = 1000
		default:
			for j := range h.A {
				h.A[j] = rng.NormFloat64()
			}
		}
		if geometry.Length(polytope.LInf, h.A) == 0 {
			h.A[0] = 1
		}
		if rng.IntN(20) == 0 {
			h.Open, thin = true, true
		}
		if all = append(all, h); rng.IntN(10) == 0 {
			opposite := polytope.HalfSpace{A: make([]float64, dim), B: -h.B}
			for j, a := range h.A {
				opposite.A[j] = -a
			}
			if rng.IntN(3) == 0 {
				opposite.B -= 1 // they contradict each other
			}
			all, thin = append(all, opposite), true
		}
	}
	return all, thin || hasOpposites(all)
}

// hasOpposites reports whether two rules bound the same sum from both sides.
func hasOpposites(all []polytope.HalfSpace) bool {
	for i, h := range all {
		for _, o := range all[:i] {
			if slices.EqualFunc(h.A, o.A, func(a, b float64) bool { return a == -b }) {
				return true
			}
		}
	}
	return false
}

// Halves are linear rules as the oracle takes them, borders and all.
func Halves(linear []polytope.HalfSpace) (all []oracle.Half) {
	for _, h := range linear {
		all = append(all, oracle.HalfOf(h.A, h.B, true))
	}
	return all
}

// CheckLinear is CheckPriced under linear rules. Where these are thin, the nearest input may be no
// float64: then the result has to be right, and open is 1 if it leaves that open.
func CheckLinear(
	t testing.TB, c classifier.Classifier, q oracle.Ruled, linear []polytope.HalfSpace, thin bool,
	r attack.Result, truth float64,
) (open int, err error) {
	t.Helper()
	if r.Example != nil && !rules.KeepsAll(linear, r.Example) {
		return 0, fmt.Errorf("example %v breaks a rule", r.Example)
	}
	tol := 1e-9 * math.Max(1, truth)
	switch left := slices.ContainsFunc(linear, func(h polytope.HalfSpace) bool { return h.Open }); {
	case !(left || thin && !r.Optimal()):
		return 0, CheckPriced(t, c, q, r, truth)
	case r.Distance < truth-tol:
		return 0, fmt.Errorf("distance %v, truth %v", r.Distance, truth)
	case !left && r.Bound > truth*(1+1e-13)+1e-14: // the oracle takes borders for inputs
		return 0, fmt.Errorf("bound %v, truth %v", r.Bound, truth)
	}
	return 1, CheckExample(c, q, r)
}

// NearestLinear returns the exact cost of reaching a label that answers in trees, under linear
// rules and those of an oracle's question, with whole steps: nil if no input has one, in ℓ2 the
// square. It goes through all cells.
func NearestLinear(
	q oracle.Ruled, features []attack.Feature, trees []*classifier.Tree,
	reaches func(z []float64) bool,
) (best *big.Rat) {
	sides := make([][][2]float64, len(q.X))
	for j := range sides {
		sides[j] = sidesOf(q, features[j], trees, j)
	}
	cell, z := q, make([]float64, len(q.X))
	cell.Lo, cell.Hi = slices.Clone(q.Lo), slices.Clone(q.Hi)
	cell.Up, cell.Down = slices.Clone(q.Up), slices.Clone(q.Down)
	least := math.Inf(1) // best, as join adds costs up
	in := Ruled{Norm: polytope.Norm(q.Norm)}
	var visit func(j int, cost float64)
	visit = func(j int, cost float64) {
		if cost > least*(1+1e-9)+1e-300 {
			return // for all rules
		}
		if j < len(sides) {
			for _, s := range sides[j] {
				cell.Lo[j], cell.Hi[j] = s[0], s[1]
				if z[j] = min(max(0, s[0]), s[1]); q.Norm == oracle.Two && s[0] >= q.X[j] {
					cell.Up[j], cell.Down[j] = q.Up[j], q.Up[j]
				} else if q.Norm == oracle.Two {
					cell.Up[j], cell.Down[j] = q.Down[j], q.Down[j]
				}
				visit(j+1, in.join(cost, toSide(&q, j, s)))
			}
			return
		}
		if !reaches(z) {
			return
		}
		if cost := cell.Nearest(nil); cost != nil && (best == nil || cost.Cmp(best) < 0) {
			best = cost
			least = Cost(in.Norm, best)
		}
	}
	visit(0, 0)
	return best
}

// toSide returns the cost of moving a feature to a side.
func toSide(q *oracle.Ruled, j int, s [2]float64) float64 {
	switch x := q.X[j]; {
	case s[0] > x:
		return q.Up[j] * (s[0] - x)
	case s[1] < x:
		return q.Down[j] * (x - s[1])
	}
	return 0
}

// sidesOf returns the intervals of a feature between the tests of trees: whole steps where it takes
// those, and divided at x.
func sidesOf(
	q oracle.Ruled, f attack.Feature, trees []*classifier.Tree, j int,
) (sides [][2]float64) {
	x := q.X[j]
	if f.Frozen {
		return [][2]float64{{q.Lo[j], q.Hi[j]}}
	}
	if f.Step > 0 {
		for _, v := range steps(f, x, q.Lo[j], q.Hi[j]) {
			sides = append(sides, [2]float64{v, v})
		}
		return sides
	}
	last := (&Ruled{Trees: trees}).thresholds(j)
	return between(append(last, x, math.Nextafter(x, math.Inf(-1))), q.Lo[j], q.Hi[j])
}
