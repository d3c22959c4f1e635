package weighted_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// TestAtAnyScale: the bound holds in every unit of the rows, for units that are powers of two, and
// in large units the search ends as it does in 1.
func TestAtAnyScale(t *testing.T) {
	compared, drawn := 0, instance.Count(80, 400)
	for number := range uint64(drawn) {
		rng := rand.New(rand.NewPCG(number, 46))
		in := draw(rng, 5)
		if len(in.Query) > 2 {
			continue
		}
		o := attack.Options{Norm: instance.Norms()[rng.IntN(3)], MaxNodes: 2000}
		want, ok := in.attack(t, in.model(t), o)
		if !ok || !want.Optimal() || want.Distance < 1e-9 {
			continue
		}
		compared++
		for _, unit := range []float64{0x1p300, 0x1p400, 0x1p500} {
			scaled := in.moved(unit, 0)
			r, _ := scaled.attack(t, scaled.model(t), o)
			if !r.Optimal() || r.Bound/unit > want.Distance*(1+1e-9) ||
				r.Distance/unit < want.Bound*(1-1e-9) {
				t.Errorf("instance %d in units of %v: %+v, %+v in those of 1",
					number, unit, r, want)
			}
		}
		o.MaxNodes = 100
		for _, unit := range []float64{0x1p-530, 0x1p-520, 0x1p-500, 0x1p-400, 0x1p-300} {
			scaled := in.moved(unit, 0)
			if r, err := scaled.try(t, scaled.model(t), o); err == nil &&
				r.Bound/unit > want.Distance*(1+1e-9) {
				t.Errorf("instance %d in units of %v: %+v, %+v in those of 1",
					number, unit, r, want)
			}
		}
	}
	if compared < drawn/5 {
		t.Errorf("%d instances compared", compared)
	}
}

// TestMovedAndScaled: neither the origin nor the unit of the data, nor the order of rows and
// features, nor doubling rows and neighbors change distances and bounds.
func TestMovedAndScaled(t *testing.T) {
	t.Parallel()
	compared, failed, drawn := 0, 0, instance.Count(40, 500)
	for number := range uint64(drawn) {
		rng := rand.New(rand.NewPCG(number, 49))
		in := drawGrid(rng)
		o := attack.Options{Norm: instance.Norms()[rng.IntN(3)], MaxNodes: 3000}
		want, err := in.try(t, in.model(t), o)
		if err != nil || want.Nodes == o.MaxNodes {
			failed++
			continue
		}
		offset, unit := math.Ldexp(1, 10+rng.IntN(36)), math.Ldexp(1, rng.IntN(80)-40)
		for _, v := range []struct {
			name         string
			in           problem
			unit, offset float64
		}{
			{"moved", in.moved(1, offset), 1, offset},
			{"scaled", in.moved(unit, 0), unit, 0},
			{"shuffled", in.shuffled(rng), 1, 0},
			{"doubled", in.doubled(), 1, 0},
		} {
			c := v.in.model(t)
			r, err := v.in.try(t, c, o)
			tol := 2e-8 * max(1, want.Distance)
			switch {
			case err != nil || r.Nodes == o.MaxNodes:
				failed++
			case c.Predict(v.in.Query) != in.model(t).Predict(in.Query): // a tie at x
			case v.name == "shuffled" && (!in.flips(t, r) || !v.in.flips(t, want)):
				// a tie at the example
			case (r.Example == nil) != (want.Example == nil):
				t.Errorf("instance %d, %s: %+v, want %+v\n%+v, ℓ%v",
					number, v.name, r, want, in, o.Norm)
			case r.Example != nil && math.Abs(r.Bound/v.unit-want.Bound) > tol:
				t.Errorf("instance %d, %s: bound %v, want %v\n%+v, ℓ%v",
					number, v.name, r.Bound/v.unit, want.Bound, in, o.Norm)
			case r.Example != nil &&
				math.Abs(r.Distance/v.unit-want.Distance) > hidden*max(1, want.Distance)+
					8*0x1p-52*v.offset:
				// Or sums of votes only touch: see doc.go.
				if failed++; r.Optimal() && want.Optimal() {
					t.Errorf("instance %d, %s: distance %v, want %v\n%+v, ℓ%v",
						number, v.name, r.Distance/v.unit, want.Distance, in, o.Norm)
				}
			default:
				compared++
			}
		}
	}
	if compared < 3*drawn || failed > 1+drawn/20 {
		t.Errorf("%d compared, %d failed", compared, failed)
	}
}

// TestSolverIsUnsure: programs that the solver gives up on leave the bound where it is.
func TestSolverIsUnsure(t *testing.T) {
	compared, ended, drawn := 0, 0, instance.Count(100, 800)
	for number := range uint64(drawn) {
		rng := rand.New(rand.NewPCG(number, 47))
		in := draw(rng, 5)
		if len(in.Query) > 3 {
			continue
		}
		c := in.model(t)
		o := attack.Options{Norm: instance.Norms()[rng.IntN(3)], MaxNodes: 400}
		want, ok := in.attack(t, c, o)
		if !ok || !want.Optimal() {
			continue
		}
		often := rng.IntN(4)
		o.Solver = solverFunc(func(
			ctx context.Context, p polytope.Problem,
		) (polytope.Solution, error) {
			if rng.IntN(4) <= often {
				return polytope.Solution{}, polytope.ErrNumerical
			}
			return native.Solver{}.Closest(ctx, p)
		})
		r, err := in.try(t, c, o)
		switch {
		case errors.Is(err, polytope.ErrNumerical):
			ended++
		case err == nil && r.Bound > want.Distance*(1+1e-9):
			t.Errorf("instance %d: %+v, %+v by a sure solver\n%+v", number, r, want, in)
		}
		compared++
	}
	if compared < drawn/3 || ended == compared {
		t.Errorf("%d instances compared, %d without an answer", compared, ended)
	}
}
