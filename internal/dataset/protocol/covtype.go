package protocol

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// contents identifies the rows of a file of two labels, 1 and 2, in any format that
// renders them.
type contents struct {
	features int
	rows     [2]int // of each label
	// ordered is the SHA-256 of the rows as LIBSVM text, without zeros, in decimal numbers.
	ordered string
	// unordered sums up the first eight bytes of each row's SHA-256.
	unordered uint64
}

func (c contents) all() int { return c.rows[0] + c.rows[1] }

// covtype is the file of UCI, all of Forest CoverType, with label 2 for class 2 and 1 for the
// six others.
var covtype = contents{
	features:  54,
	rows:      [2]int{297711, 283301},
	ordered:   "1c5b96e5367563e1895cb2afe6aab2ef9f15721ace6d1512598fa1368559196c",
	unordered: 0xc301424e9d6ad03a,
}

// CheckCovtype names in one sentence the fault of a file of covtype, of which r reads the contents:
// LIBSVM text, or UCI's covtype.data with the class, 1 to 7, behind the features.
func CheckCovtype(ctx context.Context, r io.Reader, name string) error {
	return covtype.read(ctx, r, name, func(row) {})
}

// covtypeRows is the number of rows drawn of each class of covtype.
const covtypeRows = 1100

// loadCovtype draws its rows as the paper did: 1100 of label 1, then, with the same
// generator, 1100 of label 2, in the order drawn. The split that follows starts the
// generator again.
func loadCovtype(ctx context.Context, seed uint32, path string, known contents) (*Set, error) {
	drawn := &dataset.Set{Rows: 2 * covtypeRows, Dim: known.features}
	drawn.Data = make([]float64, drawn.Rows*drawn.Dim)
	rng := numpyrand.New(seed)
	var places [2]map[int]int // of the rows of a label, by their number among these
	for k, rows := range known.rows {
		positions, err := rng.Choice(rows, covtypeRows)
		if err != nil {
			return nil, fmt.Errorf("%d rows have label %d, where %d of them are drawn",
				rows, k+1, covtypeRows)
		}
		places[k] = make(map[int]int)
		for i, position := range positions {
			places[k][position] = k*covtypeRows + i
			drawn.Labels = append(drawn.Labels, float64(k+1))
		}
	}
	f, err := dataset.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = known.read(ctx, f, path, func(r row) {
		if place, ok := places[r.k][r.number]; ok {
			r.copyTo(drawn.Row(place))
		}
	})
	if err != nil {
		return nil, err
	}
	return split(drawn, seed)
}

// row is a row of a file.
type row struct {
	k      int // the label less 1
	number int // among the rows of its label
	class  int // from 1 to 7; 0 if the file does not say it
	// The features, from 1, that are not 0, and their values.
	index []int
	value []float64
}

// copyTo copies the values to those of all features, which are 0.
func (r row) copyTo(all []float64) {
	for i, j := range r.index {
		all[j-1] = r.value[i]
	}
}

// read hands the rows of a file to use, in their order. The error says how the file differs from
// the known one.
func (c contents) read(ctx context.Context, r io.Reader, name string, use func(row)) error {
	s := newScan(c, use)
	text := &tail{r: dataset.Guard(ctx, r, dataset.Limits{})}
	if err := s.file(text, name); err != nil {
		return s.explain(err, text, name)
	}
	return s.compare(name)
}

// scan counts the rows read so far.
type scan struct {
	known     contents
	use       func(row)
	rows      [2]int
	sum       hash.Hash
	unordered uint64
	text      []byte // of the row at hand
}

func newScan(known contents, use func(row)) *scan {
	return &scan{known: known, use: use, sum: sha256.New()}
}

// ordered is the checksum of the rows.
func (s *scan) ordered() string { return hex.EncodeToString(s.sum.Sum(nil)) }

// file reads the rows in the format that the first of them has.
func (s *scan) file(r io.Reader, name string) error {
	const longest = 1 << 12
	buffered := bufio.NewReaderSize(r, longest)
	first, err := buffered.Peek(longest)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if line, _, _ := bytes.Cut(first, []byte("\n")); bytes.IndexByte(line, ',') >= 0 {
		return dataset.EachRecord(buffered, name, s.record)
	}
	return dataset.EachRow(buffered, name, func(label float64, index []int, value []float64) error {
		if label != 1 && label != 2 {
			return fmt.Errorf("label %v, where 1 and 2 are known", label)
		}
		return s.row(row{k: int(label) - 1, index: index, value: value})
	})
}

// record takes a row of UCI's file.
func (s *scan) record(values []float64) error {
	dim := len(values) - 1
	class := values[dim]
	if dim != s.known.features || class < 1 || class > 7 || class != float64(int(class)) {
		return fmt.Errorf("%d numbers of which the last is %v, where %d features and a class "+
			"from 1 to 7"+
			" are expected", dim+1, class, s.known.features)
	}
	index, value := make([]int, 0, dim), values[:0]
	for j, v := range values[:dim] {
		if v != 0 {
			index, value = append(index, j+1), append(value, v)
		}
	}
	r := row{class: int(class), index: index, value: value}
	if class == 2 {
		r.k = 1
	}
	return s.row(r)
}

// row takes a row. A zero that is written is one that is not.
func (s *scan) row(r row) error {
	s.text = strconv.AppendInt(s.text[:0], int64(r.k+1), 10)
	for i, j := range r.index {
		v := r.value[i]
		if j < 1 || j > s.known.features {
			return fmt.Errorf("feature %d, where 1 to %d are known", j, s.known.features)
		}
		if v == 0 {
			continue
		}
		s.text = append(strconv.AppendInt(append(s.text, ' '), int64(j), 10), ':')
		if whole := int64(v); float64(whole) == v {
			s.text = strconv.AppendInt(s.text, whole, 10)
		} else {
			s.text = strconv.AppendFloat(s.text, v, 'g', -1, 64)
		}
	}
	s.text = append(s.text, '\n')
	s.sum.Write(s.text) // a hash takes all
	own := sha256.Sum256(s.text)
	s.unordered += binary.BigEndian.Uint64(own[:])
	r.number = s.rows[r.k]
	s.use(r)
	s.rows[r.k]++
	return nil
}

// explain says of a fault at the end of a file that it ends too early.
func (s *scan) explain(err error, text *tail, name string) error {
	fault := (*dataset.InputError)(nil)
	torn := errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &fault) && text.ended && fault.Row > text.lines
	if got, want := s.rows[0]+s.rows[1], s.known.all(); torn && got < want {
		return fmt.Errorf("%s is cut off: it ends after %d of %d rows: %w", name, got, want, err)
	}
	return err
}

// compare says how the rows of a whole file differ from those known.
func (s *scan) compare(name string) error {
	got, want := s.rows[0]+s.rows[1], s.known.all()
	sum := s.ordered()
	switch {
	case got < want:
		return fmt.Errorf("%s is cut off: it ends after %d of %d rows", name, got, want)
	case s.rows != s.known.rows:
		return fmt.Errorf("%s has %d rows of label 1 and %d of label 2, where %d and %d are known",
			name, s.rows[0], s.rows[1], s.known.rows[0], s.known.rows[1])
	case sum == s.known.ordered:
		return nil
	case s.unordered == s.known.unordered:
		return fmt.Errorf("%s has the known rows in another order, of which other rows would be "+
			"drawn",
			name)
	}
	return fmt.Errorf("%s has other values than known: as LIBSVM text its rows have SHA-256 %s, "+
		"not %s",
		name, sum, s.known.ordered)
}

// tail knows how far a text was read.
type tail struct {
	r     io.Reader
	lines int // that ended
	ended bool
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	t.lines += bytes.Count(p[:n], []byte("\n"))
	t.ended = t.ended || err == io.EOF
	return n, err
}
