package baseline

import (
	"cmp"
	"fmt"
	"iter"
	"math"

	"github.com/seed-1a7dc1f9/facet/attack"
)

// Budgets are the distances that an attack with a budget tries in turn: Step,
// 2·Step, 3·Step, … up to Limit. The answer is the example of the first one that
// flips, so it overshoots by up to Step even along the attack's own path.
//
// There may be up to 2²⁰ of them. The zero value is the grid of the paper's
// experiments, whose features are scaled to [0, 1].
type Budgets struct {
	Step  float64 // 0 means 0.01
	Limit float64 // 0 means 0.80
}

// The budgets of the paper's experiments: 0.01, 0.02, …, 0.80.
const (
	defaultStep  = 0.01
	defaultLimit = 0.80
)

func (b Budgets) check() error {
	for _, v := range []float64{b.Step, b.Limit} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("%w: budgets in steps of %v up to %v", attack.ErrOption, b.Step, b.Limit)
		}
	}
	step, limit := b.orDefaults()
	if !(limit/step <= mostBudgets) {
		return fmt.Errorf("%w: more than %d budgets in steps of %v up to %v", attack.ErrOption, mostBudgets, step, limit)
	}
	return nil
}

// mostBudgets keeps a step that is small by mistake from trying budgets forever.
const mostBudgets = 1 << 20

func (b Budgets) orDefaults() (step, limit float64) {
	return cmp.Or(b.Step, defaultStep), cmp.Or(b.Limit, defaultLimit)
}

// all lists the budgets. The last one may exceed Limit by a rounding error.
func (b Budgets) all() iter.Seq[float64] {
	step, limit := b.orDefaults()
	return func(yield func(float64) bool) {
		for i := 1.0; i*step <= limit*(1+1e-12); i++ {
			if !yield(i * step) {
				return
			}
		}
	}
}
