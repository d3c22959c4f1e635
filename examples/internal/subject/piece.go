package subject

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// Columns tells how the rows of the test set are read one by one.
func (s *Flags) Columns(d *Data, b tabular.Beginning) (*tabular.Columns, error) {
	return tabular.ReadColumns(b, s.options(), d.features, d.leader)
}

// Piece returns the same classifier with one row as its test set. A row that is none is an error.
func (s *Flags) Piece(all *Subject, raw []float64, text string) (*Subject, error) {
	if s.Of != "" {
		return nil, errors.New("--target probability: is about rows of files")
	}
	if s.Above != nil {
		var err error
		if text, err = s.side(text); err != nil {
			return nil, err
		}
	}
	class, known := all.Classes.Class(text)
	if !known && s.UnknownLabels != "wrong" {
		return nil, fmt.Errorf("its label %.40q is none of the classes", text)
	}
	if !known {
		class = tabular.Unknown
	}
	p := &Part{
		Table: &tabular.Table{X: raw, Rows: 1, Dim: len(raw)}, X: raw,
		Labels: []tabular.Label{all.Classes.Label(text)}, Y: []int{class},
	}
	if all.Scaling != nil {
		var err error
		if p.X, err = all.Scaling.Row(raw); err != nil {
			return nil, err
		}
	}
	d := *all.Data
	d.Test = p
	return &Subject{&d, all.Classifier, all.Regressor}, nil
}
