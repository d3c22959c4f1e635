package pairs

import (
	"encoding/binary"
	"math"
)

// match puts trees of the second model that are those of the first into their places: a format
// whose sums have no order may have them in any.
func (m *Models) match() {
	if len(m.trees[0]) != len(m.trees[1]) {
		return
	}
	same := map[string][]int{} // trees of the second model
	for t := range m.trees[1] {
		key := m.key(1, t)
		same[key] = append(same[key], t)
	}
	order, taken := make([]int, len(m.trees[0])), make([]bool, len(m.trees[0]))
	for t := range order {
		key := m.key(0, t)
		if order[t] = -1; len(same[key]) > 0 {
			order[t], same[key] = same[key][0], same[key][1:]
			taken[order[t]] = true
		}
	}
	next := 0
	for t := range order {
		if order[t] < 0 {
			for taken[next] {
				next++
			}
			order[t], taken[next] = next, true
		}
	}
	trees := make([]*coded, len(order))
	for t, from := range order {
		trees[t] = m.trees[1][from]
	}
	m.trees[1], m.order[1] = trees, order
}

// key is what a tree computes: its tests over codes, and the values of its leaves.
func (m *Models) key(model, t int) string {
	tree, text := m.trees[model][t], []byte(nil)
	var below func(i int)
	below = func(i int) {
		test := &tree.tests[i]
		text = binary.LittleEndian.AppendUint32(text, uint32(test.feature))
		if tree.IsLeaf(i) {
			for _, v := range m.of[model].Value(t, i) {
				text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
			}
			return
		}
		last := int32(-1)
		for _, r := range test.runs {
			if r.last <= last {
				continue // it is empty
			}
			last = r.last
			text = binary.LittleEndian.AppendUint32(text, uint32(r.last))
			if r.left {
				text = append(text, 1)
			}
			text = append(text, 0)
		}
		below(int(tree.Children[i].Left))
		below(int(tree.Children[i].Right))
	}
	below(0)
	return string(text)
}
