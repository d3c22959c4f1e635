package dataset

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
)

// Sparse holds the rows of a LIBSVM file as written: the values of row i are
// Value[Start[i]:Start[i+1]], and Index names their features, increasing within
// the row. Whether indices count from 0 or 1 is not known from one file alone;
// see Dense.
type Sparse struct {
	Labels []float64 // one a row
	Start  []int     // one a row and one at the end
	Index  []int
	Value  []float64

	// MinIndex and MaxIndex are the smallest and largest feature index, 1 and
	// 0 when no row has a feature.
	MinIndex, MaxIndex int

	limits Limits
}

// ReadLIBSVM reads lines "label index:value index:value …". Indices are whole
// numbers from 0 that increase along the line; features left out are zero.
// Blank lines, and everything after a '#', are skipped. Labels and values are
// finite numbers. The name stands for the file in errors, which are of type
// *InputError.
func ReadLIBSVM(r io.Reader, name string, limits Limits) (*Sparse, error) {
	s := &Sparse{Start: []int{0}, MinIndex: 1, limits: limits}
	if err := eachLine(r, name, s.addLine); err != nil {
		return nil, err
	}
	if len(s.Labels) == 0 {
		return nil, wrong(name, "%w: there are no rows", ErrEmpty)
	}
	return s, nil
}

// addLine adds the row of one line, or none when it holds only a comment.
func (s *Sparse) addLine(line []byte) error {
	line, _, _ = bytes.Cut(line, []byte("#"))
	last := -1
	labelled := false
	for token := range bytes.FieldsSeq(line) {
		if !labelled {
			labelled = true
			if err := s.addLabel(token); err != nil {
				return err
			}
			continue
		}
		var err error
		if last, err = s.addFeature(token, last); err != nil {
			return err
		}
	}
	if !labelled {
		return nil
	}
	s.Start = append(s.Start, len(s.Value))
	return s.checkSize()
}

func (s *Sparse) addLabel(token []byte) error {
	if bytes.IndexByte(token, ':') >= 0 {
		return fmt.Errorf("the line starts with %s where its label is expected", quote(string(token)))
	}
	y, err := parseFinite(string(token))
	if err != nil {
		return fmt.Errorf("label %w", err)
	}
	s.Labels = append(s.Labels, y)
	return nil
}

// checkSize returns an error if the rows are more than the limits allow.
func (s *Sparse) checkSize() error {
	if len(s.Labels) > s.limits.rows() {
		return s.limits.Check(len(s.Labels), 1)
	}
	if len(s.Labels)+2*len(s.Value) > s.limits.values() {
		return fmt.Errorf("%w: at most %d labels, indices and values are allowed", ErrLimit, s.limits.values())
	}
	return nil
}

// addFeature adds "index:value" and returns its index, which must be above
// last.
func (s *Sparse) addFeature(token []byte, last int) (int, error) {
	before, after, found := bytes.Cut(token, []byte(":"))
	if !found {
		return 0, fmt.Errorf("%s is not of the form index:value", quote(string(token)))
	}
	index, err := parseIndex(string(before))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", quote(string(token)), err)
	}
	if index == last {
		return 0, fmt.Errorf("feature %d is given twice, again in %s", index, quote(string(token)))
	}
	if index < last {
		return 0, fmt.Errorf("feature %d follows feature %d in %s, but indices must increase", index, last, quote(string(token)))
	}
	value, err := parseFinite(string(after))
	if err != nil {
		return 0, fmt.Errorf("value of feature %d: %w", index, err)
	}
	if len(s.Index) == 0 {
		s.MinIndex = index
	}
	s.MinIndex, s.MaxIndex = min(s.MinIndex, index), max(s.MaxIndex, index)
	s.Index, s.Value = append(s.Index, index), append(s.Value, value)
	return index, nil
}

// parseIndex reads a feature index: digits only, without a sign.
func parseIndex(token string) (int, error) {
	index, err := strconv.ParseUint(token, 10, 64)
	if index > MaxFeatures { // ParseUint returns the largest number when it overflows
		return 0, fmt.Errorf("%w: a feature index may be at most %d", ErrTooLarge, MaxFeatures)
	}
	if err != nil {
		return 0, fmt.Errorf("the feature index %s is not a whole number from 0", quote(token))
	}
	return int(index), nil
}

// Dim returns the number of features the rows need when indices count from
// base.
func (s *Sparse) Dim(base int) int {
	return s.MaxIndex + 1 - base
}

// Dense returns the rows as a Set of dim features, index base becoming feature
// 0. It returns an error when an index lies outside [base, base+dim) or the
// set would exceed the limits of ReadLIBSVM.
func (s *Sparse) Dense(base, dim int) (*Set, error) {
	return s.choose(every(len(s.Labels)), base, dim)
}

// choose is Dense of the given rows, in the given order.
func (s *Sparse) choose(rows []int, base, dim int) (*Set, error) {
	if s.MinIndex <= s.MaxIndex && (s.MinIndex < base || s.Dim(base) > dim) {
		return nil, fmt.Errorf("feature indices %d to %d do not fit %d features counted from %d", s.MinIndex, s.MaxIndex, dim, base)
	}
	if err := s.limits.Check(len(rows), dim); err != nil {
		return nil, err
	}
	set := &Set{Data: make([]float64, len(rows)*dim), Rows: len(rows), Dim: dim}
	for k, i := range rows {
		if i < 0 || i >= len(s.Labels) {
			return nil, fmt.Errorf("there is no row %d: the rows are 0 to %d", i, len(s.Labels)-1)
		}
		row := set.Row(k)
		for k := s.Start[i]; k < s.Start[i+1]; k++ {
			row[s.Index[k]-base] = s.Value[k]
		}
		set.Labels = append(set.Labels, s.Labels[i])
	}
	return set, nil
}

// Load reads a LIBSVM file. Its features count from 1 unless it has one of number 0.
func Load(ctx context.Context, path string) (*Set, error) {
	return LoadRows(ctx, path, func(labels []float64) ([]int, error) { return every(len(labels)), nil })
}

// every returns the numbers of n rows.
func every(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

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
	base := min(1, s.MinIndex)
	set, err := s.choose(rows, base, s.Dim(base))
	return set, in(path, 0, err)
}
