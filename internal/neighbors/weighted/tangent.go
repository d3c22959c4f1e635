package weighted

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// ratioCut is {u : gradient·u ≤ b}, and the value at the point where it was made of
// the quadratic function that it bounds.
type ratioCut struct {
	gradient []float64
	b, value float64
}

func (c *ratioCut) excess(u []float64) float64 {
	sum := -c.b
	for j, g := range c.gradient {
		sum += g * u[j]
	}
	return sum
}

// newtonSteps is the number of steps from a point to the border of a node.
const newtonSteps = 6

// cutRatios cuts off u; false when the ratios are not too large there, or when only
// tangents with a negative K would tell. Newton steps lead to the border, where the
// cut is deepest.
func (o *opener) cutRatios(p *ratioNode, u []float64) bool {
	first, excess := o.tangent(p, u)
	if first == nil || excess <= p.votes*ratioNoise {
		return false
	}
	t := first
	at := slices.Clone(u)
	for range newtonSteps {
		length := nnindex.Squared(t.gradient, o.zero)
		for j, g := range t.gradient {
			at[j] -= t.value / length * g
		}
		next, excess := o.tangent(p, at)
		if next == nil || excess <= 0 {
			break
		}
		t = next
	}
	if t.excess(u) <= 0 {
		t = first
	}
	p.cuts = append(p.cuts, *t)
	return true
}

// tangent returns the tangent at u of the ball that belongs to the e_j of u, and by
// how much the ratios exceed the votes; nil where they do not, or where it is no ball.
func (o *opener) tangent(p *ratioNode, u []float64) (t *ratioCut, excess float64) {
	own := nnindex.Squared(u, o.point(p.group))
	if own == 0 {
		return nil, 0
	}
	rivals := o.fromNear(u, p.ranks)
	excess = -p.votes
	for _, r := range rivals {
		excess += math.Sqrt(own / nnindex.Squared(u, o.point(r)))
	}
	if excess <= 0 {
		return nil, excess
	}
	steepest := 1 / (16 * p.votes * p.votes)
	if t = o.tangentFrom(p, u, own, rivals, steepest); t == nil {
		t = o.tangentFrom(p, u, own, rivals, 1)
	}
	return t, excess
}

// fromNear returns the groups of the rows of From nearest to u. Others, which rounding may
// choose, would bound the ratios as well.
func (o *opener) fromNear(u []float64, count int) []int32 {
	var nearest nnindex.Nearest
	nearest.Reset(count, math.Inf(1))
	o.table.Trees[o.q.From].Nearest(o.input(u), &nearest)
	groups := make([]int32, 0, count)
	for _, n := range nearest.All() {
		groups = append(groups, o.groups.of[n.ID])
	}
	return groups
}

// tangentFrom is tangent with 1 + e_j no smaller than least; nil when it does not cut
// off u.
func (o *opener) tangentFrom(
	node *ratioNode, u []float64, own float64, rivals []int32, least float64,
) *ratioCut {
	p := o.point(node.group)
	t := &ratioCut{gradient: make([]float64, len(u))}
	k, size := -node.votes, node.votes
	length, rounding, weight := math.Sqrt(nnindex.Squared(u, o.zero)), 0.0, 0.0
	for _, r := range rivals {
		q := o.point(r)
		squared := nnindex.Squared(u, q)
		e := max(squared/own, least)
		psi := 1 / math.Sqrt(e)
		alpha := psi / e / 2
		k += psi + alpha*(e-1)
		t.value -= alpha * (squared - own)
		size += psi + alpha*(e+1)
		weight += alpha
		rounding += alpha * o.pads[r] * (length + math.Sqrt(squared))
		for j, v := range q {
			t.gradient[j] -= 2 * alpha * (p[j] - v)
		}
	}
	if t.value += k * own; k < 0 || t.value <= 0 {
		return nil
	}
	// F(u) = K‖u−P‖² − Σ α (‖u−Q‖² − ‖u−P‖²) moves by 2(‖u‖+‖P‖) for each unit that
	// P moves, times its weight, and so for each Q.
	rounding += (k + weight) * o.pads[node.group] * (length + math.Sqrt(own))
	noise := 16 * precise.Noise(len(u))
	t.b = noise*size*own + 4*math.Sqrt(float64(len(u)))*rounding - t.value
	for j, e := range u {
		t.gradient[j] += 2 * k * (e - p[j])
		t.b += t.gradient[j]*e + noise*math.Abs(t.gradient[j])*(math.Abs(e)+math.Abs(p[j]))
	}
	return t
}
