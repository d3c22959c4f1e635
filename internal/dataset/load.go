package dataset

import (
	"context"
	"fmt"
	"slices"
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
	sets, sparse := make([]*Set, len(sources)), make([]*Sparse, len(sources))
	base, dim := 1, minDim
	for i, source := range sources {
		var err error
		if sets[i], sparse[i], err = read(ctx, limits, source); err != nil {
			return nil, err
		}
		if sparse[i] != nil {
			base = min(base, sparse[i].MinIndex)
		}
	}
	for i := range sources {
		if sparse[i] != nil {
			dim = max(dim, sparse[i].Dim(base))
		} else {
			dim = max(dim, sets[i].Dim)
		}
	}
	for i, source := range sources {
		var err error
		if sparse[i] != nil {
			sets[i], err = sparse[i].Dense(base, dim)
		} else if sets[i].Dim != dim {
			err = fmt.Errorf("the rows have %d features where the other files or the model have %d", sets[i].Dim, dim)
		}
		if err != nil {
			return nil, in(source.Path, 0, err)
		}
	}
	return sets, nil
}

// read returns the rows of a source: sparse ones of LIBSVM, a set of the other formats.
func read(ctx context.Context, limits Limits, source Source) (set *Set, sparse *Sparse, err error) {
	format := FormatOf(source.Path)
	switch {
	case format == NPY || format == IDX:
		set, err = readPair(ctx, limits, source, format)
	case source.Labels != "":
		err = wrong(source.Path, "a %s file holds its labels itself; leave out the label file %s", format, source.Labels)
	case format == CSV:
		set, err = readFile(ctx, source.Path, limits, ReadCSV)
	default:
		sparse, err = readFile(ctx, source.Path, limits, ReadLIBSVM)
	}
	return set, sparse, err
}

// readPair reads a matrix and its labels, both of the same format.
func readPair(ctx context.Context, limits Limits, source Source, format Format) (*Set, error) {
	if source.Labels == "" {
		return nil, wrong(source.Path, "the file holds no labels; a second %s file must name them", format)
	}
	if FormatOf(source.Labels) != format {
		return nil, wrong(source.Labels, "the labels of an %s matrix must be an %s file too", format, format)
	}
	x, err := readArray(ctx, limits, source.Path)
	if err != nil {
		return nil, err
	}
	y, err := readArray(ctx, limits, source.Labels)
	if err != nil {
		return nil, err
	}
	if err := checkPair(source.Path, x.Shape, source.Labels, y.Shape); err != nil {
		return nil, err
	}
	return &Set{Data: x.Data, Rows: x.Shape[0], Dim: x.Shape[1], Labels: y.Data}, nil
}

// checkPair returns an error unless x is the shape of a matrix, or of images, and y
// that of a label for each row.
func checkPair(matrix string, x []int, labels string, y []int) error {
	if len(x) < 2 {
		return wrong(matrix, "the array has shape %v where a matrix of rows and features is expected", x)
	}
	if rows := x[0]; !slices.Equal(y, []int{rows}) && !slices.Equal(y, []int{rows, 1}) {
		return wrong(labels, "the array has shape %v where one label for each of the %d rows of %s is expected", y, rows, matrix)
	}
	return nil
}

// readArray reads an NPY or an IDX file.
func readArray(ctx context.Context, limits Limits, path string) (*Array, error) {
	if FormatOf(path) == NPY {
		a, err := readFile(ctx, path, limits, ReadNPY)
		if err != nil {
			return nil, err
		}
		return a, in(path, 0, a.CheckFinite())
	}
	values, err := readFile(ctx, path, limits, ReadIDX)
	if err != nil {
		return nil, err
	}
	return values.Array(), nil
}
