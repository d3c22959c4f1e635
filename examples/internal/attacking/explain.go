package attacking

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// explaining are the flags of facet explain, and the question that they make.
type explaining struct {
	task
	smallest bool
	reasons  int
	box      bool

	of   *evaluation
	asks *attack.RegionBased
}

// BeginExplain adds the flags of facet explain and returns the work.
func BeginExplain(f *pflag.FlagSet) command.Work {
	e := new(explaining)
	e.Unlabeled, e.misclassified = true, true
	e.program, e.doing = results.Explaining, "explaining"
	e.AddRows(f)
	e.AddModel(f)
	e.AddSearch(f)
	e.AddThreshold(f)
	e.addDomain(f, "the inputs that a reason is about: those inside the box [`LO,HI`]^d, after "+
		"scaling, or where a file says in its own units: a line LO,HI for each feature, or "+
		"NAME,LO,HI (default all)")
	f.BoolVar(&e.smallest, "smallest",
		false, "a reason of fewest features, which takes longer; --timeout limits it")
	command.Var(f, &e.reasons, "reasons", "1", command.AtLeast(1), "up to `N` reasons a row")
	f.BoolVar(&e.box, "box", false, "intervals within which nothing changes the label, too")
	e.addCosts(f)
	e.addProofs(f, "reason")
	e.addRows(f)
	e.addShard(f)
	e.addOut(f, "without it they go to standard output")
	return e.run
}

func (e *explaining) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := e.finish("its rows are explained", func() error { return nil }); err != nil {
		return command.Misuse(err)
	}
	if e.out == outfile.Stdout {
		e.out = ""
	}
	if err := e.checkFiles(); err != nil {
		return command.Misuse(err)
	}
	if err := e.prepare(ctx, stderr); err != nil {
		return command.Misuse(err)
	}
	out, clock, err := writeLines(ctx, e.of,
		func(out *results.File[results.Explanation]) error {
			return addLines(ctx, e.of, out, "rows", stderr, e.row)
		})
	if err != nil {
		return err
	}
	slices.SortFunc(out.Lines,
		func(a, b results.Explanation) int { return cmp.Compare(a.Row, b.Row) })
	if e.out == "" {
		return encodeLines(stdout, out.Lines)
	}
	return e.printTable(outfile.ForPeople(stdout, stderr, e.out), clock, out)
}

// prepare reads the files, trains, makes the attack that is asked, and chooses the rows.
func (e *explaining) prepare(ctx context.Context, stderr io.Writer) error {
	var err error
	if e.of, err = load(ctx, &e.task, stderr); err != nil {
		return err
	}
	if err := e.build(ctx); err != nil {
		return err
	}
	return e.of.chooseRows(ctx)
}

// build makes the attack, by the rules of moves.
func (e *explaining) build(ctx context.Context) error {
	err := e.of.readRules(ctx)
	if err == nil {
		e.asks, err = e.of.exact(e.of.data.Classifier)
	}
	if err == nil && e.proofs != "" {
		e.of.prover, err = e.of.proverOf(e.asks, e.proofs)
	}
	return err
}

// explainer returns an explainer of labels, for the inputs that the attack may reach.
func (e *explaining) explainer() *explain.Explainer {
	return &explain.Explainer{Classifier: e.asks.Classifier, Options: e.asks.Options}
}

// reason looks for reasons. The text is that of their proofs, those that checkers follow.
func (e *explaining) reason(
	ctx context.Context, x []float64,
) (found explain.Reasons, text []byte, err error) {
	asks, proofs := e.explainer(), new(bytes.Buffer)
	if e.proofs != "" {
		asks.Proof = proof.NewWriter(proofs)
	}
	asks.Count, asks.Smallest = e.reasons, e.smallest
	found, err = asks.Reasons(ctx, x)
	if len(found.Found) > 0 &&
		(errors.Is(err, errors.ErrUnsupported) || errors.Is(err, attack.ErrUnproven)) {
		err = nil
	}
	return found, proofs.Bytes(), err
}

// row explains one. The text is that of its proofs.
func (e *explaining) row(
	ctx context.Context, row int,
) (l results.Explanation, text []byte, err error) {
	begun, test := time.Now(), e.of.data.Test
	x, _ := test.Row(row)
	l = results.Explanation{
		Row: test.Number(row), ID: test.ID(row), Label: test.Label(row),
		Predicted: e.of.classes[e.of.data.Classifier.Predict(x)],
	}
	found, text, err := e.reason(ctx, x)
	if err != nil {
		return l, nil, err
	}
	l.Reasons, l.Status, l.Checks = e.reasonsOf(found), found.Status.String(), found.Checks
	if len(found.Found) > 0 {
		l.Status = found.Found[0].Status.String()
	}
	if e.box {
		checks := 0
		if l.Box, checks, err = e.boxOf(ctx, x); err != nil {
			return l, nil, err
		}
		l.Checks += checks
	}
	if l.Nearest, err = e.nearest(ctx, row); err != nil {
		return l, nil, err
	}
	if !e.untimed {
		l.Seconds = time.Since(begun).Seconds()
	}
	return l, text, ctx.Err() // once the context has ended, reasons are cut short
}

// reasonsOf says reasons by the names of their features.
func (e *explaining) reasonsOf(found explain.Reasons) (r results.Reasons) {
	if len(found.Found) == 0 {
		return r
	}
	first := found.Found[0]
	r.Reason = e.names(first.Features)
	r.Minimal, r.Smallest = first.Status == attack.StatusOptimal, first.Smallest()
	if e.reasons > 1 {
		for _, one := range found.Found {
			r.All = append(r.All, e.names(one.Features))
		}
	}
	return r
}

// boxOf returns the intervals of the features that are not free, and the checks that it took.
func (e *explaining) boxOf(
	ctx context.Context, x []float64,
) (l results.Box, checks int, err error) {
	b, err := e.explainer().LabelBox(ctx, x)
	if err != nil {
		return l, 0, err
	}
	l.Ends, l.Fixed = map[string][2]*float64{}, e.names(b.Fixed)
	for j, i := range b.Box {
		whole := polytope.Line()
		if e.asks.Domain != nil {
			whole = e.asks.Domain[j]
		}
		if i != whole {
			if i = e.of.data.UnscaleInterval(j, i); e.of.box != nil {
				i = geometry.Intersect(i, e.of.box[j])
			}
			l.Ends[costs.Name(e.of.data.Names, j)] = [2]*float64{finite(i.Lo), finite(i.Hi)}
		}
	}
	return l, b.Checks, nil
}

// nearest returns the nearest input of another label.
func (e *explaining) nearest(ctx context.Context, row int) (l results.Nearest, err error) {
	d := e.of.data
	x, raw := d.Test.Row(row)
	several, err := e.asks.Counterfactuals(ctx, x, 1) // whose examples make no needless change
	if err != nil {
		return l, err
	}
	r := first(several)
	l.Distance, l.Proven = finite(r.Distance), r.Optimal()
	if r.Example == nil {
		return l, nil
	}
	l.Change = map[string]tabular.Value{}
	for j, v := range d.Unscale(row, r.Example, r.Label, e.of.box) {
		if v != raw[j] && !(math.IsNaN(v) && math.IsNaN(raw[j])) {
			l.Change[costs.Name(e.of.data.Names, j)] = d.Words.At(j, v)
		}
	}
	return l, nil
}

// names is nil if features are.
func (e *explaining) names(features []int) (names []string) {
	if features != nil {
		names = []string{}
	}
	for _, j := range features {
		names = append(names, costs.Name(e.of.data.Names, j))
	}
	return names
}

// printTable sums the explanations up.
func (e *explaining) printTable(
	w io.Writer, took *clock, out *results.File[results.Explanation],
) error {
	var sizes, seconds []float64
	minimal, smallest := 0, 0
	for _, l := range out.Lines {
		if l.Reason != nil {
			sizes = append(sizes, float64(len(l.Reason)))
		}
		if l.Minimal {
			minimal++
		}
		if l.Smallest {
			smallest++
		}
		seconds = append(seconds, l.Seconds)
	}
	q, s := quantilesOf(sizes), quantilesOf(seconds)
	t := command.NewTable(w)
	t.Row("model", "%s", e.Model)
	t.Row("inputs", "%s", e.of.meta().AboutAll())
	t.Row("rows", "%d, of them %d with a reason that is minimal", len(out.Lines), minimal)
	if e.smallest {
		t.Row("smallest reasons", "%d proven", smallest)
	}
	t.Row("features of a reason", "%s least, %s median, %s most",
		number(q.Least), number(q.Median), number(q.Most))
	t.Row("time", "%.3g s; %s s median, %s s most",
		took.wall, number(s.Median), number(s.Most))
	if e.of.prover != nil {
		t.Row("proofs", "%d, written to %s", e.of.prover.file.Proofs, e.proofs)
	}
	t.Written("rows", e.out+history(out, command.Release()))
	return t.Flush()
}
