package soundness

import (
	"context"
	"iter"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// Pruning asks for the heaviest separated set of rows.
type Pruning struct {
	Rows    [][]float64
	Labels  []int
	Weights []float64 // nil: 1 each
	Radius  float64
	Norm    polytope.Norm
}

// Check implements Instance.
func (in *Pruning) Check(uint64) []Failure {
	a := prune.Adversarial{Radius: in.Radius, Norm: in.Norm}
	r, err := a.Solve(context.Background(), matrix(in.Rows), in.Labels, in.Weights)
	if err != nil {
		return []Failure{{'E', err.Error()}}
	}
	c := &pruningCheck{in: in, r: r}
	if err := a.Verify(context.Background(), matrix(in.Rows), in.Labels, in.Weights, r); err != nil {
		c.fail('v', err.Error())
	}
	c.kept()
	c.heaviest()
	return c.fails
}

type pruningCheck struct {
	in    *Pruning
	r     *prune.Result
	fails []Failure
}

func (c *pruningCheck) fail(letter byte, text string) {
	c.fails = append(c.fails, Failure{letter, text})
}

// conflicts returns the rows that conflict with each row, as bits.
func (in *Pruning) conflicts() []uint {
	masks := make([]uint, len(in.Rows))
	for i, p := range in.Rows {
		for j, q := range in.Rows {
			if in.Labels[i] != in.Labels[j] && in.Norm.Distance(p, q) <= 2*in.Radius {
				masks[i] |= 1 << j
			}
		}
	}
	return masks
}

// kept checks letter d.
func (c *pruningCheck) kept() {
	var set uint
	for _, i := range c.r.Keep {
		set |= 1 << i
	}
	if !slices.IsSorted(c.r.Keep) || bits.OnesCount(set) != len(c.r.Keep) {
		c.fail('d', "Keep is not ascending")
	}
	for i, mask := range c.in.conflicts() {
		switch in := set>>i&1 == 1; {
		case in && mask&set != 0:
			c.fail('d', "rows of Keep conflict")
		case !in && mask&set == 0:
			c.fail('d', "Keep is not maximal")
		}
	}
	if weight, _ := c.in.weight(set).Float64(); weight != c.r.Weight {
		c.fail('d', "Weight is not that of Keep")
	}
}

// weight returns the exact weight of a set.
func (in *Pruning) weight(set uint) *big.Rat {
	total := new(big.Rat)
	for i := range in.Rows {
		switch {
		case set>>i&1 == 0:
		case in.Weights == nil:
			total.Add(total, big.NewRat(1, 1))
		default:
			total.Add(total, rat(in.Weights[i]))
		}
	}
	return total
}

// heaviest checks letters a and e by going through all sets.
func (c *pruningCheck) heaviest() {
	conflicts, best, bestSet := c.in.conflicts(), new(big.Rat), uint(0)
	for set := range uint(1) << len(c.in.Rows) {
		separated := true
		for i, mask := range conflicts {
			separated = separated && (set>>i&1 == 0 || mask&set == 0)
		}
		if !separated {
			continue
		}
		if w := c.in.weight(set); w.Cmp(best) > 0 {
			best, bestSet = w, set
		}
	}
	c.compare(best, bestSet)
}

func (c *pruningCheck) compare(best *big.Rat, set uint) {
	heaviest, _ := best.Float64()
	if best.Cmp(rat(c.r.Bound)) > 0 || best.Cmp(rat(c.r.Certificate.Bound)) > 0 {
		c.fail('a', "Bound is below the weight of a separated set")
	}
	var kept uint
	for _, i := range c.r.Keep {
		kept |= 1 << i
	}
	lost := new(big.Rat).Sub(best, c.in.weight(kept))
	if c.r.Optimal && lost.Cmp(c.in.rounding()) > 0 {
		c.fail('e', "Keep is called optimal, but another set weighs more")
	}
	if !c.r.Optimal {
		c.fail('U', "not optimal")
	}
	if c.r.Optimal && c.in.Weights == nil && c.r.Bound != heaviest {
		c.fail('e', "Bound is not the number of rows kept")
	}
}

// rounding is what the documentation of Solve lets an optimum lose: a unit a row,
// which is a power of two that is at most n·2⁻⁵⁹ of the next power of two above the
// largest weight, or 2⁻⁵² of it if that is more.
func (in *Pruning) rounding() *big.Rat {
	if in.Weights == nil {
		return new(big.Rat)
	}
	power, largest := big.NewRat(1, 1), rat(slices.Max(in.Weights))
	if largest.Sign() == 0 {
		return new(big.Rat)
	}
	exponent := unitOf(slices.Max(in.Weights))
	for power = shifted(power, exponent); power.Cmp(largest) <= 0; {
		power = shifted(power, 1)
	}
	n := int64(len(in.Rows))
	return shifted(power.Mul(power, big.NewRat(n, 1)), -52)
}

// Smaller implements Instance.
func (in *Pruning) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for i := range in.Rows {
			if len(in.Rows) < 2 {
				return
			}
			c := *in
			c.Rows = slices.Delete(slices.Clone(in.Rows), i, i+1)
			c.Labels = slices.Delete(slices.Clone(in.Labels), i, i+1)
			if in.Weights != nil {
				c.Weights = slices.Delete(slices.Clone(in.Weights), i, i+1)
			}
			if !yield(&c) {
				return
			}
		}
		for rows, q := range simplerPoints(in.Rows, Query{X: make([]float64, len(in.Rows[0])), Norm: in.Norm, Target: -1}) {
			c := *in
			if c.Rows, c.Norm = rows, q.Norm; !yield(&c) {
				return
			}
		}
		for i, w := range in.Weights {
			for _, simple := range append(rounder(w), 0, 1) {
				c := *in
				c.Weights = slices.Clone(in.Weights)
				if c.Weights[i] = simple; simple < w && !yield(&c) {
					return
				}
			}
		}
	}
}

func drawPruning(r *rand.Rand) *Pruning {
	n, d := 1+r.IntN(9), pick(r, 1, 1, 2, 2, 3)
	in := &Pruning{Rows: drawRows(r, n, d), Labels: drawLabels(r, n, pick(r, 2, 2, 3, 4, 6)), Norm: polytope.Norm(r.IntN(3))}
	q := Query{X: make([]float64, d)}
	transform(r, in.Rows, &q)
	if r.IntN(3) == 0 {
		disturb(r, in.Rows, &q)
	}
	p, other := pick(r, in.Rows...), pick(r, in.Rows...)
	in.Radius = in.Norm.Distance(p, other) / 2 * pick(r, 1, 1, 1, 1-0x1p-53, 1+0x1p-52, r.Float64()*2)
	if r.IntN(2) == 0 {
		in.Weights = make([]float64, n)
		style := r.IntN(4)
		for i := range in.Weights {
			switch style {
			case 0:
				in.Weights[i] = float64(r.IntN(4))
			case 1:
				in.Weights[i] = r.ExpFloat64()
			case 2:
				in.Weights[i] = pick(r, 0, 5e-324, 1e-323, 1, 1e300)
			default:
				in.Weights[i] = pick(r, 0, 5e-324, 1e-323, 2e-323)
			}
		}
	}
	return in
}
