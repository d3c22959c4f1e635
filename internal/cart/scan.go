package cart

import (
	"context"
	"math"
)

// split is a way to divide a node.
type split struct {
	feature uint32
	below   uint32 // the largest rank that goes left
	above   uint32 // the smallest that goes right
	samples int    // that go left
	weight  int    // of those
	score   float64
}

// best is the best split of a node so far.
type best struct {
	split
	left  []int   // class counts of the left side
	worst float64 // of robust splitting: its proxy in the worst case
}

// equalWithin is the difference up to which feature values count as equal.
const equalWithin = float32(1e-7)

// try looks for a better split by a feature, and reports whether the feature
// varies within the node.
func (g *grower) try(
	ctx context.Context, n *node, feature uint32, b *best,
) (varies bool, err error) {
	c := &g.data.columns[feature]
	keys := g.keys[:n.len()]
	rank := c.rank
	low, high := uint32(math.MaxUint32), uint32(0)
	for k, i := range g.samples[n.first:n.end] {
		r := rank[i]
		keys[k] = uint64(r)<<32 | uint64(i)
		low, high = min(low, r), max(high, r)
	}
	if c.values[high] <= c.values[low]+equalWithin {
		return false, nil
	}
	keys = sortKeys(keys, g.unused[:n.len()], low, high)
	if g.chen != nil {
		return true, g.scanChen(ctx, n, feature, c.values, keys, b)
	}
	return true, g.scan(ctx, n, feature, c.values, keys, b)
}

// scan scores every threshold of a feature, given the node's samples in ascending
// order.
func (g *grower) scan(
	ctx context.Context, n *node, feature uint32, values []float32, keys []uint64, b *best,
) error {
	clear(g.left)
	left, total, rows, potential := g.left, n.total, g.drawn, g.scores.potential
	total = total[:len(left)]
	var leftSum, rightSum int64
	for _, k := range total {
		rightSum += potential[k]
	}
	weight := 0
	enough := b.score - g.scores.slack
	minLeaf := g.options.MinLeaf
	last := uint32(keys[0] >> 32)
	for i, key := range keys {
		rank := uint32(key >> 32)
		if rank != last && i >= minLeaf && len(keys)-i >= minLeaf &&
			values[rank] > values[last]+equalWithin {
			if score := g.scores.of(weight, n.weight-weight, leftSum, rightSum); score >= enough {
				if err := g.interrupted(ctx, len(left)); err != nil {
					return err
				}
				g.consider(n, b, split{
					feature: feature,
					below:   last,
					above:   rank,
					samples: i,
					weight:  weight,
					score:   score,
				})
				enough = b.score - g.scores.slack
			}
		}
		last = rank
		d := rows[uint32(key)]
		times := int(d.times)
		l := left[d.class]
		r := total[d.class] - l
		leftSum += potential[l+times] - potential[l]
		rightSum += potential[r-times] - potential[r]
		left[d.class] = l + times
		weight += times
	}
	return nil
}

// consider takes a split for the best one if it is better; g.left has its class
// counts. Where the scores do not tell, scikit-learn's arithmetic does: the first
// of equal splits is the best.
func (g *grower) consider(n *node, b *best, s split) {
	if s.score <= b.score+g.scores.slack &&
		g.proxy(n, g.left, s.weight) <= g.proxy(n, b.left, b.weight) {
		return
	}
	b.split = s
	copy(b.left, g.left)
}

// proxy orders the splits of a node as the impurity they remove does. So many
// rows with these class counts go left.
func (g *grower) proxy(n *node, counts []int, weight int) float64 {
	left, right := g.impurities(n, counts, weight)
	return -float64(float64(n.weight-weight)*right) - float64(float64(weight)*left)
}

// halfway returns the middle of two float32, as scikit-learn rounds it.
func halfway(a, b float32) float64 { return float64(a)/2 + float64(b)/2 }
