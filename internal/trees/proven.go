package trees

import (
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
)

// Lost reports whether a margin is lost with one leaf of each tree, and with all that have no
// larger gains, by the exact rule of proofs (docs/reference/proof-format.md): however the vote's
// own sum is rounded. The slack of a Margin is wider, so that a search divides where this need not.
func (s *Sums) Lost(l *Margin, leaf func(tree int) (value []float64)) bool {
	if s.Vote.Counts() {
		votes := 0.0
		for t := range s.Len() {
			votes += l.Gain(leaf(t))
		}
		return votes < 0 || (votes == 0 && s.Vote.yields(l.Label, l.Rival))
	}
	sum := l.Base
	size := math.Abs(sum)
	for t := range s.Len() {
		gain := l.Gain(leaf(t))
		sum, size = sum+gain, size+math.Abs(gain)
	}
	off := 0x1p-50 * float64(s.Len()+2) * size
	if s.Len() >= 1<<20 { // the slack of proofs may be more than twice as wide
		off = math.Inf(1)
	}
	return exact.Sign(sum+l.Slack, off+l.Slack, func() int {
		slack, ok := s.Slack(l)
		if !ok {
			return 1
		}
		exactly := exact.Difference(s.Vote.Base[l.Label], s.Vote.Base[l.Rival])
		for t := range s.Len() {
			value := leaf(t)
			exactly.Add(exactly, exact.Difference(value[l.Label], value[l.Rival]))
		}
		return exactly.Add(exactly, slack).Sign()
	}) < 0
}

// Limit returns the least multiple of a unit, a power of two at most 1, at which a margin is not
// lost by the exact rule of proofs; false if it never is, or there are too many units to it for a
// float64.
func (s *Sums) Limit(l *Margin, unit float64) (limit float64, ok bool) {
	if s.Vote.Counts() {
		if s.Vote.yields(l.Label, l.Rival) {
			limit = 1 // votes are whole
		}
		return limit, true
	}
	slack, ok := s.Slack(l)
	if !ok {
		return 0, false
	}
	slack.Quo(slack, exact.Float(unit))
	units, _ := new(big.Float).SetInt(slack.Num().Quo(slack.Num(), slack.Denom())).Float64()
	return -units * unit, units < 0x1p53
}

// Slack returns how far below a tie the exact sum of a margin may lie and still be won, in the
// arithmetic of the vote; false when it may lie anywhere.
func (s *Sums) Slack(l *Margin) (*big.Rat, bool) {
	if s.Vote.Counts() {
		return new(big.Rat), true
	}
	size, trees := new(big.Rat), big.NewRat(int64(s.Len()), 1)
	for _, class := range [...]int{l.Label, l.Rival} {
		size.Add(size, exact.Float(math.Abs(s.Vote.Base[class])))
		for _, most := range s.most {
			size.Add(size, exact.Float(most[class]))
		}
	}
	rounding := new(big.Rat).Mul(trees, exact.Float(s.Vote.Unit()))
	if rounding.Cmp(big.NewRat(1, 2)) >= 0 {
		return nil, false
	}
	slack := new(big.Rat).Quo(rounding, new(big.Rat).Sub(big.NewRat(1, 1), rounding))
	slack.Mul(slack, size)
	if s.Vote.Rule == Soft { // the mean is rounded, and may be subnormal
		slack.Add(slack, size.Mul(size, exact.Float(0x1p-52)))
		slack.Add(slack, trees.Mul(trees, exact.Float(math.SmallestNonzeroFloat64)))
	}
	return slack.Add(slack, exact.Float(s.Vote.tieSlack())), true
}

// Sure reports whether the label of x is the same however exponentials are rounded.
func (e *Ensemble[T]) Sure(x []float64) bool {
	return !e.someOther(x, func(r int, sum []float64) bool { return !e.Loses(r, sum) })
}

// Loses reports whether sums decide for another label, however exponentials are rounded. It
// may use sum as scratch space.
func (s *Sums) Loses(label int, sum []float64) bool {
	if s.Vote.Rule != Softmax {
		return s.Decide(sum) != label
	}
	for r, v := range sum {
		if r != label &&
			((r < label && v >= sum[label]) ||
				exact.Difference(v, sum[label]).Cmp(exact.Float(s.Vote.tieSlack())) > 0) {
			return true
		}
	}
	return false
}
