package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/attacking"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/report"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// ofResults are the flags of facet attack about the file of results, which a report does not keep.
var ofResults = map[string]bool{
	"resume":   true,
	"shard":    true,
	"summary":  true,
	"untimed":  true,
	"examples": true,
}

// ofPage are the flags that go with results that are there.
var ofPage = map[string]bool{"out": true, "proofs": true, "overwrite": true}

// reporting makes a page of results that are there, or are made first.
type reporting struct {
	results string
	page    string
	proofs  string
	attack  command.Work
	set     *pflag.FlagSet
}

func newReport() *cobra.Command {
	r := new(reporting)
	cmd := &cobra.Command{
		Use: "report RESULTS --out FILE.html", Short: "One HTML page of results, to read, print " +
			"or send.",
		Long: "One HTML page of results, to read, print or send. RESULTS is the --out of facet " +
			"attack or\n" +
			"facet certify. Without it the flags are those of facet attack, which comes first.",
		Args:                  oneFile(""),
		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.SortFlags = false
	r.set = f
	inner := pflag.NewFlagSet("attack", pflag.ContinueOnError)
	inner.SortFlags = false
	r.attack = attacking.BeginFor(inner, r.output)
	f.StringVar(&r.page, "out", "", "write the page to this `file`; - is standard output")
	f.StringVar(&r.proofs, "proofs", "", "name this `file` of facet attack --proofs on the page; "+
		"with the flags of facet attack it is written first")
	inner.VisitAll(func(flag *pflag.Flag) {
		if f.Lookup(flag.Name) == nil && !ofResults[flag.Name] {
			f.AddFlag(flag)
		}
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			r.results = args[0]
		}
		return r.run(cmd.Context(), inner, cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return cmd
}

func (r *reporting) run(ctx context.Context, inner *pflag.FlagSet, stdout, stderr io.Writer) error {
	if err := r.check(); err != nil {
		return command.Misuse(err)
	}
	path := r.results
	if path == "" {
		folder, err := os.MkdirTemp("", "facet-report")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		path = filepath.Join(folder, "rows.jsonl")
		if err := errors.Join(inner.Set("out", path), inner.Set("proofs", r.proofs)); err != nil {
			return err
		}
		if err := r.attack(ctx, stderr, stderr); err != nil {
			return err
		}
	}
	source, err := report.Read(ctx, path)
	if err == nil && r.proofs != "" {
		err = source.ReadProofs(r.proofs)
	}
	if err != nil {
		return command.Misuse(err)
	}
	if r.results != "" {
		if err := r.checkPage(source); err != nil {
			return command.Misuse(err)
		}
	}
	if err := outfile.Write(r.page, source.Write); err != nil {
		return err
	}
	if !outfile.IsStdout(r.page) {
		fmt.Fprintf(stdout, "%d rows, in %s: open it in a browser\n", len(source.Lines), r.page)
	}
	return nil
}

// check looks at what is named.
func (r *reporting) check() error {
	if r.page == "" {
		return errors.New("--out FILE.html names the page")
	}
	var extra string
	r.set.Visit(func(f *pflag.Flag) {
		if r.results != "" && !ofPage[f.Name] {
			extra = f.Name
		}
	})
	if extra != "" {
		return fmt.Errorf(
			"--%s is for an attack, and %s is one that is done: leave one of them out",
			extra, r.results,
		)
	}
	return nil
}

// output is the page, where it is the attack that looks at the files.
func (r *reporting) output() outfile.Output { return outfile.Output{Flag: "out", Path: r.page} }

// checkPage looks at the page where there are results: they, what made them and the proofs stay.
func (r *reporting) checkPage(s *report.Source) error {
	inputs := []string{r.results, results.MetaPath(r.results), r.proofs}
	if s.Proofs != nil {
		inputs = append(inputs, s.Proofs.Model)
	}
	for _, in := range s.Meta.Inputs {
		inputs = append(inputs, in.Path)
	}
	overwrite, err := r.set.GetBool("overwrite")
	return cmp.Or(err, outfile.Check(inputs, overwrite, r.output()))
}
