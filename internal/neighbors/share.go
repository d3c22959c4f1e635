package neighbors

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// Share returns the table of the same rows, in their order, whose labels say whether they hold this
// one, and whose vote of k rows is 1 where at least so many of them do.
//
// Of k votes v are for label 1, and v ≥ least where they lead the k−v others by 2·least−k or more.
// That is one vote less for an even k, whose leads are even, so that the vote of a majority stays
// the same. Where any number is enough, or none is, all rows get one label.
func (t *Table) Share(label, least, k int) (*Table, error) {
	x, y := mat.NewDense(t.Len(), t.Dim, nil), make([]int, t.Len())
	for i, l := range t.Labels {
		x.SetRow(i, t.Row(int32(i)))
		if least < 1 || int(l) == label && least <= k {
			y[i] = 1
		}
	}
	two, err := New(context.Background(), x, y)
	if err != nil {
		return nil, err
	}
	if two.Classes < 2 {
		two.Classes, two.Trees = 2, append(two.Trees, nil)
	}
	if 1 <= least && least <= k {
		two.margin = 2*least - k - 1 + k%2
	}
	return two, nil
}

// Plain reports whether the rows and their labels say how the table votes, and between how many
// labels.
func (t *Table) Plain() bool { return t.margin == 1 && t.Trees[t.Classes-1] != nil }
