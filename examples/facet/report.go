package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/report"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// reporting makes a page of results.
type reporting struct {
	results   string
	page      string
	proofs    string
	overwrite bool
}

func beginReport(f *pflag.FlagSet) func(path string) command.Work {
	r := new(reporting)
	f.StringVar(&r.page, "out", "", "write the page to this `file`; - is standard output")
	f.StringVar(&r.proofs, "proofs", "", "name this `file` of facet attack --proofs on the page")
	command.Overwrite(f, &r.overwrite)
	return func(path string) command.Work {
		r.results = path
		return r.run
	}
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
	source, err := report.Read(ctx, r.results)
	if err == nil && r.proofs != "" {
		err = source.ReadProofs(r.proofs)
	}
	if err != nil {
		return nil, err
	}
	return source, r.checkPage(source)
}

// checkPage looks at the page which replaces neither the results nor what made them.
func (r *reporting) checkPage(s *report.Source) error {
	inputs := []string{r.results, results.MetaPath(r.results), r.proofs}
	if s.Proofs != nil {
		inputs = append(inputs, s.Proofs.Model)
	}
	for _, in := range s.Meta.Inputs {
		inputs = append(inputs, in.Path)
	}
	return outfile.Check(inputs, r.overwrite, outfile.Output{Flag: "out", Path: r.page})
}
