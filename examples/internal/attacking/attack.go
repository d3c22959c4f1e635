package attacking

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// attacking is facet attack: the nearest example of each row.
type attacking struct {
	task
	several    int        // counterfactuals; 0: one example
	array      *mat.Dense // of --examples; nil without
	solverName string
}

// Begin adds the flags of facet attack and returns the work.
func Begin(f *pflag.FlagSet) command.Work {
	a := newAttacking(f)
	return a.work(a)
}

// BeginBaselines is Begin with the attacks and the options of the paper besides: attacks that prove
// no bound, another solver, and defences of the training.
func BeginBaselines(f *pflag.FlagSet) command.Work {
	a := newAttacking(f)
	a.addBaselines(f)
	return a.work(a)
}

func newAttacking(f *pflag.FlagSet) *attacking {
	a := &attacking{solverName: "native"}
	a.Unlabeled, a.method = true, "exact"
	a.program, a.doing = results.Attacking, "attacking"
	a.AddRows(f)
	a.AddModel(f)
	a.AddSearch(f)
	a.AddTarget(f)
	a.also.add(f)
	command.Var(f, &a.several, "counterfactuals", "0", command.AtLeast(0),
		"find up to `M` examples a row that change different sets of features, each the nearest "+
			"of its kind, and print what they change; 0: one example")
	f.BoolVar(&a.misclassified, "include-misclassified",
		false, "attack the misclassified test rows too")
	a.addRun(f)
	a.addProofs(f, "bound")
	f.StringVar(&a.examples, "examples",
		"", "write the examples to this `file` as an array of NumPy once every row is done, a "+
			"row for each test row, NaN where it has none; lines of --out are without them then")
	f.StringVar(&a.plot, "plot",
		"", "draw the share of rows without an example against the distance: a `file`.png or .svg")
	return a
}

// addBaselines adds the flags of the paper's experiments.
func (a *attacking) addBaselines(f *pflag.FlagSet) {
	a.AddTraining(f)
	command.Choose(f, &a.method, "attack", "exact",
		"the `attack`: exact, approx, or a baseline: direct, kernel (k-NN), blackbox, papernot "+
			"(tree)", "exact", "approx", "direct", "kernel", "blackbox", "papernot")
	command.Var(f, &a.regions, "regions", "50", command.AtLeast(1),
		"`number` of cells searched by --attack approx")
	command.Choose(f, &a.solverName, "solver", "native",
		"the `solver`: native, or lpsolve in a program built with -tags lpsolve", "native",
		"lpsolve")
}

func (a *attacking) check() (err error) {
	if a.solverName != "native" {
		a.solver, err = newLPSolve()
	}
	return cmp.Or(err, a.checkPlot())
}

// proves reports whether bounds are proven.
func (a *attacking) proves() bool { return a.method == "exact" }

func (a *attacking) build(e *evaluation) (attacker, error) {
	if a.examples != "" {
		a.array = newArray(e.data)
	}
	if a.Reach != "" {
		class, ok := e.data.Classes.Class(a.Reach)
		if !ok || class >= e.data.Classifier.Classes() {
			return nil, fmt.Errorf("--target %s is no label of the classifier; the labels are %s",
				a.Reach, tabular.Quoted(e.classes))
		}
		e.goal = &class
	}
	if a.method != "exact" && a.method != "approx" {
		b, err := a.baseline(e)
		return each(func() attack.Attack { return b }), err
	}
	if a.Change != nil {
		return (*evaluation).changeOf, nil
	}
	exact, err := e.exact(e.data.Classifier)
	if err != nil {
		return nil, err
	}
	exact.Target = e.goal
	switch {
	case a.several > 0:
		return each(func() *counterfactuals {
			return &counterfactuals{RegionBased: exact, most: a.several}
		}), nil
	case a.proofs != "":
		e.prover, err = e.proverOf(exact, a.proofs)
		return each(func() *proving { return &proving{prover: e.prover} }), err
	}
	return each(func() attack.Attack { return exact }), nil
}

// each makes an attack for each row.
func each[A attack.Attack](of func() A) attacker {
	return func(*evaluation, int) (attack.Attack, error) { return of(), nil }
}

// baseline makes an attack that proves no bound.
func (a *attacking) baseline(e *evaluation) (attack.Attack, error) {
	c, train := e.data.Classifier, e.data.Train
	for j, codes := range e.data.Categories {
		if codes > 0 {
			return nil, fmt.Errorf("--attack %s moves numbers, and feature %s is a category: "+
				"--attack exact changes these too", a.method, e.nameOf(j))
		}
	}
	if (a.method == "direct" || a.method == "kernel") && train.Y == nil {
		return nil, fmt.Errorf("--attack %s goes by the labels of training rows, and %s has none",
			a.method, train.Path)
	}
	switch a.method {
	case "direct":
		return &baseline.Direct{
			Classifier: c, Norm: a.Norm, Target: e.goal, Points: train.Matrix(), Labels: train.Y,
		}, nil
	case "kernel":
		return &baseline.Kernel{
			Classifier: c, Norm: a.Norm, Target: e.goal, Points: train.Matrix(), Labels: train.Y,
		}, nil
	case "blackbox":
		return &baseline.BlackBox{
			Classifier: c, Norm: a.Norm, Target: e.goal, Seed: uint64(a.Seed),
		}, nil
	}
	tree, ok := singleTree(c)
	if !ok {
		return nil, fmt.Errorf("--attack papernot searches a single tree, not --model %s", a.Model)
	}
	return &baseline.Papernot{Classifier: tree, Norm: a.Norm, Target: e.goal}, nil
}

// singleTree returns the classifier if it is a tree, or a model file with one.
func singleTree(c classifier.Classifier) (*classifier.Tree, bool) {
	switch c := c.(type) {
	case *classifier.Tree:
		return c, true
	case *classifier.Ensemble:
		if c.Len() == 1 && c.Options().Vote == classifier.SoftVote {
			return c.Tree(0), true
		}
	}
	return nil, false
}

// mark says whether the answer is proven.
func (a *attacking) mark(l *results.Line, p *metrics.Point) {
	switch {
	case !a.proves():
		l.Status, l.Bound = results.Attack, nil
	case p.Status == attack.StatusUnknown:
		l.Status = results.Limit
	default:
		l.Status = p.Status.String()
	}
	a.keepExample(l)
}

// report writes the summary, which takes its place only when it is complete, and prints the table.
func (a *attacking) report(
	e *evaluation, out *results.File[results.Line], took *clock, stdout io.Writer,
) error {
	s, err := e.summarize(out.Lines, took, a.proves())
	if err != nil {
		return err
	}
	err = cmp.Or(a.writeSummary(s), a.writeTable(e, out.Lines), a.writeExamples())
	if err != nil {
		return err
	}
	if a.plot != "" {
		if err := a.draw(e, out.Lines, s); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
	}
	return a.printTable(e, stdout, s, out)
}

// describe names the attack.
func (a *attacking) describe() string {
	text := fmt.Sprintf("%s, norm %s", a.method, a.Measure.Name())
	if a.method == "approx" {
		text = fmt.Sprintf("approx, %d regions, norm %s", a.regions, a.Measure.Name())
	}
	if a.Above != nil {
		output := "output"
		if a.Of != "" {
			output = "probability of " + a.Of
		}
		text += fmt.Sprintf(", %s at least %v", output, *a.Above)
	}
	if a.Change != nil {
		text += fmt.Sprintf(", output changes by more than %v", *a.Change)
	}
	if a.Reach != "" {
		text += ", target " + a.Reach
	}
	if a.costs != "" {
		text += ", costs of " + a.costs
	}
	return text
}
