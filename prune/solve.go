package prune

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"
)

// defaultEffort stands for no effort given: some seconds on hard problems.
const defaultEffort = 2_000_000

// solve finds the heaviest set of rows that is separated.
func (p *problem) solve(ctx context.Context, effort int) (*answer, error) {
	var a *answer
	var err error
	switch len(p.clouds) {
	case 1:
		total := p.units.total(p.row)
		a = &answer{keep: p.row, bound: total, optimal: true}
	case 2:
		a, err = p.solveTwo(ctx)
	default:
		a, err = p.solveMany(ctx, &effort)
	}
	if err != nil {
		return nil, err
	}
	if len(p.clouds) > 2 || p.weightless() {
		var cut error
		a.keep, cut = p.complete(ctx, grace, a.keep)
		a.cut = cut != nil
	}
	return a, nil
}

// Solve is Prune for rows that weigh different amounts, and tells what it knows:
// of all separated sets of rows Result.Keep is one of the heaviest, or the heaviest
// that was found. Without weights every row weighs 1.
//
// For two labels, or one, the set is optimal, and of all heaviest ones that with
// the least of the larger label, if no row weighs 0. For more labels the problem
// is NP-hard. Its relaxation decides most rows as a rule; the others are searched
// until the optimum is found, Effort is used up or the context's deadline has
// passed, which is no error once the relaxation is solved. Some rows may then be missing
// that could be put back, if the context ends while Solve looks for these.
//
// Weights are added without rounding, however far apart they are. Weight is rounded to
// nearest and Bound up, so that they are equal if Optimal and the sum is a float64.
//
// When ctx is cancelled in the search the error wraps its own and the Result
// holds what is known. Other errors come without one, and wrap those of Prune,
// ErrLength if there are not as many weights as rows, and ErrWeight.
func (a Adversarial) Solve(ctx context.Context, x mat.Matrix, y []int, weights []float64) (*Result, error) {
	p, err := a.problem(ctx, x, y, weights)
	if err != nil {
		return nil, err
	}
	effort := a.Effort
	if effort == 0 {
		effort = defaultEffort
	}
	found, err := p.solve(ctx, effort)
	if err != nil {
		return nil, err
	}
	r := p.result(found, weights)
	if (!r.Optimal || found.cut) && errors.Is(ctx.Err(), context.Canceled) {
		return r, finding(ctx.Err())
	}
	return r, nil
}
