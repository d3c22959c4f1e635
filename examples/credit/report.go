package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
)

// report prints the answers for one applicant and the table, and writes the files.
func (s *settings) report(
	ctx context.Context, b *bank, with, without *answers, stdout io.Writer,
) error {
	if err := s.explain(ctx, b, with, stdout); err != nil {
		return err
	}
	var table strings.Builder
	s.writeTable(&table, with, without)
	io.WriteString(stdout, table.String())
	files := []struct {
		name  string
		write func(w io.Writer) error
	}{
		{"train.csv", func(w io.Writer) error { return writeCSV(w, b.trainX, b.trainY) }},
		{"test.csv", func(w io.Writer) error { return writeCSV(w, b.testX, b.testY) }},
		{"costs.json", func(w io.Writer) error { _, err := w.Write(rulesFile); return err }},
		{"credit.txt",
			func(w io.Writer) error { _, err := io.WriteString(w, table.String()); return err }},
	}
	fmt.Fprintln(stdout)
	for _, f := range files {
		path := filepath.Join(s.folder, f.name)
		if err := outfile.Write(path, f.write); err != nil {
			return err
		}
		fmt.Fprintln(stdout, path)
	}
	return s.figure(with, without).Publish(ctx, stdout, s.folder, "credit-costs")
}

// explain prints some ways to approval for the first applicant who has one.
func (s *settings) explain(ctx context.Context, b *bank, with *answers, stdout io.Writer) error {
	const ways = 3
	for _, p := range with.points {
		if p.Example == nil {
			continue
		}
		x, accepted := b.testX.RawRowView(p.Row), repaid
		a := &attack.RegionBased{Classifier: b.forest, Options: s.options(b.rules, &accepted)}
		list, err := a.Counterfactuals(ctx, x, ways)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "applicant %d is refused, and would be accepted:\n", p.Row)
		t := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
		for i, r := range list.Found {
			writeChanges(t, i+1, r.Distance,
				b.rules.Changes(s.measure.Changes, x, r.Example, x, r.Example, names, nil))
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(stdout)
		return nil
	}
	return nil
}

func writeChanges(w io.Writer, number int, cost float64, changes []costs.Change) {
	fmt.Fprintf(w, "%d. at %.3g\tfrom\tto\tcost\n", number, cost)
	for _, c := range changes {
		fmt.Fprintf(w, "   %s\t%v\t%v\t%.3g\n", c.Feature, short(c.From), short(c.To), c.Cost)
	}
}

// short is a number with six digits, or a category.
func short(v any) string {
	if number, ok := v.(float64); ok {
		return fmt.Sprintf("%.6g", number)
	}
	return fmt.Sprint(v)
}

// faults are the rules that answers without rules break.
var faults = []struct {
	breach rules.Breach
	says   string
}{
	{rules.FrozenMoved, "another age"},
	{rules.OffGrid, "part of a loan, of a month, …"},
	{rules.NotOneHot, "no purpose or several, or parts of some"},
	{rules.Moved, "fewer months, a new loan, too much income, …"},
	{rules.Outside, "beyond a limit"},
}

func (s *settings) writeTable(w io.Writer, with, without *answers) {
	fmt.Fprintf(w,
		"%d refused applicants; a forest of %d trees of depth %d, trained on %d; norm %s\n\n",
		len(with.points), s.trees, s.depth, s.rows, s.measure.Name())
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	row := func(name string, value func(a *answers) string) {
		fmt.Fprintf(t, "%s\t%s\t%s\t\n", name, value(without), value(with))
	}
	count := func(name string, value func(a *answers) int) {
		row(name, func(a *answers) string { return fmt.Sprint(value(a)) })
	}
	number := func(name string, value func(a *answers) float64) {
		row(name, func(a *answers) string { return fmt.Sprintf("%.3g", value(a)) })
	}
	fmt.Fprintln(t, "\twithout rules\twith rules\t")
	count("a way to approval", func(a *answers) int { return a.found })
	count("proven to be the cheapest", func(a *answers) int { return a.proven })
	count("proven that there is none", func(a *answers) int { return a.nobody })
	number("cost, median", func(a *answers) float64 { return a.cost })
	number("largest gap to the bound", func(a *answers) float64 { return a.gap })
	number("ms an answer, median", func(a *answers) float64 { return a.milliseconds })
	number("slowest", func(a *answers) float64 { return a.slowest })
	share := func(of func(a *answers) int) func(a *answers) string {
		return func(a *answers) string {
			return fmt.Sprintf("%.0f %%", 100*float64(of(a))/float64(max(a.found, 1)))
		}
	}
	row("ways that nobody can go", share(func(a *answers) int { return a.unusable }))
	for _, f := range faults {
		row(f.says, share(func(a *answers) int { return a.broken[f.breach] }))
	}
	t.Flush()
}

// figure draws how many of the refused could be accepted at a cost.
func (s *settings) figure(with, without *answers) *plotting.Figure {
	most := 0.0
	for _, p := range with.points {
		if p.Example != nil {
			most = max(most, p.Distance)
		}
	}
	panel := plotting.NewPanel("cost of the cheapest way",
		"share of the refused who could be accepted",
		plotting.Frame{MaxX: 1.03 * cmp.Or(most, 1), MaxY: 1.02}, "What approval costs",
		fmt.Sprintf("%d refused applicants, forest of %d trees", len(with.points), s.trees))
	f := &plotting.Figure{
		Panels: []*plotting.Panel{panel},
		Width:  4.2 * vg.Inch,
		Height: 2.8 * vg.Inch,
	}
	for i, a := range []*answers{without, with} {
		line := &plotter.Line{XYs: a.curve(most), LineStyle: plotting.Line(i)}
		panel.AddLines(line)
		name := fmt.Sprintf("without rules: %d of %d ways are open to nobody",
			without.unusable, without.found)
		if a == with {
			name = "with rules"
		}
		f.Key = append(f.Key, plotting.Entry{Text: name, Icons: []plot.Thumbnailer{line}})
	}
	return f
}

// curve is the share of the answers that cost at most so much.
func (a *answers) curve(most float64) plotter.XYs {
	var prices []float64
	for _, p := range a.points {
		prices = append(prices, p.Distance)
	}
	line := plotting.Steps(prices, len(prices), 2*most)
	for i := range line {
		line[i].Y = 1 - line[i].Y
	}
	return line
}
