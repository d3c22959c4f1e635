package attacking

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// explaining are the flags of facet explain, and what they ask for.
type explaining struct {
	task
	smallest bool
	reasons  int
	box      bool
	proofs   string // of the reasons

	data   *subject.Subject
	rows   []int // of the test set
	attack *attack.RegionBased
	prover *prover // nil without proofs
	lines  []explanation
}

// explanation is what is written about a row.
type explanation struct {
	Row       int            `json:"row"`
	ID        *string        `json:"id,omitempty"`
	Label     *tabular.Label `json:"label,omitempty"`
	Predicted tabular.Label  `json:"predicted"`
	Reason    []string       `json:"reason"` // null: none is there, or known
	Minimal   bool           `json:"minimal"`
	Smallest  bool           `json:"smallest"`
	Reasons   [][]string     `json:"reasons,omitempty"` // of --reasons, the first among them
	// Box has the ends of the features that are not free, null for none, and Fixed are those that
	// have no interval and stay.
	Box    map[string][2]*float64 `json:"box,omitempty"`
	Fixed  []string               `json:"fixed,omitempty"`
	Status string                 `json:"status"` // of the reason: optimal, limit or none
	// Change is what the nearest input of another label changes, and Distance how far it is.
	Change   map[string]tabular.Value `json:"change"`
	Distance *float64                 `json:"distance"`
	Proven   bool                     `json:"proven"` // that none is nearer
	Checks   int                      `json:"checks"`
	Seconds  float64                  `json:"seconds"`

	proof []byte // of the reason, for --proofs
}

// BeginExplain adds the flags of facet explain and returns the work.
func BeginExplain(f *pflag.FlagSet) command.Work {
	e := new(explaining)
	e.Unlabeled = true
	e.AddRows(f)
	e.AddModel(f)
	e.AddSearch(f)
	e.addDomain(f, "the inputs that a reason is about: those inside the box [`LO,HI`]^d, or where "+
		"a file says: a line LO,HI for each feature, or NAME,LO,HI (default all)")
	f.BoolVar(&e.smallest, "smallest",
		false, "a reason of fewest features, which takes longer; --timeout limits it")
	command.Var(f, &e.reasons, "reasons", "1", command.AtLeast(1), "up to `N` reasons a row")
	f.BoolVar(&e.box, "box", false, "intervals within which nothing changes the label, too")
	e.addCosts(f)
	f.StringVar(&e.proofs, "proofs", "", "write a proof of each reason to this `file`, gzipped "+
		"if it ends in .gz, for facet check; the model goes to FILE.model.json unless --model is "+
		"a file that checkers of proofs read")
	e.addRows(f)
	e.addShard(f, "cat joins the files of all N")
	f.StringVar(&e.out, "out", "",
		"write one JSON object a line for each row to this `file` (default -, standard output)")
	f.BoolVar(&e.overwrite, "overwrite", false, "replace --out if it is there already")
	f.BoolVar(&e.untimed, "untimed",
		false, "write 0 for the seconds of each row, so that the same rows give the same bytes")
	return e.run
}

func (e *explaining) run(ctx context.Context, stdout, stderr io.Writer) error {
	return list(ctx, e, e.out, stdout, stderr)
}

func (e *explaining) check() error {
	return e.Check(subject.Required{Flag: "test", Why: "its rows are explained"})
}

// prepare reads the files, trains, and chooses the rows.
func (e *explaining) prepare(ctx context.Context, stderr io.Writer) error {
	err := subject.CheckOutputs(e.inputs(), subject.Output{Flag: "out", Path: e.out},
		subject.Output{Flag: "proofs", Path: e.proofs})
	if err != nil {
		return err
	}
	if err := outfile.Free(e.out, e.overwrite); err != nil {
		return err
	}
	scaled, err := e.selection.load(ctx, &e.Flags, stderr)
	if err != nil {
		return err
	}
	if e.data, err = scaled.InFileUnits(); errors.Is(err, errors.ErrUnsupported) {
		return errors.New("--scale minmax: reasons in the units of the files are for trees; " +
			"scale the files of other classifiers first")
	} else if err != nil {
		return err
	}
	if err := e.build(ctx); err != nil {
		return err
	}
	e.rows, err = e.listed(ctx, e.data.Data, dataset.Limits{Values: e.MaxValues})
	if e.points > 0 {
		e.rows = e.rows[:min(e.points, len(e.rows))]
	}
	e.rows = results.Take(e.shard, e.rows)
	return err
}

// build makes the attack that is asked, by the rules of moves.
func (e *explaining) build(ctx context.Context) error {
	all := &evaluation{task: &e.task, data: e.data}
	if err := all.readCosts(ctx); err != nil {
		return err
	}
	box, err := e.domain.scaled(e.data.Data, e.data.Classifier.Dim())
	if err != nil {
		return err
	}
	e.attack = &attack.RegionBased{Classifier: e.data.Classifier, Options: attack.Options{
		Norm: e.Norm, Workers: 1, Timeout: e.timeout, MaxNodes: e.maxNodes, Domain: box,
	}}
	if err := all.follow(e.attack); err != nil || e.proofs == "" {
		return err
	}
	if err := all.checkProvable(e.attack); err != nil {
		return err
	}
	e.prover, err = all.proverOf(e.attack, e.proofs)
	return err
}

// writeProofs writes the proofs of all rows.
func (e *explaining) writeProofs() error {
	if err := e.prover.open(false); err != nil {
		return err
	}
	var err error
	for i := range e.lines {
		if err == nil {
			err = e.prover.file.Add(e.lines[i].Row, e.lines[i].proof)
		}
	}
	return cmp.Or(err, e.prover.file.Close())
}

// prove makes the proof of a reason, if there is one that checkers follow.
func (e *explaining) prove(ctx context.Context, x []float64, features []int) ([]byte, error) {
	if e.prover == nil || features == nil {
		return nil, nil
	}
	var text bytes.Buffer
	_, err := e.attack.ProveForced(ctx, x, features, nil, proof.Continue(&text))
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, attack.ErrUnproven) {
		err = nil
	}
	return text.Bytes(), err
}

// find explains all rows.
func (e *explaining) find(ctx context.Context, stderr io.Writer) (err error) {
	bar := progress.New(stderr, progress.Options{
		Description: "explaining", Unit: "rows", Total: len(e.rows),
	})
	e.lines, err = eachRow(ctx, &e.Flags, e.data.Test, e.rows, bar, e.row)
	if err != nil || e.prover == nil {
		return err
	}
	return e.writeProofs()
}

// row explains one.
func (e *explaining) row(ctx context.Context, row int) (explanation, error) {
	begun, test := time.Now(), e.data.Test
	x, _ := test.Row(row)
	l := explanation{
		Row: test.Number(row), ID: test.ID(row), Label: test.Label(row),
		Predicted: e.data.Classes.Labels()[e.data.Classifier.Predict(x)],
	}
	found, err := e.attack.Reasons(ctx, x, attack.ReasonOptions{
		Count: e.reasons, Smallest: e.smallest,
	})
	if err != nil {
		return l, err
	}
	first := found[0]
	if l.proof, err = e.prove(ctx, x, first.Features); err != nil {
		return l, err
	}
	l.Reason, l.Status = e.names(first.Features), first.Status().String()
	l.Minimal, l.Smallest = first.Minimal(), first.Smallest()
	for _, r := range found {
		l.Checks += r.Checks
		if e.reasons > 1 && r.Features != nil {
			l.Reasons = append(l.Reasons, e.names(r.Features))
		}
	}
	if e.box {
		if err := e.addBox(ctx, x, &l); err != nil {
			return l, err
		}
	}
	if err := e.addChange(ctx, x, &l); err != nil {
		return l, err
	}
	if !e.untimed {
		l.Seconds = time.Since(begun).Seconds()
	}
	return l, nil
}

// addBox adds the intervals of the features that are not free.
func (e *explaining) addBox(ctx context.Context, x []float64, l *explanation) error {
	b, err := e.attack.LabelBox(ctx, x, attack.BoxOptions{})
	if err != nil {
		return err
	}
	l.Checks += b.Checks
	l.Box, l.Fixed = map[string][2]*float64{}, e.names(b.Fixed)
	for j, i := range b.Box {
		whole := polytope.Line()
		if e.attack.Domain != nil {
			whole = e.attack.Domain[j]
		}
		if i != whole {
			l.Box[e.name(j)] = [2]*float64{finite(i.Lo), finite(i.Hi)}
		}
	}
	return nil
}

// addChange adds the nearest input of another label.
func (e *explaining) addChange(ctx context.Context, x []float64, l *explanation) error {
	several, err := e.attack.Counterfactuals(ctx, x, 1) // which change nothing for nothing
	if err != nil {
		return err
	}
	r := several[0]
	l.Distance, l.Proven = finite(r.Distance), r.Optimal
	if r.Example == nil {
		return nil
	}
	l.Change = map[string]tabular.Value{}
	for j, v := range r.Example {
		if v != x[j] && !(math.IsNaN(v) && math.IsNaN(x[j])) {
			l.Change[e.name(j)] = e.data.Words.At(j, v)
		}
	}
	return nil
}

// name returns that of a feature, or its number.
func (e *explaining) name(j int) string {
	if e.data.Names == nil {
		return strconv.Itoa(j)
	}
	return e.data.Names[j]
}

// names is nil if features are.
func (e *explaining) names(features []int) (names []string) {
	if features != nil {
		names = []string{}
	}
	for _, j := range features {
		names = append(names, e.name(j))
	}
	return names
}

func (e *explaining) writeLines(w io.Writer) error { return encodeLines(w, e.lines) }

// printTable sums the explanations up.
func (e *explaining) printTable(w io.Writer, took *clock) error {
	var sizes, seconds []float64
	minimal, smallest := 0, 0
	for _, l := range e.lines {
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
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "model\t%s\n", e.Model)
	fmt.Fprintf(t, "rows\t%d, of them %d with a reason that is minimal\n", len(e.lines), minimal)
	if e.smallest {
		fmt.Fprintf(t, "smallest reasons\t%d proven\n", smallest)
	}
	fmt.Fprintf(t, "features of a reason\t%s least, %s median, %s most\n",
		number(q.Least), number(q.Median), number(q.Most))
	fmt.Fprintf(t, "time\t%.3g s; %s s median, %s s most\n",
		took.wall, number(s.Median), number(s.Most))
	if e.prover != nil {
		proofs := 0
		for _, l := range e.lines {
			if len(l.proof) > 0 {
				proofs++
			}
		}
		fmt.Fprintf(t, "proofs\t%d, written to %s\n", proofs, e.proofs)
	}
	fmt.Fprintf(t, "rows written to\t%s\n", e.out)
	return t.Flush()
}
