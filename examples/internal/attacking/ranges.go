package attacking

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ranges are the flags of facet range, and the question that they make.
type ranges struct {
	subject.Flags
	selection
	written
	radius  *float64
	provers provers

	data  *subject.Subject
	rows  []int        // of the test set; none without one
	box   polytope.Box // nil for none
	lines []rangeLine
}

// rangeLine is the line about a row, or about the box.
type rangeLine struct {
	Row        *int            `json:"row"`    // null: of the box
	Output     *float64        `json:"output"` // of the row
	Status     string          `json:"status"` // proven, or limit
	Min        *float64        `json:"min"`
	MinBound   *float64        `json:"min_bound"`
	MinExample []tabular.Value `json:"min_example"`
	Max        *float64        `json:"max"`
	MaxBound   *float64        `json:"max_bound"`
	MaxExample []tabular.Value `json:"max_example"`
	Nodes      int             `json:"nodes"`
	Seconds    float64         `json:"seconds"`
}

// BeginRange adds the flags of facet range and returns the work.
func BeginRange(f *pflag.FlagSet) command.Work {
	r := new(ranges)
	r.Outputs = true
	command.Var(f, &r.Model, "model", "", command.Some,
		"the `file` of a regressor of XGBoost, LightGBM, scikit-learn, or one that facet saved")
	command.Var(f, &r.radius, "radius", "", command.Optional(command.Radius),
		"the range of the outputs at distance ≤ `R` of each test row")
	r.AddTest(f)
	r.AddReading(f)
	r.AddNorm(f)
	r.AddWorkers(f)
	r.addDomain(f, "the range inside the box [`LO,HI`]^d, or where a file says: a line LO,HI for "+
		"each feature, or NAME,LO,HI (default none)")
	r.addRows(f)
	f.StringVar(&r.out, "out", "",
		"write one JSON object a line for each range to this `file` (default -, standard output)")
	f.StringVar(&r.provers.file, "proofs", "", "write proofs of both ends of each range to this "+
		"`file`, gzipped if it ends in .gz; of a model that its checkers do not read, that "+
		"beside it")
	command.Overwrite(f, &r.overwrite)
	r.addUntimed(f,
		"write 0 for the seconds of each range, so that the same ranges give the same bytes")
	return r.run
}

func (r *ranges) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := r.check(); err != nil {
		return command.Misuse(err)
	}
	if err := r.prepare(ctx, stderr); err != nil {
		return command.Misuse(err)
	}
	clock := startClock()
	if err := r.find(ctx, stderr); err != nil {
		return err
	}
	clock.stop()
	if err := r.provers.save(); err != nil {
		return err
	}
	if r.out == "" {
		r.provers.print(stderr)
		return r.writeLines(stdout)
	}
	if err := outfile.Write(r.out, r.writeLines); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	stdout = outfile.ForPeople(stdout, stderr, r.out)
	if err := r.printTable(stdout, clock); err != nil {
		return err
	}
	r.provers.print(stdout)
	return nil
}

func (r *ranges) check() error {
	switch err := r.Check(subject.Required{Flag: "model", Why: "the file of a regressor"}); {
	case err != nil:
		return err
	case r.Test.Path == "" && (r.radius != nil || r.rowsFile != "" || r.points > 0):
		return errors.New(
			"--test FILE is missing: --radius, --rows and --points are about its rows",
		)
	case r.Test.Path != "" && r.radius == nil:
		return errors.New("--radius R is missing: how far from each row of --test is the range?")
	case r.provers.file != "" && r.radius != nil && r.Norm != polytope.LInf:
		return errors.New("--proofs: proofs of ranges are about boxes, those of --norm inf")
	}
	return nil
}

// prepare reads the files and chooses the rows; there are none without --test.
func (r *ranges) prepare(ctx context.Context, stderr io.Writer) (err error) {
	if err := r.checkOutputs(outfile.Output{Flag: "out", Path: r.out},
		outfile.Output{Flag: "proofs", Path: r.provers.file}); err != nil {
		return err
	}
	r.Piecewise = r.Test.Path == ""
	if r.data, err = r.selection.load(ctx, &r.Flags, stderr); err != nil {
		return err
	}
	if r.data.Names == nil {
		r.data.Names = classifier.NamesOf(r.data.Regressor).Features
	}
	if r.provers.file != "" {
		err := cmp.Or(r.provers.about(r.Model, r.data.Regressor, ".model.json"),
			r.checkOutputs(r.provers.models.outputs()...))
		if err != nil {
			return err
		}
	}
	if r.box, err = r.domain.scaled(r.data.Data, r.data.Regressor.Dim()); err != nil ||
		r.Test.Path == "" {
		return err
	}
	r.rows, err = r.listed(ctx, r.data.Data, dataset.Limits{Values: r.MaxValues})
	if r.points > 0 {
		r.rows = r.rows[:min(r.points, len(r.rows))]
	}
	return err
}

// checkOutputs looks at files that are written.
func (r *ranges) checkOutputs(outputs ...outfile.Output) error {
	inputs := r.Inputs()
	r.addInputs(inputs)
	return outfile.Check(slices.Sorted(maps.Values(inputs)), r.overwrite, outputs...)
}

// find computes the ranges.
func (r *ranges) find(ctx context.Context, stderr io.Writer) error {
	if r.Test.Path == "" {
		line, err := r.rangeOf(ctx, nil)
		if r.lines = []rangeLine{line}; err == nil {
			err = r.proveEach(ctx)
		}
		return err
	}
	bar := progress.New(stderr, progress.Options{
		Description: "bounding", Unit: "ranges", Total: len(r.rows),
	})
	defer bar.Close()
	r.lines = make([]rangeLine, len(r.rows))
	err := rows.Each(ctx, r.Workers, len(r.rows), func(i int) (err error) {
		defer bar.Add(1)
		if r.lines[i], err = r.rangeOf(ctx, &r.rows[i]); err != nil {
			return fmt.Errorf("row %d: %w", r.data.Test.Number(r.rows[i]), err)
		}
		return nil
	})
	if err == nil {
		err = r.proveEach(ctx)
	}
	return cmp.Or(err, ctx.Err())
}

// proveEach proves all ranges, one after the other: they are about sums without rounding.
func (r *ranges) proveEach(ctx context.Context) error {
	if r.provers.file == "" {
		return nil
	}
	all := &r.provers.text
	for i := range r.lines {
		var row *int
		if r.Test.Path != "" {
			row = &r.rows[i]
		}
		begin := all.Len()
		_, err := proved(&r.provers, r.options(row), rangeOf(ctx, r.data.Regressor))
		if err != nil {
			return fmt.Errorf("--proofs: %w", err)
		}
		if row := r.lines[i].Row; row != nil { // the only one there
			named := bytes.ReplaceAll(all.Bytes()[begin:], []byte(", near row 0\n"),
				fmt.Appendf(nil, ", near row %d\n", *row))
			all.Truncate(begin)
			all.Write(named)
		}
	}
	return nil
}

// options are those of the range around a row, or of the box if that is nil.
func (r *ranges) options(row *int) property.Options {
	opts := property.Options{
		Domain: r.box, Timeout: r.timeout, MaxNodes: r.maxNodes, Features: r.categories(),
	}
	if row != nil {
		x, _ := r.data.Test.Row(*row)
		opts.Near, opts.Within, opts.Norm = mat.NewDense(1, len(x), x), *r.radius, r.Norm
	}
	return opts
}

// rangeOf computes one, around a row unless that is nil.
func (r *ranges) rangeOf(ctx context.Context, row *int) (line rangeLine, err error) {
	begun, opts := time.Now(), r.options(row)
	opts.Computed = opts.Features == nil
	if row != nil {
		x, _ := r.data.Test.Row(*row)
		line.Row, line.Output = new(r.data.Test.Number(*row)), finite(r.data.Regressor.Predict(x))
	}
	least, most, err := property.Range(ctx, r.data.Regressor, opts)
	if err != nil {
		return line, costs.Named(err, r.data.Names)
	}
	line.Min, line.MinBound = finite(least.Output), finite(least.Bound-least.Rounding)
	line.Max, line.MaxBound = finite(most.Output), finite(most.Bound+most.Rounding)
	line.MinExample = r.data.Words.Row(least.X)
	line.MaxExample = r.data.Words.Row(most.X)
	line.Nodes = least.Nodes + most.Nodes
	if line.Status = "limit"; least.Status == attack.StatusOptimal &&
		most.Status == attack.StatusOptimal {
		line.Status = "proven"
	}
	if !r.untimed {
		line.Seconds = time.Since(begun).Seconds()
	}
	return line, nil
}

// categories returns the features of a model that has categories, which are codes that it knows,
// and lie 1 from one another; nil without any.
func (r *ranges) categories() []attack.Feature {
	codes := r.data.Regressor.Categories()
	if !slices.ContainsFunc(codes, func(n int) bool { return n > 0 }) {
		return nil
	}
	rules := &costs.Rules{Features: make([]attack.Feature, len(codes))}
	rules.Declare(codes)
	return rules.Features
}

func (r *ranges) writeLines(w io.Writer) error { return encodeLines(w, r.lines) }

// printTable sums the ranges up.
func (r *ranges) printTable(w io.Writer, took *clock) error {
	proven, nodes, widths, seconds := 0, 0, []float64(nil), []float64(nil)
	for _, l := range r.lines {
		if nodes += l.Nodes; l.Status == "proven" {
			proven++
		}
		if l.Min != nil && l.Max != nil {
			widths = append(widths, *l.Max-*l.Min)
		}
		seconds = append(seconds, l.Seconds)
	}
	q, s := quantilesOf(widths), quantilesOf(seconds)
	t := command.NewTable(w)
	t.Row("model", "%s", r.Model)
	t.Row("ranges", "%d, of them %d proven", len(r.lines), proven)
	t.Row("largest less smallest output", "%s least, %s median, %s most",
		number(q.Least), number(q.Median), number(q.Most))
	t.Row("nodes", "%.4g a range", float64(nodes)/math.Max(1, float64(len(r.lines))))
	t.Row("time", "%.3g s; %s s median, %s s most",
		took.wall, number(s.Median), number(s.Most))
	t.Written("rows", r.out)
	return t.Flush()
}
