package robust

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// stumps boosts trees of one split by the margins that the adversary leaves of them together.
type stumps struct {
	*Data
	options  Boosting
	loss     exponential
	weight   []float64 // of each row
	margins  []float64
	features []pieces
	scanners []stumpScanner
}

// stump is a tree of one split, or of none with the same value on both sides.
type stump struct {
	feature     int // −1: none
	threshold   int
	left, right float64 // values
	loss        float64
}

// boostStumps is Boost for trees of one split, of data with two classes.
func boostStumps(ctx context.Context, d *Data, o Boosting) ([]trees.Nodes, error) {
	s := &stumps{
		Data: d, options: o, loss: o.loss(len(d.y)),
		weight: make([]float64, len(d.y)), margins: make([]float64, len(d.y)),
		features: make([]pieces, len(d.columns)),
		scanners: make([]stumpScanner, max(o.Workers, 1)),
	}
	for j := range s.features {
		s.features[j] = newPieces(&d.columns[j])
	}
	ensemble := make([]trees.Nodes, o.Rounds)
	for round := range ensemble {
		weigh(s.weight, s.margins)
		best, err := s.best(ctx)
		if err != nil {
			return nil, err
		}
		best.scale(o.Rate)
		s.add(best)
		ensemble[round] = s.nodes(best)
	}
	return ensemble, nil
}

// best returns the stump of least loss.
func (s *stumps) best(ctx context.Context) (stump, error) {
	var total [2]float64
	for i, w := range s.weight {
		total[s.y[i]] += w
	}
	value := pool{total[0] + s.loss.prior, total[1] + s.loss.prior, 1}.value()
	loss := s.loss.loss(total[0], total[1])
	best := stump{feature: -1, left: value, right: value, loss: loss - gain*loss}
	parts := 1
	if len(s.y)*len(s.features) >= worthSharing {
		parts = len(s.scanners)
	}
	found := make([]stump, parts)
	err := spread(ctx, parts, len(s.features), func(part, from, to int) error {
		found[part] = best
		for j := from; j < to; j++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			s.scanners[part].scan(s, j, &found[part])
		}
		return nil
	})
	for _, f := range found {
		if f.loss < best.loss {
			best = f
		}
	}
	return best, err
}

// scale multiplies the values by the rate, and by as much as keeps each from adding too much.
func (b *stump) scale(rate float64) {
	rate /= max(1, max(math.Abs(b.left), math.Abs(b.right))/mostValue)
	b.left, b.right = float64(float32(rate*b.left)), float64(float32(rate*b.right))
}

// add adds a stump to the margins.
func (s *stumps) add(b stump) {
	if b.feature < 0 {
		for i, label := range s.y {
			s.margins[i] += extremes{b.left, b.left}.worst(label)
		}
		return
	}
	p := &s.features[b.feature]
	s.addReach(p, -1)
	p.add(b)
	s.addReach(p, 1)
}

// addReach adds the worst sum of the stumps of a feature, so many times.
func (s *stumps) addReach(p *pieces, times float64) {
	for i, rank := range p.rank {
		s.margins[i] += times * p.sums.of(p.first[rank], p.last[rank]).worst(s.y[i])
	}
}

// nodes returns a stump as a tree of values for the label 1.
func (s *stumps) nodes(b stump) trees.Nodes {
	leaf := func(value float64) trees.Node {
		return trees.Node{Feature: -1, Left: -1, Right: -1, Value: []float64{0, value}}
	}
	if b.feature < 0 {
		return trees.Nodes{leaf(b.left)}
	}
	root := trees.Node{
		Feature: b.feature, Threshold: float64(s.columns[b.feature].thresholds[b.threshold]),
		Left: 1, Right: 2, Value: []float64{0, 0},
	}
	return trees.Nodes{root, leaf(b.left), leaf(b.right)}
}
