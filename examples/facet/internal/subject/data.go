package subject

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// Data are the rows of the files, scaled if the flags say so.
type Data struct {
	Classes []Label         // class c is the label Classes[c]
	Scaling *dataset.MinMax // nil without --scale minmax
	Train   *Part           // nil without --train
	Test    *Part           // nil without --test
}

// Part is the rows of a file.
type Part struct {
	Path   string
	X      []float64 // row-major
	Rows   int
	Dim    int
	Labels []Label
	Y      []int // class of each row
}

// Matrix returns the rows, which are not copied.
func (p *Part) Matrix() *mat.Dense { return mat.NewDense(p.Rows, p.Dim, p.X) }

// Select returns a copy of some rows.
func (p *Part) Select(rows []int) *Part {
	out := &Part{Path: p.Path, Rows: len(rows), Dim: p.Dim}
	for _, i := range rows {
		out.X = append(out.X, p.X[i*p.Dim:(i+1)*p.Dim]...)
		out.Labels = append(out.Labels, p.Labels[i])
		out.Y = append(out.Y, p.Y[i])
	}
	return out
}

// Read reads the files of rows; m is nil for a model that is to be trained.
func (s *Flags) Read(ctx context.Context, m *Model, _ io.Writer) (*Data, error) {
	train, test, err := s.readSets(ctx, m)
	if err != nil {
		return nil, err
	}
	d := new(Data)
	if s.Scale == "minmax" {
		if train, test, err = d.scale(train, test); err != nil {
			return nil, err
		}
	}
	values, err := s.chooseClasses(m, train, test)
	if err != nil {
		return nil, err
	}
	for _, v := range values {
		d.Classes = append(d.Classes, NumberLabel(v))
	}
	if d.Train, err = newPart(s.Train, train, values); err != nil {
		return nil, err
	}
	if d.Test, err = newPart(s.Test, test, values); err != nil {
		return nil, err
	}
	if d.Train != nil && d.Test != nil && !slices.ContainsFunc(d.Test.Y, func(y int) bool { return slices.Contains(d.Train.Y, y) }) {
		return nil, fmt.Errorf("no label of %s occurs in %s: are the labels where they should be (in CSV the last column)?", s.Test, s.Train)
	}
	return d, nil
}

func newPart(path string, set *dataset.Set, classes []float64) (*Part, error) {
	if set == nil {
		return nil, nil
	}
	y, err := dataset.ClassIndices(set.Labels, classes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p := &Part{Path: path, X: set.Data, Rows: set.Rows, Dim: set.Dim, Y: y}
	for _, v := range set.Labels {
		p.Labels = append(p.Labels, NumberLabel(v))
	}
	return p, nil
}

// readSets returns nil for files that are not named.
func (s *Flags) readSets(ctx context.Context, m *Model) (train, test *dataset.Set, err error) {
	var sources []dataset.Source
	if s.Test != "" {
		sources = append(sources, dataset.Source{Path: s.Test, Labels: s.TestLabels})
	}
	if s.Train != "" {
		sources = append(sources, dataset.Source{Path: s.Train, Labels: s.TrainLabels})
	}
	dim := 0
	if m != nil {
		dim = m.Dim()
	}
	sets, err := dataset.Load(ctx, dataset.Limits{Values: s.MaxValues}, dim, sources...)
	if errors.Is(err, dataset.ErrLimit) {
		return nil, nil, fmt.Errorf("%w; --max-values raises the limit", err)
	}
	if err != nil {
		return nil, nil, err
	}
	if m != nil && len(sets) > 0 {
		if err := m.widen(sets[0].Dim, sources); err != nil {
			return nil, nil, err
		}
	}
	if s.Test != "" {
		test, sets = sets[0], sets[1:]
	}
	if s.Train != "" {
		train = sets[0]
	}
	return train, test, nil
}

func (d *Data) scale(train, test *dataset.Set) (scaledTrain, scaledTest *dataset.Set, err error) {
	if d.Scaling, err = dataset.FitMinMax(train); err != nil {
		return nil, nil, fmt.Errorf("--scale minmax: %w", err)
	}
	if scaledTrain, err = d.Scaling.Apply(train); err != nil {
		return nil, nil, fmt.Errorf("--scale minmax: training set: %w", err)
	}
	if test == nil {
		return scaledTrain, nil, nil
	}
	if scaledTest, err = d.Scaling.Apply(test); err != nil {
		return nil, nil, fmt.Errorf("--scale minmax: test set: %w", err)
	}
	return scaledTrain, scaledTest, nil
}

// chooseClasses returns the labels of the classes: those of --classes, or those a model lists, or those
// of the files in ascending order.
func (s *Flags) chooseClasses(m *Model, train, test *dataset.Set) ([]float64, error) {
	if s.Classes != nil {
		var values []float64
		for _, text := range s.Classes {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, fmt.Errorf("--classes: %q is not a number", text)
			}
			values = append(values, v)
		}
		if _, err := dataset.ClassIndices(values, values); err != nil {
			return nil, fmt.Errorf("--classes: %w", err)
		}
		if m != nil && len(values) != m.Classifier.Classes() {
			return nil, fmt.Errorf("--classes lists %d labels, the model %s has %d classes", len(values), m.path, m.Classifier.Classes())
		}
		return values, nil
	}
	if m != nil {
		return m.classes, nil
	}
	var sets []*dataset.Set
	for _, set := range []*dataset.Set{train, test} {
		if set != nil {
			sets = append(sets, set)
		}
	}
	return dataset.Classes(sets...), nil
}
