package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// Data are the rows of the files, scaled if the flags say so.
type Data struct {
	Classes *tabular.Classes
	Names   []string      // of the features; nil if no file names them
	Words   tabular.Words // of their categories; nil if the model has none
	// of each feature how many codes the model has, 0 for a number; nil if all are
	Categories []int
	Scaling    *dataset.MinMax // nil without --scale minmax
	Train      *Part           // nil without --train
	Test       *Part           // nil without --test
	// Sums are the SHA-256 of the files that were read, by flag.
	Sums map[string]string

	leader   *tabular.Table // that of --train, which other files follow; nil without one
	features tabular.Model  // that of a model file
}

// Part is the rows of a file, which has them in its own units.
type Part struct {
	*tabular.Table
	X      []float64       // row-major, scaled; as in the file without a scaling
	Labels []tabular.Label // nil if the file has none
	// class of each row, tabular.Unknown for one that the classifier does not know
	Y []int
}

// Label returns the label of a row, nil if the file has none.
func (p *Part) Label(i int) *tabular.Label {
	if p.Labels == nil {
		return nil
	}
	return &p.Labels[i]
}

// Accuracy returns the share of the rows that are predicted as they are labelled.
func (p *Part) Accuracy(predicted []int) float64 {
	correct := 0
	for i, class := range predicted {
		if p.Y[i] == class {
			correct++
		}
	}
	return float64(correct) / float64(len(predicted))
}

// Matrix returns the rows, which are not copied.
func (p *Part) Matrix() *mat.Dense { return mat.NewDense(p.Rows, p.Dim, p.X) }

// Row returns a scaled row and the same as it is in the file.
func (p *Part) Row(i int) (x, raw []float64) {
	return p.X[i*p.Dim : (i+1)*p.Dim : (i+1)*p.Dim], p.Table.Row(i)
}

// Select returns a copy of some rows.
func (p *Part) Select(rows []int) *Part {
	out := &Part{Table: &tabular.Table{Path: p.Path, Rows: len(rows), Dim: p.Dim}}
	for _, i := range rows {
		x, raw := p.Row(i)
		out.X, out.Table.X = append(out.X, x...), append(out.Table.X, raw...)
		out.Labels, out.Y = append(out.Labels, p.Labels[i]), append(out.Y, p.Y[i])
		out.Numbers = append(out.Numbers, p.Number(i))
	}
	return out
}

// Read reads the files of rows; m is nil for a model that is to be trained. What the user should
// know about them is said on stderr.
func (s *Flags) Read(ctx context.Context, m *Model, stderr io.Writer) (*Data, error) {
	train, test, err := s.readTables(ctx, m, stderr)
	if err != nil {
		return nil, err
	}
	if train != nil && train.Labels == nil && m == nil {
		return nil, fmt.Errorf("%s: the file holds no labels: name theirs too, with --train-labels",
			train.Path)
	}
	if err := cmp.Or(s.label(train), s.label(test)); err != nil {
		return nil, err
	}
	d := &Data{Sums: make(map[string]string), leader: train}
	if m != nil {
		d.Sums["model"], d.features = m.sum, m.features()
		d.Words, d.Categories = d.features.Words, m.categories()
	}
	if d.Classes, err = s.chooseClasses(m, train); err != nil {
		return nil, err
	}
	if d.Train, err = d.part("train", train, false); err != nil {
		return nil, err
	}
	if d.Test, err = d.part("test", test, s.UnknownLabels == "wrong"); err != nil {
		return nil, err
	}
	for _, t := range []*tabular.Table{train, test} {
		if t != nil {
			s.notes = append(s.notes, t.Notes...)
		}
	}
	if s.Scale == "minmax" {
		err = d.scale()
	}
	return d, err
}

// part makes the rows of a table. A nil table has none.
func (d *Data) part(name string, t *tabular.Table, allowUnknown bool) (*Part, error) {
	if t == nil {
		return nil, nil
	}
	d.Sums[name] = t.Sum
	if t.LabelsSum != "" {
		d.Sums[name+"-labels"] = t.LabelsSum
	}
	if d.Names == nil {
		d.Names = t.Names
	}
	p := &Part{Table: t, X: t.X}
	if t.Labels == nil {
		return p, nil
	}
	y, err := d.Classes.Of(t, allowUnknown)
	if err != nil {
		return nil, err
	}
	p.Y = y
	for _, text := range t.Labels {
		p.Labels = append(p.Labels, d.Classes.Label(text))
	}
	return p, nil
}

// readTables returns nil for files that are not named.
func (s *Flags) readTables(
	ctx context.Context, m *Model, stderr io.Writer,
) (train, test *tabular.Table, err error) {
	defer progress.Busy(stderr, "reading")()
	var sources []tabular.Source
	if s.Train.Path != "" {
		sources = append(sources, s.Train)
	}
	if s.Test.Path != "" && !s.Piecewise {
		sources = append(sources, s.Test)
	}
	switch {
	case len(sources) == 0 && s.Piecewise:
		return nil, nil, nil
	case len(sources) == 0:
		return nil, nil, errors.New("no file of rows is named")
	}
	var features tabular.Model
	if m != nil {
		features = m.features()
	}
	tables, err := command.UnlessEnded(ctx, func() ([]*tabular.Table, error) {
		return tabular.Load(ctx, s.options(), features, sources...)
	})
	if err != nil {
		return nil, nil, err
	}
	if m != nil {
		if err := m.widen(tables[0].Dim); err != nil {
			return nil, nil, err
		}
	}
	if s.Train.Path != "" {
		train, tables = tables[0], tables[1:]
	}
	if s.Test.Path != "" && !s.Piecewise {
		test = tables[0]
	}
	return train, test, nil
}

// options say how files are read.
func (s *Flags) options() tabular.Options {
	o := s.Options
	o.Unlabeled = o.Unlabeled || s.Change != nil || s.Outputs
	return o
}

// Ranges returns the scaling that takes the range of each number in some rows to [0,1], and leaves
// codes of categories as they are.
func (d *Data) Ranges(of *Part) (*dataset.MinMax, error) {
	scaling, err := dataset.FitMinMax(of.Set(), d.Categories)
	if err != nil {
		return nil, costs.Named(err, d.Names)
	}
	return scaling, nil
}

// Set returns the rows as they are in the file.
func (p *Part) Set() *dataset.Set {
	return &dataset.Set{Data: p.Table.X, Rows: p.Rows, Dim: p.Dim}
}

// scale fits the scaling to the training rows and applies it to all.
func (d *Data) scale() error {
	var err error
	if d.Scaling, err = d.Ranges(d.Train); err != nil {
		return fmt.Errorf("--scale minmax: %w", err)
	}
	for _, p := range []*Part{d.Train, d.Test} {
		if p == nil {
			continue
		}
		scaled, err := d.Scaling.Apply(p.Set())
		if err != nil {
			return fmt.Errorf("--scale minmax: %s: %w", p.Path, err)
		}
		p.X = scaled.Data
	}
	return nil
}

// chooseClasses returns the classes: those of --classes, or those a model lists, or those of the
// training set in ascending order.
func (s *Flags) chooseClasses(m *Model, train *tabular.Table) (*tabular.Classes, error) {
	switch {
	case s.Classes != nil && s.Of == "": // else they are those of the model of probabilities
		if m != nil && len(s.Classes) != m.Classifier.Classes() {
			return nil, fmt.Errorf("--classes lists %d labels, the model %s has %d classes",
				len(s.Classes), m.path, m.Classifier.Classes())
		}
		c, err := tabular.Named(s.Classes)
		if err != nil {
			return nil, fmt.Errorf("--classes: %w", err)
		}
		return c, nil
	case m != nil:
		return m.classes, nil
	}
	return tabular.Learned(train)
}

// note keeps a sentence for the user.
func (s *Flags) note(text string) { s.notes = append(s.notes, text) }

// SayNotes writes the notes about the files.
func (s *Flags) SayNotes(stderr io.Writer) {
	for _, note := range s.notes {
		fmt.Fprintf(stderr, "note: %s\n", note)
	}
	s.notes = nil
}
