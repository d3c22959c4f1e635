package report

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// Read reads a file of results, and the rows that it is about from the files that its Meta names.
// Rows that are gone, or differ from those of the run, are left out, and the page says so.
func Read(ctx context.Context, path string) (*Source, error) {
	m, lines, err := results.Read[results.Line](path)
	if err != nil {
		return nil, err
	}
	s := &Source{Meta: m, Lines: lines}
	files := make(map[string]string)
	for name, in := range m.Inputs {
		files[name] = in.Path
	}
	data, err := subject.Again(ctx, m.Flags, files)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		s.Missing = fmt.Sprintf("What examples change is not shown: %v.", err)
		return s, nil
	}
	for _, name := range slices.Sorted(maps.Keys(data.Sums)) {
		if sum := data.Sums[name]; m.Inputs[name].Sum != sum {
			s.Missing = fmt.Sprintf("What examples change is not shown: %s is another file now, "+
				"with SHA-256 %s.",
				m.Inputs[name].Path, sum)
			return s, nil
		}
	}
	s.Categories = data.Categories
	s.readModel(data)
	s.Row = func(row int) []tabular.Value {
		i, _ := data.Test.Index(row)
		_, raw := data.Test.Row(i)
		return data.Words.Row(raw)
	}
	return s, nil
}

// readModel takes up the page's facts about the model, and asks it.
func (s *Source) readModel(of *subject.Subject) {
	switch {
	case of.Regressor != nil:
		s.Model = of.Regressor
	case of.Classifier != nil:
		s.Model = of.Classifier
	default:
		return
	}
	s.Date = modified(s.Meta.Inputs["model"].Path)
	if s.Meta.Flags["change"] != "" || of.Scaling != nil {
		return
	}
	s.Predict = func(x []float64) tabular.Label {
		return of.Classes.At(of.Classifier.Predict(x))
	}
	s.Words = of.Words
}

// modified returns the day when a file was written; "" for one that is gone.
func modified(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return info.ModTime().Format(time.DateOnly)
}
