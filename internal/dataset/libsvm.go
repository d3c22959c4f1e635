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

// EachRow hands each row of LIBSVM text to do, with the places and the values of its
// features, which are valid during the call, and places the error that do returns. It reads as
// ReadLIBSVM does but keeps no row.
func EachRow(
	r io.Reader, name string, do func(label float64, index []int, value []float64) error,
) error {
	s := new(Sparse)
	return eachLine(r, name, func(line []byte) error {
		s.Labels, s.Start, s.Index, s.Value = s.Labels[:0], s.Start[:0], s.Index[:0], s.Value[:0]
		if err := s.addLine(line); err != nil || len(s.Labels) == 0 {
			return err
		}
		return do(s.Labels[0], s.Index, s.Value)
	})
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
		return fmt.Errorf("the line starts with %s where its label is expected",
			quote(string(token)))
	}
	y, err := parseFinite(token)
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
		return fmt.Errorf("%w: at most %d labels, indices and values are allowed",
			ErrLimit, s.limits.values())
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
	index, err := parseIndex(before)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", quote(string(token)), err)
	}
	if index == last {
		return 0, fmt.Errorf("feature %d is given twice, again in %s", index, quote(string(token)))
	}
	if index < last {
		return 0, fmt.Errorf("feature %d follows feature %d in %s, but indices must increase",
			index, last, quote(string(token)))
	}
	value, err := parseFinite(after)
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
func parseIndex(token []byte) (int, error) {
	if n, ok := parseDigits(token); ok && n <= MaxFeatures {
		return n, nil
	}
	index, err := strconv.ParseUint(string(token), 10, 64)
	if index > MaxFeatures { // ParseUint returns the largest number when it overflows
		return 0, fmt.Errorf("%w: a feature index may be at most %d", ErrTooLarge, MaxFeatures)
	}
	if err != nil {
		return 0, fmt.Errorf("the feature index %s is not a whole number from 0",
			quote(string(token)))
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
	if s.MinIndex <= s.MaxIndex && (s.MinIndex < base || s.Dim(base) > dim) {
		return nil, fmt.Errorf("feature indices %d to %d do not fit %d features counted from %d",
			s.MinIndex, s.MaxIndex, dim, base)
	}
	if err := s.limits.Check(len(s.Labels), dim); err != nil {
		return nil, err
	}
	rows := len(s.Labels)
	set := &Set{Data: make([]float64, rows*dim), Rows: rows, Dim: dim, Labels: s.Labels}
	for i := range rows {
		row := set.Row(i)
		for k := s.Start[i]; k < s.Start[i+1]; k++ {
			row[s.Index[k]-base] = s.Value[k]
		}
	}
	return set, nil
}

// Load reads a LIBSVM file. Its features count from 1 unless it has one of number 0.
func Load(ctx context.Context, path string) (*Set, error) {
	s, err := readFile(ctx, path, Limits{}, ReadLIBSVM)
	if err != nil {
		return nil, err
	}
	base := min(1, s.MinIndex)
	set, err := s.Dense(base, s.Dim(base))
	return set, in(path, 0, err)
}
