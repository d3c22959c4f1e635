package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/proofs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// Proofs is a file of proofs about the rows.
type Proofs struct {
	Path, Model, Sum string
	Claims           int // bounds of rows that it proves
}

// ReadProofs names a file of proofs on the page, and counts the bounds of the rows that it proves.
// It is to be about the model of the run, in its own file or in the one beside the proofs.
func (s *Source) ReadProofs(path string) (err error) {
	p := &Proofs{Path: path}
	if p.Sum, err = outfile.Checksum(path); err != nil {
		return err
	}
	r, err := dataset.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	model, bounds := "", s.bounds()
	for lines := bufio.NewReader(r); ; {
		text, err := lines.ReadString('\n')
		switch name, value, _ := strings.Cut(strings.TrimSpace(text), " "); name {
		case "model":
			model = strings.TrimPrefix(value, "sha256 ")
		case "proof":
			if proved, err := s.proves(lines, value, bounds); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			} else if proved {
				p.Claims++
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if p.Claims == 0 {
		return fmt.Errorf("%s holds no proof of a bound of these rows", path)
	}
	p.Model, err = s.modelOf(path, model)
	s.Proofs = p
	return err
}

// proves reads the head of a proof, and reports whether it is of the bound of a row: of its norm,
// to a label or to any other as it was asked.
func (s *Source) proves(
	lines *bufio.Reader, name string, bounds map[string]float64,
) (bool, error) {
	said, known := bounds[name]
	if !known {
		return false, nil
	}
	norm, targeted := "", false
	for {
		text, err := lines.ReadString('\n')
		if err != nil {
			return false, err
		}
		key, value, _ := strings.Cut(strings.TrimSpace(text), " ")
		switch key {
		case "norm":
			norm = value
		case "target":
			targeted = true
		case "bound":
			bound, err := strconv.ParseFloat(value, 64)
			return err == nil && norm == s.Meta.Flags["norm"] &&
				targeted == s.Meta.Targeted() && said <= bound, nil
		case "end":
			return false, nil
		}
	}
}

// bounds are those of the rows, by the names of their proofs.
func (s *Source) bounds() map[string]float64 {
	bounds := make(map[string]float64, len(s.Lines))
	for i := range s.Lines {
		if l := &s.Lines[i]; l.Attacked() && l.Status != results.Attack {
			_, bounds[fmt.Sprintf("row %d", l.Row)] = l.Known()
		}
	}
	return bounds
}

// modelOf returns the file of the model that proofs are about.
func (s *Source) modelOf(path, sum string) (string, error) {
	named, beside := s.Meta.Inputs["model"], proofs.ModelPath(path)
	if named.Sum == sum {
		return named.Path, nil
	}
	for _, file := range []string{beside, named.Path} {
		if m, err := proofs.ReadModel(file); err == nil && fmt.Sprintf("%x", m.SHA256) == sum {
			return file, nil
		}
	}
	return "", fmt.Errorf("%s is about a model with the SHA-256 %.64s, which is neither that of "+
		"the run nor %s", path, sum, beside)
}
