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
	sortKeys(keys)
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

// fewKeys is how many keys are sorted by insertion.
const fewKeys = 32

// sortKeys sorts keys.
func sortKeys(keys []key) {
	if len(keys) > fewKeys {
		slices.SortFunc(keys, key.compare)
		return
	}
	for i := 1; i < len(keys); i++ {
		k, j := keys[i], i
		for ; j > 0 && k.less(keys[j-1]); j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
	}
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
// divides the part that holds the middle at a pivot, again and again (Hoare's selection).
func (b *builder) pick(keys []key, middle int) error {
	for draw := uint64(len(keys)); len(keys) > 1; {
		if err := b.worked(len(keys)); err != nil {
			return err
		}
		draw = draw*6364136223846793005 + 1442695040888963407 // Knuth's generator
		var left int
		if len(keys) < manyKeys {
			left = divide(keys, pivot(keys, int(draw>>33)))
		} else {
			left = divide(keys, among(keys, middle, int(draw>>33)))
		}
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

const (
	// manyKeys is from where on a pivot is chosen from a sample.
	manyKeys = 512
	// sampleSize is the size of that, an odd number.
	sampleSize = 31
)

// among returns a pivot from a sample: a key that lies about where the middle does. One key is
// drawn from each of equal parts, so that they differ.
func among(keys []key, middle, draw int) key {
	var sample [sampleSize]key
	part := len(keys) / sampleSize
	for i := range sample {
		sample[i] = keys[i*part+draw%part]
	}
	sortKeys(sample[:])
	return sample[max(1, min(middle*sampleSize/len(keys), sampleSize-1))]
}

// divide moves the keys below a pivot before the others, and returns how many there are. Each key
// moves, without a branch: which side it belongs to is anybody's guess.
func divide(keys []key, pivot key) (left int) {
	for i, k := range keys {
		keys[i] = keys[left]
		keys[left] = k
		left += one(k.value < pivot.value) | one(k.value == pivot.value)&one(k.id < pivot.id)
	}
	return left
}

// one returns 1 for true, and 0 for false.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
