package robust

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// split is a way to divide a node.
type split struct {
	feature     int // −1: none
	first, last int // thresholds that divide it so
	loss        float64
}

// gain is the part of its loss by which a node must become better to be split: more than rounding.
const gain = 1e-9

// best returns the split of least loss of a node, none if all are as bad as none.
func (g *grower) best(ctx context.Context, of []uint32, total []float64) (split, error) {
	g.weights, g.classes = g.weights[:0], g.classes[:0]
	for _, i := range of {
		g.weights, g.classes = append(g.weights, g.weight[i]), append(g.classes, int32(g.y[i]))
	}
	loss := g.criterion.leaf(total)
	none := split{feature: -1, loss: loss - gain*math.Abs(loss)}
	tried, blocks, parts := g.tried(), g.blocks, 1
	units := len(blocks)
	if len(tried) < len(g.columns) {
		blocks, units = nil, len(tried)
	}
	if len(of)*len(tried) >= worthSharing {
		parts = len(g.scanners)
	}
	found := make([]split, parts)
	err := spread(ctx, parts, units, func(part, from, to int) error {
		found[part] = none
		for k := from; k < to; k++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			if blocks == nil {
				g.scanners[part].scan(g, of, total, tried[k], &found[part])
			} else {
				g.scanners[part].scanBlock(g, &blocks[k], of, total, &found[part])
			}
		}
		return nil
	})
	for _, s := range found {
		if s.loss < none.loss {
			none = s
		}
	}
	return none, err
}

// spread divides so many features among as many goroutines as there are parts.
func spread(
	ctx context.Context, parts, features int, scan func(part, from, to int) error,
) error {
	err := rows.Each(ctx, parts, parts, func(part int) error {
		return scan(part, part*features/parts, (part+1)*features/parts)
	})
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return fmt.Errorf("training: %w", err)
	}
	return nil
}

// worthSharing is how many values of a node are worth more than one goroutine.
const worthSharing = 1 << 17

// scanner scans features in memory of its own.
type scanner struct {
	sums                 sums      // of a block
	weight               []float64 // of rows up to each value, by class
	count                []int     // of them
	left, between, right []float64
}

// scan looks for a better split of rows by a feature.
func (s *scanner) scan(g *grower, of []uint32, total []float64, feature int, best *split) {
	c := &g.columns[feature]
	if len(c.thresholds) == 0 {
		return
	}
	s.score(g, feature, s.add(g, of, c), total, best)
}

// ends are the least and the largest rank of a feature that a node has.
type ends struct{ low, high uint32 }

// score looks for a better split by a feature that has been added up.
func (s *scanner) score(g *grower, feature int, e ends, total []float64, best *split) {
	c, classes, low, high := &g.columns[feature], g.Data.classes, e.low, e.high
	all := s.count[len(s.count)-1]
	s.left, s.between = slices.Grow(s.left[:0], classes), slices.Grow(s.between[:0], classes)
	s.right = slices.Grow(s.right[:0], classes)
	left, between, right := s.left[:classes], s.between[:classes], s.right[:classes]
	// Values that rows must and may go left of, of those from low to high.
	lastMust, lastMay, better := -1, -1, false
	first, _ := slices.BinarySearch(c.must, low+1)
	for t := first; t < len(c.thresholds) && c.may[t] <= high; t++ {
		must, may := int(c.must[t]-low), int(c.may[t]-low)
		if s.count[must] == lastMust && s.count[may] == lastMay {
			if better {
				best.last = t
			}
			continue
		}
		better = false
		lastMust, lastMay = s.count[must], s.count[may]
		if lastMay < g.options.MinLeaf || all-lastMust < g.options.MinLeaf {
			continue
		}
		for class := range classes {
			left[class] = s.weight[must*classes+class]
			upto := s.weight[may*classes+class]
			between[class] = upto - left[class]
			right[class] = total[class] - upto
		}
		if loss := g.criterion.split(left, between, right); loss < best.loss {
			*best = split{feature: feature, first: t, last: t, loss: loss}
			better = true
		}
	}
}

// add adds up the rows by the values of a feature, and returns the least and the largest of their
// ranks. What lies below the k-th value from the least is in place k.
func (s *scanner) add(g *grower, of []uint32, c *column) ends {
	low, high := uint32(math.MaxUint32), uint32(0)
	for _, i := range of {
		low, high = min(low, c.rank[i]), max(high, c.rank[i])
	}
	classes, n := g.Data.classes, int(high-low)+2
	s.reset(n, classes)
	weight, count := s.weight, s.count
	for k, i := range of {
		place := int(c.rank[i]-low) + 1
		weight[place*classes+int(g.classes[k])] += g.weights[k]
		count[place]++
	}
	for k := classes; k < len(weight); k++ {
		weight[k] += weight[k-classes]
	}
	for k := 1; k < n; k++ {
		count[k] += count[k-1]
	}
	return ends{low, high}
}

// reset makes room for so many sums, all zero.
func (s *scanner) reset(n, classes int) {
	s.weight, s.count = slices.Grow(s.weight[:0], n*classes), slices.Grow(s.count[:0], n)
	s.weight, s.count = s.weight[:n*classes], s.count[:n]
	clear(s.weight)
	clear(s.count)
}
