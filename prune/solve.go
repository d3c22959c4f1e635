package prune

import (
	"context"
	"slices"
)

// solve finds the heaviest set of rows that is separated.
func (p *problem) solve(ctx context.Context, effort int) (*answer, error) {
	var a *answer
	var err error
	switch len(p.clouds) {
	case 1:
		a = &answer{keep: p.row, bound: p.units.total(p.row), optimal: true}
	case 2:
		a, err = p.solveTwo(ctx)
	default:
		a, err = p.solveMany(ctx, &effort)
	}
	if err != nil {
		return nil, err
	}
	weightless := p.units.count != nil && slices.Min(p.units.count) == 0
	if len(p.clouds) > 2 || weightless {
		var cut error
		a.keep, cut = p.complete(ctx, grace, a.keep)
		a.cut = cut != nil
	}
	return a, nil
}
