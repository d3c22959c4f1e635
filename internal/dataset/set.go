package dataset

// Set holds Rows points of Dim features and their labels.
type Set struct {
	Data   []float64 // row-major, len Rows*Dim
	Rows   int
	Dim    int
	Labels []float64 // as in the file, len Rows
}

// Row returns row i as a part of Data: writing to it changes the set, and
// appending to it does not reach the next row.
func (s *Set) Row(i int) []float64 {
	return s.Data[i*s.Dim : (i+1)*s.Dim : (i+1)*s.Dim]
}

// Select returns a copy of the given rows, in the given order.
func (s *Set) Select(rows []int) *Set {
	out := &Set{
		Data:   make([]float64, 0, len(rows)*s.Dim),
		Rows:   len(rows),
		Dim:    s.Dim,
		Labels: make([]float64, 0, len(rows)),
	}
	for _, i := range rows {
		out.Data = append(out.Data, s.Row(i)...)
		out.Labels = append(out.Labels, s.Labels[i])
	}
	return out
}
