package soundness

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Ranges asks for the outputs of a regressor in the domain and the ball around X, and attacks the
// classifiers of its thresholds and changes. Leaves have one value.
type Ranges struct {
	Trees
	Radius float64
}

// Check implements Instance.
func (in *Ranges) Check(seed uint64) []Failure {
	r, err := classifier.Read[*classifier.Regressor](strings.NewReader(in.file()),
		classifier.ReadOptions{})
	if err != nil {
		return []Failure{{'E', err.Error()}}
	}
	t := &trial{q: &in.Query}
	least, most, err := property.Range(context.Background(), r, property.Options{
		Domain: in.Query.Domain, Near: mat.NewDense(1, len(in.Query.X), in.Query.X),
		Within: in.Radius, Norm: in.Query.Norm, Timeout: patient, Computed: true,
	})
	smallest, largest, any := in.outputs()
	switch {
	case errors.Is(err, classifier.ErrNoInput) && any:
		t.fail('c', "no input, yet outputs are %v to %v", smallest, largest)
	case errors.Is(err, classifier.ErrNoInput):
	case err != nil:
		t.fail('E', "Range: %v", err)
	case any:
		in.end(t, r, least, smallest, -1)
		in.end(t, r, most, largest, 1)
	}
	if !any {
		smallest, largest = 0, 1
	}
	random := rand.New(rand.NewPCG(seed, 2))
	return append(t.fails, in.attack(r, random, seed, smallest, largest)...)
}

// end compares an end of a range; sign is that of outputs beyond it.
func (in *Ranges) end(
	t *trial, r *classifier.Regressor, e property.End, want, sign float64,
) {
	switch {
	case !(sign*e.Bound >= sign*want):
		t.fail('b', "end %+v, yet %v is an output", e, want)
	case e.Status != attack.StatusOptimal:
		t.fail('U', "unproven: %+v, the end is %v", e, want)
	case e.Bound != want:
		t.fail('e', "proven %+v, yet the end is %v", e, want)
	}
	if e.X == nil {
		return
	}
	inside := in.Query.Domain == nil || in.Query.Domain.Contains(e.X)
	near := Infimum{Norm: in.Query.Norm, Cost: costBetween(in.Query.Norm, in.Query.X, e.X)}
	if !inside || near.Compare(in.Radius) > 0 || r.Predict(e.X) != e.Output {
		t.fail('d', "%+v: not that output, or not in the region", e)
	}
}

// attack asks when the output reaches a threshold, or changes by more than a difference.
func (in *Ranges) attack(
	r *classifier.Regressor, random *rand.Rand, seed uint64, lo, hi float64,
) []Failure {
	here := in.outputAt(in.Query.X)
	counts := func(v float64) bool { return v >= hi }
	c, err := r.Above(hi)
	switch delta := pick(random, 0, 1, 0.1, math.Abs(hi-here), math.Abs(here-lo)); random.IntN(4) {
	case 0:
		at := math.Nextafter(lo, math.Inf(1))
		counts = func(v float64) bool { return v >= at }
		c, err = r.Above(at)
	case 1:
		counts = func(v float64) bool { return difference(v, here).Cmp(rat(delta)) > 0 }
		_, c, err = r.Changes(in.Query.X, delta)
	case 2:
		counts = func(v float64) bool { return difference(here, v).Cmp(rat(delta)) <= 0 }
		c, _, err = r.Changes(in.Query.X, delta)
	}
	if err != nil {
		return []Failure{{'E', err.Error()}}
	}
	label := func(v float64) int { return bit(counts(v)) }
	return checkAttack(c, &in.Query, Truth{
		Infimum: func(from int) Infimum { return in.nearest(from, label) },
		Label:   func(z []float64) (int, bool) { return label(in.outputAt(z)), true },
	}, seed)
}

func difference(a, b float64) *big.Rat { return new(big.Rat).Sub(rat(a), rat(b)) }

// nearest returns the distance of the nearest box of intervals with another label.
func (in *Ranges) nearest(from int, label func(float64) int) Infimum {
	borders := in.allBorders()
	s := &gridSearch{q: &in.Query, from: from, choices: in.choices(borders)}
	s.label = func(at []int) int { return label(in.outputOf(borders, at)) }
	return s.infimum()
}

func (in *Ranges) outputAt(z []float64) float64 {
	return in.output(in.reached(func(n trees.Node) bool {
		return goesLeft(in.Comparison, z[n.Feature], n.Threshold)
	}))
}

func (in *Ranges) outputOf(borders [][]border, at []int) float64 {
	return in.output(in.reached(func(n trees.Node) bool {
		return at[n.Feature] <= rankOf(borders[n.Feature], borderOf(in.Comparison, n.Threshold))
	}))
}

// output adds leaves in the arithmetic of the model.
func (in *Ranges) output(leaves [][]float64) float64 {
	round := func(v float64) float64 {
		if in.Rounded {
			return float64(float32(v))
		}
		return v
	}
	sum := 0.0
	if in.Base != nil {
		sum = round(in.Base[0])
	}
	for _, leaf := range leaves {
		sum = round(sum + round(leaf[0]))
	}
	if in.Vote == classifier.SoftVote {
		sum /= float64(len(leaves))
	}
	return sum
}

// outputs returns the smallest and the largest output of real vectors in the region, if there
// are any.
func (in *Ranges) outputs() (smallest, largest float64, any bool) {
	borders, at := in.allBorders(), make([]int, in.Dim)
	sides := make(polytope.Box, in.Dim)
	smallest, largest = math.Inf(1), math.Inf(-1)
	var visit func(j int)
	visit = func(j int) {
		if j == in.Dim {
			if in.reaches(sides) {
				v := in.outputOf(borders, at)
				smallest, largest, any = min(smallest, v), max(largest, v), true
			}
			return
		}
		for number := range len(borders[j]) + 1 {
			s := interval(borders[j], number)
			if in.Query.Domain != nil {
				s = geometry.Intersect(s, in.Query.Domain[j])
			}
			if at[j], sides[j] = number, s; !vacant(s) {
				visit(j + 1)
			}
		}
	}
	visit(0)
	return smallest, largest, any
}

// reaches tells whether the ball has a point of a box: one nearer than its radius, or one at it
// whose coordinates lie in the box.
func (in *Ranges) reaches(box polytope.Box) bool {
	costs, open := make([]*big.Rat, in.Dim), make([]bool, in.Dim)
	for j, side := range box {
		x := in.Query.X[j]
		costs[j] = new(big.Rat).Abs(difference(geometry.Nearest(side, x), x))
		open[j] = !side.Contains(geometry.Nearest(side, x))
	}
	total := Infimum{Norm: in.Query.Norm, Cost: costOf(in.Query.Norm, costs)}
	if c := total.Compare(in.Radius); c != 0 {
		return c < 0
	}
	for j := range box {
		if open[j] && (in.Query.Norm != polytope.LInf || costs[j].Cmp(rat(in.Radius)) == 0) {
			return false
		}
	}
	return true
}

// file is the model in facet's own format.
func (in *Ranges) file() string {
	vote := "sum"
	if in.Vote == classifier.SoftVote {
		vote = "soft"
	}
	comparison := []string{"float32(x) <= t", "x <= t", "float32(x) < t", "x < t"}[in.Comparison]
	var all []object
	for _, nodes := range in.Trees.Trees {
		all = append(all, columnsOf(nodes))
	}
	return text(object{
		"format": "facet-model", "version": 1, "kind": "regressor", "n_features": in.Dim,
		"comparison": comparison, "vote": vote, "base": in.Base, "single": in.Rounded, "trees": all,
	})
}

// columnsOf has the infinite thresholds apart, which JSON has no numbers for.
func columnsOf(nodes []trees.Node) object {
	var feature, left, right, infinite []int
	var threshold []float64
	var value [][]float64
	for _, n := range nodes {
		sign := 0
		if math.IsInf(n.Threshold, 0) {
			sign, n.Threshold = int(math.Copysign(1, n.Threshold)), 0
		}
		feature, left, right = append(feature, n.Feature), append(left, n.Left), append(right,
			n.Right)
		threshold, infinite = append(threshold, n.Threshold), append(infinite, sign)
		value = append(value, n.Value)
	}
	return object{
		"feature": feature, "left": left, "right": right, "infinite": infinite,
		"threshold": threshold, "value": value,
	}
}

// Smaller implements Instance.
func (in *Ranges) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for v := range in.smaller() {
			if !yield(&Ranges{Trees{v, in.Comparison}, in.Radius}) {
				return
			}
		}
		for _, simple := range rounder(in.Radius) {
			c := *in
			if c.Radius = simple; !yield(&c) {
				return
			}
		}
	}
}
