package nnindex

import (
	"cmp"
	"slices"
)

// key is a point as a median is looked for: by a coordinate, those with the same by number.
type key struct {
	value    float64
	id       int32
	position int32 // within its node, before the node is halved
}

func (k key) less(o key) bool {
	return k.value < o.value || k.value == o.value && k.id < o.id
}

func (k key) compare(o key) int {
	return cmp.Or(cmp.Compare(k.value, o.value), cmp.Compare(k.id, o.id))
}

// halve moves the first points of a node along an axis, middle of them, before the others. Only
// points on the wrong side move.
func (b *builder) halve(n Node, middle, axis int) error {
	keys := b.gather(n, axis)
	if err := b.pick(keys, middle); err != nil {
		return err
	}
	behind := keys[middle:]
	for _, k := range keys[:middle] {
		if int(k.position) < middle {
			continue
		}
		for int(behind[0].position) >= middle {
			behind = behind[1:]
		}
		if err := b.worked(b.Dim); err != nil {
			return err
		}
		b.exchange(int(n.First+k.position), int(n.First+behind[0].position))
		behind = behind[1:]
	}
	return nil
}

// gather returns the keys of a node's points along an axis.
func (b *builder) gather(n Node, axis int) []key {
	b.keys = b.keys[:0]
	for i := n.First; i < n.End; i++ {
		b.keys = append(b.keys, key{b.points[int(i)*b.Dim+axis], b.IDs[i], i - n.First})
	}
	return b.keys
}

// order sorts the points of a node along an axis.
func (b *builder) order(n Node, axis int) error {
	if axis == none {
		return nil
	}
	keys := b.gather(n, axis)
	slices.SortFunc(keys, key.compare)
	for i := range keys { // each cycle of the permutation, from its first point on
		to := int32(i)
		for from := keys[to].position; from != int32(i); from = keys[to].position {
			b.exchange(int(n.First+to), int(n.First+from))
			keys[to].position, to = to, from
		}
		keys[to].position = to
	}
	return b.worked(len(keys) * b.Dim)
}

// exchange exchanges two points.
func (b *builder) exchange(i, j int) {
	b.IDs[i], b.IDs[j] = b.IDs[j], b.IDs[i]
	p, q := b.Point(i), b.Point(j)
	for a, v := range p {
		p[a], q[a] = q[a], v
	}
}

// pick moves the first keys, middle of them, before the others, in linear time on average: it
// divides what holds the middle at a pivot, again and again (Hoare's selection).
func (b *builder) pick(keys []key, middle int) error {
	for draw := uint64(len(keys)); len(keys) > 1; {
		if err := b.worked(len(keys)); err != nil {
			return err
		}
		draw = draw*6364136223846793005 + 1442695040888963407 // Knuth's generator
		left := divide(keys, pivot(keys, int(draw>>33)))
		switch cmp.Compare(middle, left) {
		case 0:
			return nil
		case -1:
			keys = keys[:left]
		default:
			keys, middle = keys[left:], middle-left
		}
	}
	return nil
}

// pivot returns a key that neither is the first nor has all others before it: of two the greater,
// of more the median of the first, the last and a drawn one between.
func pivot(keys []key, draw int) key {
	last := len(keys) - 1
	p, q, r := keys[0], keys[last], keys[last]
	if last > 1 {
		q = keys[1+draw%(last-1)]
	}
	if q.less(p) {
		p, q = q, p
	}
	if last > 1 && r.less(q) {
		q = r
		if q.less(p) {
			q = p
		}
	}
	return q
}

// divide moves the keys below a pivot before the others, and returns how many there are.
func divide(keys []key, pivot key) int {
	i, j := 0, len(keys)-1
	for {
		for i <= j && keys[i].less(pivot) {
			i++
		}
		for i <= j && !keys[j].less(pivot) {
			j--
		}
		if i >= j {
			return i
		}
		keys[i], keys[j] = keys[j], keys[i]
	}
}
