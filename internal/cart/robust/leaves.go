package robust

import (
	"cmp"
	"math"
	"slices"
)

// values returns the values of the leaves of a tree: those of least loss in the order in which the
// rows that may reach them, each counted in all of its leaves, would put them.
func (g *grower) values(prior float64) []float64 {
	values := make([]float64, len(g.nodes))
	var leaves []int
	for id, n := range g.nodes {
		if n.feature < 0 {
			leaves = append(leaves, id)
			values[id] = pool{n.total[0] + prior, n.total[1] + prior, 1}.value()
		}
	}
	slices.SortStableFunc(leaves, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	at := 0
	for _, p := range pooled(g.inOrder(leaves, prior)) {
		for range p.leaves {
			values[leaves[at]] = min(max(p.value(), -mostValue), mostValue)
			at++
		}
	}
	return values
}

// inOrder returns the weights of leaves in order of their values, with each row in its worst leaf:
// label 1 in the first that it may reach, label 0 in the last.
func (g *grower) inOrder(leaves []int, prior float64) []pool {
	worst := make([]int, len(g.y))
	for i := range worst {
		worst[i] = -1
	}
	for k, id := range leaves {
		for _, i := range g.nodes[id].rows {
			if g.y[i] == 0 || worst[i] < 0 {
				worst[i] = k
			}
		}
	}
	pools := make([]pool, len(leaves))
	for k := range pools {
		pools[k] = pool{prior, prior, 1}
	}
	for i, k := range worst {
		if g.y[i] == 0 {
			pools[k].n += g.weight[i]
		} else {
			pools[k].p += g.weight[i]
		}
	}
	return pools
}

// pool is leaves next to each other that have one value, and their weights of the labels 0 and 1.
type pool struct {
	n, p   float64
	leaves int
}

func (p pool) value() float64 { return math.Log(p.p/p.n) / 2 }

// pooled pools neighbours until values ascend.
func pooled(all []pool) (stack []pool) {
	for _, next := range all {
		for len(stack) > 0 {
			last := stack[len(stack)-1]
			if last.p*next.n <= next.p*last.n {
				break
			}
			next.n, next.p, next.leaves = next.n+last.n, next.p+last.p, next.leaves+last.leaves
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, next)
	}
	return stack
}
