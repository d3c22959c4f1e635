package report

import (
	"context"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// Read reads a file of results, and the rows that it is about from the files that its Meta names.
// Rows that are gone, or differ from those of the run, are left out, and the page says so.
func Read(ctx context.Context, path string) (*Source, error) {
	m, lines, err := results.Read(path)
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
	for name, sum := range data.Sums {
		if was := m.Inputs[name].Sum; was != sum {
			s.Missing = fmt.Sprintf("What examples change is not shown: %s is another file now, "+
				"with SHA-256 %s.",
				m.Inputs[name].Path, sum)
			return s, nil
		}
	}
	s.Categories = data.Categories
	s.Row = func(row int) []tabular.Value {
		i, _ := data.Test.Index(row)
		_, raw := data.Test.Row(i)
		return data.Words.Row(raw)
	}
	return s, nil
}
