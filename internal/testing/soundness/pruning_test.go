package soundness

import (
	"context"
	"iter"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// Pruning asks for the heaviest separated set of rows.
type Pruning struct {
	Rows    [][]float64
	Labels  []int
	Weights []int // nil: 1 each
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
	if err := a.Verify(
		context.Background(), matrix(in.Rows), in.Labels, in.Weights, r,
	); err != nil {
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
	if c.in.weight(set) != c.r.Weight {
		c.fail('d', "Weight is not that of Keep")
	}
}

// weight returns the weight of a set.
func (in *Pruning) weight(set uint) int {
	total := 0
	for i := range in.Rows {
		switch {
		case set>>i&1 == 0:
		case in.Weights == nil:
			total++
		default:
			total += in.Weights[i]
		}
	}
	return total
}

// heaviest checks letters a and e by going through all sets.
func (c *pruningCheck) heaviest() {
	conflicts, best := c.in.conflicts(), 0
	for set := range uint(1) << len(c.in.Rows) {
		separated := true
		for i, mask := range conflicts {
			separated = separated && (set>>i&1 == 0 || mask&set == 0)
		}
		if separated {
			best = max(best, c.in.weight(set))
		}
	}
	if best > c.r.Bound || float64(best) > c.r.Certified {
		c.fail('a', "Bound is below the weight of a separated set")
	}
	switch {
	case c.r.Status != attack.StatusOptimal:
		c.fail('U', "not optimal")
	case c.r.Weight != best:
		c.fail('e', "Keep is called optimal, but another set weighs more")
	case c.r.Bound != best:
		c.fail('e', "Bound is not the weight of Keep")
	}
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
		for rows, q := range simplerPoints(
			in.Rows, Query{X: make([]float64, len(in.Rows[0])), Norm: in.Norm, Target: -1},
		) {
			c := *in
			if c.Rows, c.Norm = rows, q.Norm; !yield(&c) {
				return
			}
		}
		for i, w := range in.Weights {
			for _, simple := range []int{0, 1, w / 2, w - 1} {
				c := *in
				c.Weights = slices.Clone(in.Weights)
				if c.Weights[i] = simple; 0 <= simple && simple < w && !yield(&c) {
					return
				}
			}
		}
	}
}

func drawPruning(r *rand.Rand) *Pruning {
	n, d := 1+r.IntN(9), pick(r, 1, 1, 2, 2, 3)
	in := &Pruning{
		Rows:   drawRows(r, n, d),
		Labels: drawLabels(r, n, pick(r, 2, 2, 3, 4, 6)),
		Norm:   polytope.Norm(r.IntN(3)),
	}
	q := Query{X: make([]float64, d)}
	transform(r, in.Rows, &q)
	if r.IntN(3) == 0 {
		disturb(r, in.Rows, &q)
	}
	p, other := pick(r, in.Rows...), pick(r, in.Rows...)
	in.Radius = in.Norm.Distance(p, other) / 2 * pick(r, 1, 1, 1, 1-0x1p-53, 1+0x1p-52,
		r.Float64()*2)
	if r.IntN(2) == 0 {
		in.Weights = make([]int, n)
		most := pick(r, 4, 4, 1000, 1<<52/n)
		for i := range in.Weights {
			in.Weights[i] = r.IntN(most + 1)
		}
	}
	return in
}
