package pairs

import (
	"encoding/binary"
	"math"
	"slices"
)

// match pairs trees of both models: those that compute the same first, as a format whose sums have
// no order may have them in any, then those of the same tests but for thresholds, then the rest in
// order. A tree that is left stands alone, and so does one of a single leaf: a number that others
// have among their trees or start from.
func (m *Models) match() {
	var left [2][]int
	for model, list := range m.trees {
		for t, tree := range list {
			pair := [...]int{none, none}
			if pair[model] = t; tree.Len() == 1 {
				m.matched = append(m.matched, pair)
			} else {
				left[model] = append(left[model], t)
			}
		}
	}
	for _, exactly := range []bool{true, false} {
		same := map[string][]int{} // trees of the second model
		for _, t := range left[1] {
			key := m.key(1, t, exactly)
			same[key] = append(same[key], t)
		}
		taken := make([]bool, len(m.trees[1]))
		left[0] = slices.DeleteFunc(left[0], func(t int) bool {
			key := m.key(0, t, exactly)
			list := same[key]
			if len(list) == 0 {
				return false
			}
			m.matched = append(m.matched, [...]int{t, list[0]})
			same[key], taken[list[0]] = list[1:], true
			return true
		})
		left[1] = slices.DeleteFunc(left[1], func(t int) bool { return taken[t] })
	}
	for i := range max(len(left[0]), len(left[1])) {
		pair := [...]int{none, none}
		for side, list := range left {
			if i < len(list) {
				pair[side] = list[i]
			}
		}
		m.matched = append(m.matched, pair)
	}
}

// pairs returns which trees of two operands, which are models or none, are walked together.
func (m *Models) pairs(first, second int) (list [][2]int) {
	of := [...]int{first, second}
	if first != none && second != none && first != second {
		for _, pair := range m.matched {
			list = append(list, [...]int{pair[first], pair[second]})
		}
		return list
	}
	for t := range m.trees[max(first, second)] {
		pair := [...]int{none, none}
		for i, model := range of {
			if model != none {
				pair[i] = t
			}
		}
		list = append(list, pair)
	}
	return list
}

// key is the function that a tree computes: its tests over codes, and the values of its leaves.
// Unless exactly, it is which features are tested where.
func (m *Models) key(model, t int, exactly bool) string {
	tree, text := m.trees[model][t], []byte(nil)
	var below func(i int)
	below = func(i int) {
		test := &tree.tests[i]
		text = binary.LittleEndian.AppendUint32(text, uint32(test.feature))
		if tree.IsLeaf(i) && !exactly {
			return
		}
		if tree.IsLeaf(i) {
			for _, v := range m.of[model].Value(t, i) {
				text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
			}
			return
		}
		last := int32(-1)
		for _, r := range test.runs {
			if r.last <= last || !exactly {
				continue // it is empty, or does not matter
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
