package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/gate"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/report"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// reporting makes a page of results.
type reporting struct {
	flags     *pflag.FlagSet // whose arguments are the files
	rows      string         // the file of facet attack or facet certify
	beside    []string       // files of the same about other models
	others    []string       // of facet explain, facet verify and facet gate
	about     string
	page      string
	proofs    string
	overwrite bool
}

func beginReport(f *pflag.FlagSet) command.Work {
	r := &reporting{flags: f}
	f.StringVar(&r.page, "out", "", "write the page to this `file`; - is standard output")
	f.StringVar(&r.proofs, "proofs", "", "name this `file` of facet attack --proofs on the page")
	f.StringVar(&r.about, "about", "", "`TEXT` about the model, to stand on the page")
	command.Overwrite(f, &r.overwrite)
	return r.run
}

func (r *reporting) run(ctx context.Context, stdout, _ io.Writer) error {
	source, err := r.read(ctx)
	if err != nil {
		return command.Misuse(err)
	}
	if err := outfile.Write(r.page, source.Write); err != nil {
		return err
	}
	if !outfile.IsStdout(r.page) {
		fmt.Fprintf(stdout, "%d rows, in %s: open it in a browser\n", len(source.Lines), r.page)
	}
	return nil
}

// read reads the results and the proofs, and looks at the page.
func (r *reporting) read(ctx context.Context) (*report.Source, error) {
	if r.page == "" {
		return nil, errors.New("--out FILE.html names the page")
	}
	if err := r.tell(r.flags.Args()); err != nil {
		return nil, err
	}
	source, err := report.Read(ctx, r.rows)
	if err == nil && r.proofs != "" {
		err = source.ReadProofs(r.proofs)
	}
	for _, path := range r.beside {
		if err == nil {
			err = compare(ctx, source, path)
		}
	}
	for _, path := range r.others {
		if err == nil {
			err = addSections(source, path)
		}
	}
	if err != nil {
		return nil, err
	}
	source.About = r.about
	return source, r.checkPage(source)
}

// compare adds a file of rows of another model.
func compare(ctx context.Context, s *report.Source, path string) error {
	other, err := report.Read(ctx, path)
	if err != nil {
		return err
	}
	if err := s.Compare(other); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// tell tells the file of rows from the others. One that is of neither is taken for rows, and an
// error then names the part that they lack.
func (r *reporting) tell(paths []string) error {
	for i, path := range paths {
		if slices.Contains(paths[:i], path) {
			return fmt.Errorf("%s is named twice", path)
		}
		switch program := results.Program(path); {
		case program == results.Explaining, program == "" && !unread(path):
			r.others = append(r.others, path)
		case r.rows != "":
			r.beside = append(r.beside, path)
		default:
			r.rows = path
		}
	}
	if r.rows == "" {
		return fmt.Errorf("%s: a page begins with rows, of facet attack or facet certify --out",
			strings.Join(paths, ", "))
	}
	return nil
}

// unread reports whether a file is none of facet verify or facet gate.
func unread(path string) bool {
	_, err := gate.ReadReport(path)
	if err != nil {
		_, err = gate.ReadProperties(path, nil)
	}
	return err != nil
}

// addSections adds the results in a file of facet explain, facet verify or facet gate.
func addSections(s *report.Source, path string) error {
	if results.Program(path) == results.Explaining {
		section, err := report.ReadReasons(path)
		s.More = append(s.More, section)
		return err
	}
	if r, err := gate.ReadReport(path); err == nil {
		s.First = append(s.First, r.Sections()...)
		return nil
	}
	section, err := gate.ReadProperties(path, s.Meta.Features)
	s.More = append(s.More, section)
	return err
}

// checkPage looks at the page which replaces neither the results nor the files that made them.
func (r *reporting) checkPage(s *report.Source) error {
	inputs := append(slices.Concat(r.others, r.beside), r.rows, results.MetaPath(r.rows), r.proofs)
	if s.Proofs != nil {
		inputs = append(inputs, s.Proofs.Model)
	}
	for _, in := range s.Meta.Inputs {
		inputs = append(inputs, in.Path)
	}
	return outfile.Check(inputs, r.overwrite, outfile.Output{Flag: "out", Path: r.page})
}
