package pairs

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// mostNodes is how many times as large as the trees of both operands a tree of pairs may become, in
// nodes, before each stands for itself.
const mostNodes = 16

// all grows the trees of both operands, pair by pair.
func (w *walker) all() (grown [][]trees.Node) {
	for _, pair := range w.pairs {
		a, b := pair[0], pair[1]
		if w.cancels && !w.recopied[a][0] {
			continue // both are in the same leaf
		}
		size := 0
		if a != none {
			size += w.a.trees[a].Len()
		}
		if b != none {
			size += w.b.trees[b].Len()
		}
		if w.based && size <= 2 {
			continue
		}
		w.each(pair, mostNodes*size, func(_ [2]int, nodes []trees.Node) {
			grown = append(grown, nodes)
		})
	}
	return grown
}

// each grows a tree of each operand together or, where that takes too many nodes, each alone.
func (w *walker) each(pair [2]int, most int, add func(at [2]int, nodes []trees.Node)) {
	if pair[0] != none && pair[1] != none {
		if nodes, ok := w.grow(pair, most); ok {
			add(pair, nodes)
			return
		}
	}
	for i, t := range pair {
		if t != none {
			alone := [...]int{none, none}
			alone[i] = t
			nodes, _ := w.grow(alone, math.MaxInt)
			add(alone, nodes)
		}
	}
}

// size returns a number that the k-th sum does not exceed in absolute value.
func size(grown [][]trees.Node, base []float64, k int) float64 {
	total := math.Abs(base[k])
	for _, nodes := range grown {
		largest := 0.0
		for i := range nodes {
			largest = max(largest, math.Abs(nodes[i].Value[k]))
		}
		total += largest
	}
	return total
}

// quantize rounds the values of leaves, and those that sums start from, up to multiples of a unit
// of each number, of which float64 hold all sums. It returns numbers that no sum exceeds.
func quantize(grown [][]trees.Node, base []float64) (most []float64) {
	units := make([]float64, len(base))
	for k := range base {
		_, exponent := math.Frexp(size(grown, base, k))
		units[k] = math.Ldexp(1, max(exponent-50, -1074))
	}
	round(base, units)
	most = append(most, base...)
	for _, nodes := range grown {
		high := make([]float64, len(base))
		first := true
		for i := range nodes {
			if nodes[i].Left >= 0 {
				continue
			}
			round(nodes[i].Value, units)
			for k, v := range nodes[i].Value {
				if first || v > high[k] {
					high[k] = v
				}
			}
			first = false
		}
		for k := range most {
			most[k] += high[k]
		}
	}
	return most
}

// round rounds values up, and −0 to 0.
func round(values, units []float64) {
	for k, v := range values {
		values[k] = math.Ceil(v/units[k])*units[k] + 0
	}
}
