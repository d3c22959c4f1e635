package dataset

import (
	"context"
	"fmt"
	"io"
)

// Source names the files of one set.
type Source struct {
	Path string

	// Labels is the path of a vector with a label for each row, in the format of
	// Path. NPY and IDX files need it, others have the labels inside and refuse
	// it.
	Labels string
}

// Load reads the files of an experiment, formats told by FormatOf, and returns
// a Set for each source, all of the same dimension: the largest of the files and
// minDim, the number of features of a model (0: none). LIBSVM indices count
// from 1 unless a 0 occurs in one of the files, and then from 0 in all of them.
// Rows of the other formats must have the full dimension, for unlike LIBSVM rows
// they are not meant to leave out zeros. An IDX image is a row, a pixel a feature.
func Load(ctx context.Context, limits Limits, minDim int, sources ...Source) ([]*Set, error) {
	tables := make([]table, len(sources))
	base, dim := 1, minDim
	for i, source := range sources {
		t, err := readTable(ctx, limits, source)
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

func readTable(ctx context.Context, limits Limits, source Source) (table, error) {
	format := FormatOf(source.Path)
	if format == NPY || format == IDX {
		set, err := readPair(ctx, limits, source, format)
		return table{set: set}, err
	}
	if source.Labels != "" {
		err := fmt.Errorf("a %s file holds its labels itself; leave out the label file %s", format, source.Labels)
		return table{}, &InputError{File: source.Path, Err: err}
	}
	var t table
	err := readFile(ctx, source.Path, limits, func(r io.Reader) (err error) {
		if format == CSV {
			t.set, err = ReadCSV(r, source.Path, limits)
		} else {
			t.sparse, err = ReadLIBSVM(r, source.Path, limits)
		}
		return err
	})
	return t, err
}

// readPair reads a matrix and its labels, both of the same format.
func readPair(ctx context.Context, limits Limits, source Source, format Format) (*Set, error) {
	if source.Labels == "" {
		err := fmt.Errorf("the file holds no labels; a second %s file must name them", format)
		return nil, &InputError{File: source.Path, Err: err}
	}
	if FormatOf(source.Labels) != format {
		err := fmt.Errorf("the labels of an %s matrix must be an %s file too", format, format)
		return nil, &InputError{File: source.Labels, Err: err}
	}
	x, err := readArray(ctx, limits, source.Path)
	if err != nil {
		return nil, err
	}
	if len(x.Shape) != 2 {
		err := fmt.Errorf("the array has shape %v where a matrix of rows and features is expected", x.Shape)
		return nil, &InputError{File: source.Path, Err: err}
	}
	y, err := readArray(ctx, limits, source.Labels)
	if err != nil {
		return nil, err
	}
	if len(y.Data) != y.Shape[0] || y.Shape[0] != x.Shape[0] {
		err := fmt.Errorf("the array has shape %v where one label for each of the %d rows of %s is expected", y.Shape, x.Shape[0], source.Path)
		return nil, &InputError{File: source.Labels, Err: err}
	}
	return &Set{Data: x.Data, Rows: x.Shape[0], Dim: x.Shape[1], Labels: y.Data}, nil
}

// readArray reads an NPY or an IDX file.
func readArray(ctx context.Context, limits Limits, path string) (a *Array, err error) {
	if FormatOf(path) == IDX {
		values, err := readIDXFile(ctx, path, limits)
		if err != nil {
			return nil, err
		}
		return values.array(), nil
	}
	err = readFile(ctx, path, limits, func(r io.Reader) (err error) {
		a, err = ReadNPY(r, path, limits)
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
