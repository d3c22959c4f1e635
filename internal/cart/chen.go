package cart

import (
	"context"
	"math"
)

// chen scores splits by the worst that an adversary makes of them who moves
// feature values by up to epsilon: rows that near to the threshold, the band, go
// where the adversary wants.
type chen struct {
	epsilon float64
	cases   [chenCases]children // where the feature is scanned
}

// What the band can do, as far as it is looked at.
const (
	stay = iota
	allLeft
	allRight
	swap // all change sides
	chenCases
)

// children are the rows on either side of a split.
type children struct {
	left             []int // class counts
	weight           int   // rows, as often as drawn, that go left
	leftSum, restSum int64 // potentials
}

func newChen(epsilon float64, classes int) *chen {
	r := &chen{epsilon: epsilon}
	for i := range r.cases {
		r.cases[i].left = make([]int, classes)
	}
	return r
}

// scanChen is scan for robust splitting. Samples before low lie left of the
// band, those before middle left of the threshold, those from high on right of
// the band. All three only move on, so that a sample costs O(1) in all.
func (g *grower) scanChen(
	ctx context.Context, n *node, feature uint32, values []float32, keys []uint64, b *best,
) error {
	r := g.chen
	for i := range r.cases {
		g.allRight(n, &r.cases[i])
	}
	minLeaf := g.options.MinLeaf
	low, middle, high := 0, 0, 0
	for i := minLeaf; i <= len(keys)-minLeaf; i++ {
		below, above := uint32(keys[i-1]>>32), uint32(keys[i]>>32)
		if !(values[above] > values[below]+equalWithin) {
			continue
		}
		threshold := halfway(values[below], values[above])
		// When all change sides, those before low and from middle to high go left:
		// in this order their counts never fall below 0 or exceed the total.
		for ; high < len(keys) && float64(values[keys[high]>>32]) <= threshold+r.epsilon; high++ {
			g.send(n, keys[high], 1, allLeft)
			g.send(n, keys[high], 1, swap)
		}
		for ; middle < i; middle++ {
			g.send(n, keys[middle], 1, stay)
			g.send(n, keys[middle], -1, swap)
		}
		for ; float64(values[keys[low]>>32]) < threshold-r.epsilon; low++ {
			g.send(n, keys[low], 1, allRight)
			g.send(n, keys[low], 1, swap)
		}
		err := g.considerChen(ctx, n, b, split{
			feature: feature, below: below, above: above,
			samples: i, weight: r.cases[stay].weight,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// allRight sends all rows to the right.
func (g *grower) allRight(n *node, s *children) {
	clear(s.left)
	s.weight, s.leftSum, s.restSum = 0, 0, 0
	for _, k := range n.total {
		s.restSum += g.scores.potential[k]
	}
}

// send sends a sample to the left in one of the cases, or back when sign is −1.
func (g *grower) send(n *node, key uint64, sign, in int) {
	d, potential := g.drawn[uint32(key)], g.scores.potential
	s, times := &g.chen.cases[in], sign*int(d.times)
	l := s.left[d.class]
	r := n.total[d.class] - l
	s.leftSum += potential[l+times] - potential[l]
	s.restSum += potential[r-times] - potential[r]
	s.left[d.class] = l + times
	s.weight += times
}

// considerChen is consider for robust splitting. A split that the adversary can
// make worthless is none.
func (g *grower) considerChen(ctx context.Context, n *node, b *best, s split) error {
	r := g.chen
	var scores [chenCases]float64
	s.score = math.Inf(1)
	for c := range r.cases {
		rows := &r.cases[c]
		rest := n.weight - rows.weight
		if rows.weight == 0 || rest == 0 {
			return nil
		}
		scores[c] = g.scores.of(rows.weight, rest, rows.leftSum, rows.restSum)
		s.score = min(s.score, scores[c])
	}
	if s.score < b.score-g.scores.slack {
		return nil
	}
	if err := g.interrupted(ctx, chenCases*len(n.total)); err != nil {
		return err
	}
	worst := math.Inf(1)
	for c := range r.cases {
		if worthless(n, &r.cases[c]) {
			return nil
		}
		if scores[c] <= s.score+g.scores.slack {
			worst = min(worst, g.proxy(n, r.cases[c].left, r.cases[c].weight))
		}
	}
	if b.samples > 0 && worst <= b.worst {
		return nil
	}
	b.split, b.worst = s, worst
	copy(b.left, r.cases[stay].left)
	return nil
}

// worthless reports whether both children have the class frequencies of the node,
// so that the split removes no impurity, in whole numbers.
func worthless(n *node, s *children) bool {
	for class, k := range s.left {
		if int64(k)*int64(n.weight) != int64(n.total[class])*int64(s.weight) {
			return false
		}
	}
	return true
}
