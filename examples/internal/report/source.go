package report

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
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

// ReadProofs counts the proofs of a file.
func ReadProofs(path, model string) (*Proofs, error) {
	p := &Proofs{Path: path, Model: model}
	var err error
	if p.Sum, err = outfile.Checksum(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := bufio.NewReader(file)
	if head, _ := r.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		zip, err := gzip.NewReader(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		r = bufio.NewReader(zip)
	}
	for {
		line, err := r.ReadBytes('\n')
		if bytes.Equal(line, []byte("end\n")) {
			p.Claims++
		}
		switch {
		case err == io.EOF && p.Claims == 0:
			return nil, fmt.Errorf("%s holds no proof", path)
		case err == io.EOF:
			return p, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
}
