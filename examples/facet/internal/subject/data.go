package subject

import (
	"context"
	"fmt"
	"io"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// Data are the rows of the files, scaled if the flags say so.
type Data struct {
	Classes *tabular.Classes
	Names   []string        // of the features, nil if the files have none
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
	Labels []tabular.Label // nil if the file has none
	Y      []int           // class of each row, tabular.Unknown if it has none; nil if the file has no labels

	Sum, LabelsSum string // SHA-256 of the files, "" of one that is not there
}

// Matrix returns the rows, which are not copied.
func (p *Part) Matrix() *mat.Dense { return mat.NewDense(p.Rows, p.Dim, p.X) }

// Select returns a copy of some rows.
func (p *Part) Select(rows []int) *Part {
	out := &Part{Path: p.Path, Rows: len(rows), Dim: p.Dim, Sum: p.Sum, LabelsSum: p.LabelsSum}
	for _, i := range rows {
		out.X = append(out.X, p.X[i*p.Dim:(i+1)*p.Dim]...)
		out.Labels = append(out.Labels, p.Labels[i])
		out.Y = append(out.Y, p.Y[i])
	}
	return out
}

// Read reads the files of rows; m is nil for a model that is to be trained. What the user should know
// about the files is written to stderr.
func (s *Flags) Read(ctx context.Context, m *Model, stderr io.Writer) (*Data, error) {
	train, test, err := s.readTables(ctx, m)
	if err != nil {
		return nil, err
	}
	d := new(Data)
	if s.Scale == "minmax" {
		if err := d.scale(train, test); err != nil {
			return nil, err
		}
	}
	if d.Classes, err = s.chooseClasses(m, train, test); err != nil {
		return nil, err
	}
	if d.Train, err = newPart(train, d.Classes, false); err != nil {
		return nil, err
	}
	if d.Test, err = newPart(test, d.Classes, s.UnknownLabels == "wrong"); err != nil {
		return nil, err
	}
	for _, t := range []*tabular.Table{train, test} {
		if t == nil {
			continue
		}
		if d.Names == nil {
			d.Names = t.Names
		}
		for _, note := range t.Notes {
			fmt.Fprintf(stderr, "note: %s\n", note)
		}
	}
	return d, nil
}

func newPart(t *tabular.Table, classes *tabular.Classes, allowUnknown bool) (*Part, error) {
	if t == nil {
		return nil, nil
	}
	p := &Part{Path: t.Path, X: t.X, Rows: t.Rows, Dim: t.Dim, Sum: t.Sum, LabelsSum: t.LabelsSum}
	if t.Labels == nil {
		return p, nil
	}
	var err error
	if p.Y, err = classes.Of(t, allowUnknown); err != nil {
		return nil, err
	}
	for _, text := range t.Labels {
		p.Labels = append(p.Labels, classes.Label(text))
	}
	return p, nil
}

// readTables returns nil for files that are not named.
func (s *Flags) readTables(ctx context.Context, m *Model) (train, test *tabular.Table, err error) {
	var sources []tabular.Source
	if s.Train != "" {
		sources = append(sources, tabular.Source{Path: s.Train, Labels: s.TrainLabels})
	}
	if s.Test != "" {
		sources = append(sources, tabular.Source{Path: s.Test, Labels: s.TestLabels})
	}
	options, dim := s.Tables, 0
	options.MaxValues = s.MaxValues
	if m != nil {
		dim = m.Dim()
	}
	tables, err := tabular.Load(ctx, options, dim, sources...)
	if err != nil {
		return nil, nil, err
	}
	if m != nil && len(tables) > 0 {
		if err := m.widen(tables[0].Dim); err != nil {
			return nil, nil, err
		}
	}
	if s.Train != "" {
		train, tables = tables[0], tables[1:]
	}
	if s.Test != "" {
		test = tables[0]
	}
	return train, test, nil
}

// scale scales the rows in place of what they were.
func (d *Data) scale(train, test *tabular.Table) (err error) {
	if d.Scaling, err = dataset.FitMinMax(setOf(train)); err != nil {
		return fmt.Errorf("--scale minmax: %w", err)
	}
	for _, t := range []*tabular.Table{train, test} {
		if t == nil {
			continue
		}
		scaled, err := d.Scaling.Apply(setOf(t))
		if err != nil {
			return fmt.Errorf("--scale minmax: %s: %w", t.Path, err)
		}
		t.X = scaled.Data
	}
	return nil
}

func setOf(t *tabular.Table) *dataset.Set { return &dataset.Set{Data: t.X, Rows: t.Rows, Dim: t.Dim} }

// chooseClasses returns the classes: those of --classes, or those a model lists, or those of the
// training set, or of the test set if that is all there is.
func (s *Flags) chooseClasses(m *Model, train, test *tabular.Table) (*tabular.Classes, error) {
	switch {
	case s.Classes != nil:
		c, err := tabular.Named(s.Classes)
		if err != nil {
			return nil, fmt.Errorf("--classes: %w", err)
		}
		if n := len(s.Classes); m != nil && n != m.Classifier.Classes() {
			return nil, fmt.Errorf("--classes lists %d labels, the model %s has %d classes", n, m.path, m.Classifier.Classes())
		}
		return c, nil
	case m != nil:
		return m.classes, nil
	case train != nil:
		return tabular.Learned(train)
	}
	return tabular.Learned(test)
}
