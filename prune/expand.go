package prune

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/bipartite"
)

// expand finds a good separated set: starting from nothing it goes through the
// labels, and for each takes the heaviest set that can be made of that label's
// points and those of the other labels that it holds. That is a problem with two
// labels. It ends when no label gains, so that the set is maximal but for points
// without weight, or when the context is done.
func (p *problem) expand(ctx context.Context, doubled graph) []bool {
	weight, keep := p.units.of(p.row), make([]bool, len(p.row))
	for i, idle := 0, 0; idle < len(p.clouds); i++ {
		better, err := expandLabel(ctx, doubled, weight, keep, p.clouds[i%len(p.clouds)])
		if err != nil {
			break
		}
		idle++
		if better != nil {
			keep, idle = better, 0
		}
	}
	return keep
}

// expandLabel returns the heaviest set of the points of one label and those that are kept
// of the others, or nil if that is no heavier.
func expandLabel(ctx context.Context, doubled graph, weight []int64, keep []bool, c *cloud) ([]bool, error) {
	sides := bipartite.Weights{Left: make([]int64, len(keep)), Right: make([]int64, len(keep))} // 0: out
	copy(sides.Left[c.first:], weight[c.first:c.first+c.size()])
	for i, in := range keep {
		if in && sides.Left[i] == 0 {
			sides.Right[i] = weight[i]
		}
	}
	f, err := bipartite.Maximum(ctx, doubled, sides)
	if err != nil {
		return nil, err
	}
	cover, err := bipartite.CoverOf(ctx, doubled, f)
	if err != nil {
		return nil, err
	}
	better, gain := make([]bool, len(keep)), int64(0)
	for i, w := range weight {
		better[i] = sides.Left[i] > 0 && !cover.Left[i] || sides.Right[i] > 0 && !cover.Right[i]
		if better[i] {
			gain += w
		}
		if keep[i] {
			gain -= w
		}
	}
	if gain <= 0 {
		return nil, nil
	}
	return better, nil
}
