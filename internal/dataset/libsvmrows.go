package dataset

import (
	"context"
	"fmt"
)

// LoadRows reads the rows of a LIBSVM file that choose names when it is given the
// labels of all, in the order in which it names them. The features are those of
// the whole file, which takes 16 bytes for each value written in it; only the
// rows chosen become dense. A row that the file does not have is an error.
func LoadRows(ctx context.Context, path string, choose func(labels []float64) ([]int, error)) (*Set, error) {
	s, err := readFile(ctx, path, Limits{}, ReadLIBSVM)
	if err != nil {
		return nil, err
	}
	rows, err := choose(s.Labels)
	if err != nil {
		return nil, in(path, 0, err)
	}
	chosen, err := s.sub(rows)
	if err != nil {
		return nil, in(path, 0, err)
	}
	base := min(1, s.MinIndex)
	set, err := chosen.Dense(base, s.Dim(base))
	return set, in(path, 0, err)
}

// sub returns a copy of the given rows, in the given order.
func (s *Sparse) sub(rows []int) (*Sparse, error) {
	out := &Sparse{Start: []int{0}, MinIndex: s.MinIndex, MaxIndex: s.MaxIndex, limits: s.limits}
	for _, i := range rows {
		if i < 0 || i >= len(s.Labels) {
			return nil, fmt.Errorf("there is no row %d: the rows are 0 to %d", i, len(s.Labels)-1)
		}
		out.Labels = append(out.Labels, s.Labels[i])
		out.Index = append(out.Index, s.Index[s.Start[i]:s.Start[i+1]]...)
		out.Value = append(out.Value, s.Value[s.Start[i]:s.Start[i+1]]...)
		out.Start = append(out.Start, len(out.Value))
	}
	return out, nil
}
