package nnindex

import (
	"cmp"
	"slices"
)

// run is the number of points that are sorted without a look at the context: some
// milliseconds.
const run = 1 << 15

// sort sorts points by a coordinate, those with the same by number.
func (b *builder) sort(ids []int32, axis int) error {
	compare := func(p, q int32) int {
		return cmp.Or(cmp.Compare(b.at(p, axis), b.at(q, axis)), cmp.Compare(p, q))
	}
	if len(ids) <= run {
		slices.SortFunc(ids, compare)
		return b.worked(len(ids))
	}
	middle := len(ids) / 2
	if err := b.sort(ids[:middle], axis); err != nil {
		return err
	}
	if err := b.sort(ids[middle:], axis); err != nil {
		return err
	}
	return b.merge(ids, middle, compare)
}

// merge merges the two sorted parts of ids that meet at middle.
func (b *builder) merge(ids []int32, middle int, compare func(p, q int32) int) error {
	b.ids = append(b.ids[:0], ids[:middle]...)
	left, right, to := b.ids, ids[middle:], 0
	for ; len(left) > 0 && len(right) > 0; to++ {
		if err := b.worked(1); err != nil {
			return err
		}
		if compare(left[0], right[0]) < 0 {
			ids[to], left = left[0], left[1:]
		} else {
			ids[to], right = right[0], right[1:]
		}
	}
	copy(ids[to:], left)
	return nil
}
