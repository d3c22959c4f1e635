package forced

import "github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"

// losses are what the trees lose whose best leaves begin, or end, at each interval: that of
// interval s of feature f is at offset[f]+s.
type losses struct {
	offset      []int32
	lows, highs []float64
}

func newLosses(g *grid.Grid) losses {
	l := losses{offset: make([]int32, len(g.Borders))}
	i := int32(0)
	for f := range g.Borders {
		l.offset[f] = i
		i += int32(len(g.Borders[f])) + 1
	}
	l.lows, l.highs = make([]float64, i), make([]float64, i)
	return l
}

// weakest returns the border between two of the best leaves, in a feature in which they are
// disjoint, at which both halves lose most.
func (c *contest) weakest() (at grid.Cut) {
	for _, f := range c.disjoint {
		from := c.lost.offset[f]
		clear(c.lost.highs[from+c.meet[f].Hi : from+c.meet[f].Lo])
		clear(c.lost.lows[from+c.meet[f].Hi+1 : from+c.meet[f].Lo+1])
	}
	c.weigh()
	most := -1.0
	for _, f := range c.disjoint {
		from, m := c.lost.offset[f], c.meet[f]
		left, right := 0.0, 0.0
		for s := m.Hi + 1; s <= m.Lo; s++ {
			right += c.lost.lows[from+s]
		}
		for s := m.Hi; s < m.Lo; s++ {
			left += c.lost.highs[from+s]
			if score := left * right; score > most {
				at, most = grid.Cut{Feature: f, After: s}, score
			}
			right -= c.lost.lows[from+s+1]
		}
	}
	return at
}

// weigh adds up what trees lose whose best leaves end or begin between the first end and the
// last beginning in a disjoint feature.
func (c *contest) weigh() {
	for t, i := range c.best {
		loss := -1.0
		for _, s := range c.trees[t][i].sides {
			m := c.meet[s.feature]
			if m.Hi >= m.Lo || (s.Hi >= m.Lo && s.Lo <= m.Hi) {
				continue
			}
			if loss < 0 {
				loss = c.loss(t, i)
			}
			from := c.lost.offset[s.feature]
			if s.Hi < m.Lo {
				c.lost.highs[from+s.Hi] += loss
			}
			if s.Lo > m.Hi {
				c.lost.lows[from+s.Lo] += loss
			}
		}
	}
}

// loss estimates what a tree loses with its best leaf: the difference to the next one.
func (c *contest) loss(t int, best int32) float64 {
	leaves := c.trees[t]
	floor := c.spread / float64(len(c.trees)) * leastLoss
	for i := int(best) + 1; i < len(leaves); i++ {
		if leaves[i].meets(c.box) {
			return leaves[best].gain - leaves[i].gain + floor
		}
	}
	return floor
}

// leastLoss is the least loss, in terms of what a tree's gains differ by in the mean.
const leastLoss = 0.05
