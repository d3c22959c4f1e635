package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/attacking"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/gate"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// gating is facet gate: a policy's checks, each answered by another command.
type gating struct {
	model, test, train, baseline string
	timeout                      time.Duration
	files                        gateFiles
	proofs                       string
	overwrite                    bool
	set                          *pflag.FlagSet
}

// rowFlags say how the test rows are read, as those of facet certify do.
var rowFlags = []string{
	"test-labels", "label", "format", "ignore", "header", "sep", "decimal", "missing",
	"unknown-labels", "classes", "max-values", "vote", "target",
}

func beginGate(f *pflag.FlagSet) command.Work {
	g := &gating{set: f}
	f.StringVar(&g.model, "model", "", "the `file` of the model, of any library that facet reads")
	f.StringVar(&g.test, "test", "", "the `file` of the test rows; a policy about all inputs "+
		"alone needs none")
	f.StringVar(&g.baseline, "baseline", "", "the `file` of the model in service, which the model "+
		"is compared with")
	f.StringVar(&g.train, "train", "", "`file` of rows whose ranges a radius such as 2% goes by")
	command.Var(f, &g.timeout, "timeout", "0s", command.Limit,
		"`time` for each check, such as 10s, after which it may stay open; 0: no limit")
	f.Var(&g.files, "out", "write the checks to this `file`, as its ending says: .md with the "+
		"worst cases, for a pull request, .xml as tests of JUnit, .json, .html as the page of "+
		"facet report with the checks on top; markdown:FILE, junit:FILE, json:FILE and "+
		"report:FILE say it of other names; - is JSON on standard output; may be given more than "+
		"once")
	for _, format := range gateFormats {
		command.Renamed(f, format.name, "out", format.name+":")
	}
	f.StringVar(&g.proofs, "proofs", "", "keep proofs of what holds of all inputs in this `folder`")
	command.Overwrite(f, &g.overwrite)
	rows := pflag.NewFlagSet("rows", pflag.ContinueOnError)
	attacking.BeginCertify(rows)
	for _, name := range rowFlags {
		if flag := rows.Lookup(name); flag != nil {
			f.AddFlag(flag)
		}
	}
	return g.run
}

func (g *gating) run(ctx context.Context, stdout, stderr io.Writer) error {
	path := g.set.Arg(0)
	p, err := gate.Read(path)
	if err == nil {
		err = g.check(path, p)
	}
	if err != nil {
		return command.Misuse(err)
	}
	asked := gate.Gate{
		Policy: p, Model: g.model, Baseline: g.baseline, Test: g.test, Train: g.train,
		Rows: g.rows(), Timeout: g.timeout, Proofs: g.proofs, Run: run,
	}
	report, err := asked.Ask(ctx, stderr)
	if err != nil {
		return gate.Exit(err)
	}
	if err := g.files.write(&asked, report); err != nil {
		return command.Failing(gate.Unfinished, err)
	}
	if err := g.print(outfile.ForPeople(stdout, stderr, g.files.paths()...), report); err != nil {
		return command.Failing(gate.Unfinished, err)
	}
	return command.Failing(map[gate.Status]int{
		gate.Pass: gate.Passes, gate.Fail: gate.Fails, gate.Open: gate.IsOpen,
	}[report.Status], nil)
}

// print writes the report for people to read, and where its files are.
func (g *gating) print(w io.Writer, r *gate.Report) error {
	if err := r.Print(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	t := command.NewTable(w)
	t.Row("time", "%.3g s", r.Seconds)
	g.files.print(t)
	t.Written("proofs", g.proofs)
	return t.Flush()
}

// check looks at the flags, before anything is asked.
func (g *gating) check(path string, p *gate.Policy) error {
	switch {
	case g.model == "":
		return errors.New("--model FILE is missing: which model?")
	case g.test == "" && p.AboutRows():
		return errors.New("--test FILE is missing: the policy asks about test rows")
	case g.files.havePage() && len(p.Certified) == 0:
		return errors.New("--out: the page is about certified rows, and the policy has no " +
			"certified check")
	}
	for _, named := range [][2]string{{"--model", g.model}, {"--baseline", g.baseline}} {
		if _, err := os.Stat(named[1]); named[1] != "" && err != nil {
			return fmt.Errorf("%s: %w", named[0], err)
		}
	}
	for _, file := range p.Files() {
		if _, err := os.Stat(file); err != nil {
			return fmt.Errorf("%s names a file: %w", path, err)
		}
	}
	inputs := append(p.Files(), path, g.model, g.test, g.train, g.baseline)
	if err := outfile.Check(inputs, g.overwrite, g.files.outputs()...); err != nil {
		return err
	}
	if g.proofs == "" {
		return nil
	}
	if err := os.MkdirAll(g.proofs, 0o777); err != nil {
		return fmt.Errorf("--proofs: %w", err)
	}
	return nil
}

// rows returns the flags of rows that were given, as they were.
func (g *gating) rows() (args []string) {
	for _, name := range rowFlags {
		if f := g.set.Lookup(name); f != nil && f.Changed {
			args = append(args, "--"+name+"="+f.Value.String())
		}
	}
	return args
}
