package dataset

import (
	"errors"
	"fmt"
	"io"
)

// Source names the files of one set.
type Source struct {
	Path string

	// Labels is the path of an NPY vector with a label for each row. NPY files
	// need it, others have the labels inside and refuse it.
	Labels string
}

// Load reads the files of an experiment, formats told by FormatOf, and returns
// a Set for each source, all of the same dimension: the largest of the files and
// minDim, the number of features of a model (0: none). LIBSVM indices count
// from 1 unless a 0 occurs in one of the files, and then from 0 in all of them.
// CSV and NPY rows must have the full dimension, for unlike LIBSVM rows they
// are not meant to leave out zeros.
func Load(minDim int, sources ...Source) ([]*Set, error) {
	tables := make([]table, len(sources))
	base, dim := 1, minDim
	for i, source := range sources {
		t, err := readTable(source)
		if err != nil {
			return nil, err
		}
		tables[i] = t
		base = min(base, t.base())
	}
	for _, t := range tables {
		dim = max(dim, t.dim(base))
	}
	sets := make([]*Set, len(sources))
	for i, t := range tables {
		set, err := t.resolve(base, dim)
		if err != nil {
			return nil, &InputError{File: sources[i].Path, Err: err}
		}
		sets[i] = set
	}
	return sets, nil
}

// table is what one source holds before the dimension is known: sparse
// for LIBSVM, set for the other formats.
type table struct {
	sparse *Sparse
	set    *Set
}

func readTable(source Source) (table, error) {
	format, compressed := FormatOf(source.Path)
	if format == NPY {
		set, err := readPair(source, compressed)
		return table{set: set}, err
	}
	if source.Labels != "" {
		err := fmt.Errorf("a %s file holds its labels itself; leave out the label file %s", format, source.Labels)
		return table{}, &InputError{File: source.Path, Err: err}
	}
	var t table
	err := readFile(source.Path, compressed, func(r io.Reader) (err error) {
		if format == CSV {
			t.set, err = ReadCSV(r, source.Path)
		} else {
			t.sparse, err = ReadLIBSVM(r, source.Path)
		}
		return err
	})
	return t, err
}

// readPair reads an NPY matrix and its labels.
func readPair(source Source, compressed bool) (*Set, error) {
	if source.Labels == "" {
		return nil, &InputError{File: source.Path, Err: errors.New("an NPY matrix needs a second NPY file with the labels")}
	}
	if f, _ := FormatOf(source.Labels); f != NPY {
		return nil, &InputError{File: source.Labels, Err: errors.New("the labels of an NPY matrix must be an NPY file too")}
	}
	x, err := readArray(source.Path, compressed)
	if err != nil {
		return nil, err
	}
	if len(x.Shape) != 2 {
		err := fmt.Errorf("the array has shape %v where a matrix of rows and features is expected", x.Shape)
		return nil, &InputError{File: source.Path, Err: err}
	}
	_, compressed = FormatOf(source.Labels)
	y, err := readArray(source.Labels, compressed)
	if err != nil {
		return nil, err
	}
	if len(y.Data) != y.Shape[0] || y.Shape[0] != x.Shape[0] {
		err := fmt.Errorf("the array has shape %v where one label for each of the %d rows of %s is expected", y.Shape, x.Shape[0], source.Path)
		return nil, &InputError{File: source.Labels, Err: err}
	}
	return &Set{Data: x.Data, Rows: x.Shape[0], Dim: x.Shape[1], Labels: y.Data}, nil
}

func readArray(path string, compressed bool) (a *Array, err error) {
	err = readFile(path, compressed, func(r io.Reader) (err error) {
		a, err = ReadNPY(r, path)
		return err
	})
	return a, err
}

// base returns the feature index that this file alone would start from.
func (t table) base() int {
	if t.sparse != nil && t.sparse.MinIndex == 0 {
		return 0
	}
	return 1
}

func (t table) dim(base int) int {
	if t.sparse != nil {
		return t.sparse.Dim(base)
	}
	return t.set.Dim
}

func (t table) resolve(base, dim int) (*Set, error) {
	if t.sparse != nil {
		return t.sparse.Dense(base, dim)
	}
	if t.set.Dim != dim {
		return nil, fmt.Errorf("the rows have %d features where the other files or the model have %d", t.set.Dim, dim)
	}
	return t.set, nil
}
