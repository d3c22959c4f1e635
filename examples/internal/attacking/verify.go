package attacking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// verifying are the flags of facet verify, and the question that they make.
type verifying struct {
	flags *pflag.FlagSet
	path  string
	questions
	region
	comparison
	limits
	workers, maxValues int
	written
	provers provers

	model verified
	opts  property.Options
	lines []*verdict
	open  atomic.Pointer[string] // the part of a property that is not answered yet
}

// questions are the properties that flags ask about.
type questions struct {
	properties []asked   // in the order of the flags
	compared   *compared // of --same-as
	ignored    []int     // of --ignores
}

// region is the inputs that properties are about.
type region struct {
	pricing
	domain      *domain
	near, train string
	within      *tolerances
	norm        polytope.Norm
}

// comparison is how the outputs of two inputs are compared.
type comparison struct {
	class       string
	by          float64
	apart       *tolerances
	ordered     bool
	probability bool
}

func (c *comparison) String() string {
	if c.probability {
		return strings.TrimSuffix("probability:"+c.class, ":")
	}
	return c.class
}

func (c *comparison) Type() string { return "value" }

// Set takes up whose outputs count, and whether they are probabilities, of any label that was named
// before.
func (c *comparison) Set(text string) error {
	kind, class, _ := strings.Cut(text, ":")
	switch kind {
	case "probability":
		c.probability, c.class = true, cmp.Or(class, c.class)
	case "label":
		c.class = class
	case "output", "change":
		return errors.New("--output-at-most T and --output-at-least T ask about outputs, --by D " +
			"about changes")
	default:
		c.class = text
	}
	return nil
}

// What a property has yet to answer.
var (
	outputsOpen = "how far outputs go"
	labelsOpen  = "whether labels differ"
)

// compared is another model.
type compared struct {
	verified
	path string
}

// asked is a property that a flag asks about.
type asked struct {
	name    string                                        // as the user wrote it
	reads   string                                        // a file; "" for none
	prepare func(ctx context.Context, v *verifying) error // nil if there is no preparation
	check   func(ctx context.Context, v *verifying) (*verdict, error)
}

// verified is a model, its classes and its features.
type verified struct {
	property.Model
	classes *tabular.Classes // nil for a regressor
	linked  bool             // an output is a function of the sum of the trees, as e^s is
	names   []string         // of the features; nil if they have none
	words   tabular.Words    // of their categories; nil if they have none
	codes   []int            // of each feature how many codes it has, 0 for a number
}

// BeginVerify adds the flags of facet verify, whose argument is a model, and returns the work.
func BeginVerify(f *pflag.FlagSet) command.Work {
	v := &verifying{flags: f}
	v.add(f, "ignores", parseIgnores, "decisions do not depend on the features `A,B,…`: no two "+
		"inputs differ in these alone and get different labels (of a regressor: outputs)")
	v.add(f, "monotone", parseMonotone, "the output never falls as a feature rises, with "+
		"`A:up,…`, or never rises, with A:down; of a classifier its margin or frequency")
	v.add(f, "same-as", parseSameAs, "the model decides everywhere as that in the file `OTHER`, "+
		"of the same features by name, or in the same order if one has no names")
	v.add(f, "output-at-most", parseAtMost, "no output is larger than `T`")
	v.add(f, "output-at-least", parseAtLeast, "no output is smaller than `T`")
	command.Var(f, &v.domain, "domain", "", parseDomain, "inputs lie in the box [`LO,HI`]^d, or "+
		"where a file says: a line LO,HI for each feature, or NAME,LO,HI (default none)")
	f.StringVar(&v.costs, "costs", "",
		"`file` of what features may hold, and of prices (docs/use/costs.md)")
	f.StringVar(&v.near, "near", "", "`file` of rows: inputs are near to one of them, but for the "+
		"features in question")
	command.Var(f, &v.within, "radius", "", parseTolerances, "largest distance `R` from a row of "+
		"--near, by the prices of --costs; NAME:R,… of each feature its own, and 0 or R of others")
	command.Renamed(f, "within", "radius", "")
	v.addUnits(f, "--near")
	f.StringVar(&v.train, "train", "", "`file` of rows that --units range goes by")
	command.Var(f, &v.norm, "norm", "inf", subject.ParseNorm, "`norm` of --radius: inf, 1 or 2")
	command.Offer(f, "norm", "inf", "1", "2")
	f.Var(&v.comparison, "target", "`WHAT` outputs count, of a classifier: those of a label, L or "+
		"label:L, of more than two (default all); or probabilities, probability:L of label L, "+
		"and probability of label 1 of two: of sums, 1/(1+exp(-margin)) or their softmax")
	command.Renamed(f, "class", "target", "label:")
	command.Var(f, &v.by, "by", "0", command.Radius, "outputs that differ by no more than `D` "+
		"count as the same")
	command.Var(f, &v.apart, "apart", "", parseTolerances, "the values of a feature of "+
		"--ignores differ by at most `D`, or NAME:D,… each by its own, and others by anything or D")
	f.BoolVar(&v.ordered, "ordered", false, "of both inputs of --ignores the second has the "+
		"larger values, and the smaller output")
	v.addEnds(f, "`time` for a property, such as 10s; 0: no limit",
		"end each search after `N` nodes; 0: no limit")
	v.addMemory(f, "memory of `N` bytes for what waits in searches; one that needs more gives up "+
		"what it would look at last, and its property may stay open")
	command.Var(f, &v.workers, "workers", "0", command.AtLeast(0),
		"`number` of searches at a time; 0: one per core")
	command.Var(f, &v.maxValues, "max-values", fmt.Sprint(dataset.DefaultValues),
		command.AtLeast(1), "refuse files of more than `N` values, N/4 rows or 16·N bytes of "+
			"contents")
	f.StringVar(&v.out, "out", "", "write one JSON object a line for each property to this "+
		"`file`, - for standard output")
	f.StringVar(&v.provers.file, "proofs", "", "write a proof of what is proven to this `file`, "+
		"gzipped if it ends in .gz; of a model that its checkers do not read, that beside it")
	command.Overwrite(f, &v.overwrite)
	v.addUntimed(f, "write 0 for the seconds, so that the same properties give the same bytes")
	return v.run
}

// add adds a flag that asks about properties.
func (v *verifying) add(
	f *pflag.FlagSet, name string, parse func(text string) ([]asked, error), usage string,
) {
	var ignored int
	command.Var(f, &ignored, name, "", func(text string) (int, error) {
		list, err := parse(text)
		v.properties = append(v.properties, list...)
		return len(v.properties), err
	}, usage)
}

func (v *verifying) run(ctx context.Context, stdout, stderr io.Writer) error {
	v.path = v.flags.Arg(0)
	if err := v.prepare(ctx, stderr); err != nil {
		return command.Misuse(err)
	}
	for _, p := range v.properties {
		err := v.verify(ctx, p, stderr)
		if slices.ContainsFunc(refusals, func(r error) bool { return errors.Is(err, r) }) {
			return command.Misuse(fmt.Errorf("%s: %w", p.name, err))
		}
		if err != nil {
			return command.Failing(unfinished, fmt.Errorf("%s: %w", p.name, err))
		}
	}
	if err := v.provers.save(); err != nil {
		return command.Failing(unfinished, err)
	}
	if v.out != "" {
		if err := outfile.Write(v.out, v.writeLines); err != nil {
			return command.Failing(unfinished, fmt.Errorf("--out: %w", err))
		}
	}
	stdout = outfile.ForPeople(stdout, stderr, v.out)
	if err := v.print(stdout); err != nil {
		return command.Failing(unfinished, err)
	}
	v.provers.print(stdout)
	return command.Failing(v.status(), nil)
}

// refusals are errors of questions that are none.
var refusals = []error{classifier.ErrNoInput, classifier.ErrOption, errors.ErrUnsupported}

// Exit statuses of facet verify, besides those of wrong use and of an interruption.
const (
	holdsAll, doesNot = 0, 1
	open              = 4
	unfinished        = 5
)

// status returns the exit status.
func (v *verifying) status() int {
	status := holdsAll
	for _, line := range v.lines {
		switch {
		case line.Holds == nil:
			status = max(status, open)
		case !*line.Holds:
			return doesNot
		}
	}
	return status
}

// verify looks at a property.
func (v *verifying) verify(ctx context.Context, p asked, stderr io.Writer) error {
	begun := time.Now()
	v.open.Store(&outputsOpen)
	stop := progress.BusyNoting(stderr, p.name, func() string {
		return fmt.Sprintf("note: %s: open is %s; --timeout or --max-nodes ends the search with "+
			"what is proven by then", p.name, *v.open.Load())
	})
	line, err := p.check(ctx, v)
	err = costs.Named(err, v.model.names)
	stop()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	if line.Name = p.name; !v.untimed {
		line.Seconds = time.Since(begun).Seconds()
	}
	v.lines = append(v.lines, line)
	return nil
}

// prepare reads the files.
func (v *verifying) prepare(ctx context.Context, stderr io.Writer) (err error) {
	if len(v.properties) == 0 {
		return errors.New("no property is named: --ignores, --monotone, --same-as, " +
			"--output-at-most and --output-at-least ask about one")
	}
	if v.near == "" && v.norm != polytope.LInf {
		return errors.New("--norm needs --near: it is that of the distance from its rows")
	}
	if v.near == "" && v.units == "range" {
		return errors.New("--units needs --near: they are those of the distance from its rows")
	}
	if v.units != "range" && v.train != "" {
		return errors.New("--train needs --units range: distances are in parts of the ranges of " +
			"its rows")
	}
	err = cmp.Or(subject.CheckRules(v.flags), v.checkTolerances(), v.checkFiles())
	if err != nil {
		return err
	}
	stop := progress.Busy(stderr, "reading")
	defer stop()
	if v.model, err = v.readModel(ctx, v.path); err != nil {
		return err
	}
	v.opts = property.Options{
		Ordered: v.ordered, Norm: v.norm, By: v.by, Probability: v.probability,
		Workers: v.workers, MaxNodes: v.maxNodes, MaxMemory: v.maxMemory, Timeout: v.timeout,
	}
	if err := v.readNear(ctx); err != nil {
		return err
	}
	if err := v.readRules(ctx); err != nil {
		return err
	}
	if err := v.chooseClass(); err != nil {
		return err
	}
	for _, p := range v.properties {
		if p.prepare != nil {
			if err := p.prepare(ctx, v); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	if err := v.readTolerances(); err != nil {
		return err
	}
	return v.prepareProofs()
}

// checkFiles looks at the files that are written, before there is any work.
func (v *verifying) checkFiles() error {
	return v.checkOutputs(outfile.Output{Flag: "out", Path: v.out},
		outfile.Output{Flag: "proofs", Path: v.provers.file})
}

// checkOutputs looks at some of them.
func (v *verifying) checkOutputs(outputs ...outfile.Output) error {
	inputs := []string{v.path, v.costs, v.near, v.train, v.domain.path()}
	for _, p := range v.properties {
		inputs = append(inputs, p.reads)
	}
	return outfile.Check(inputs, v.overwrite, outputs...)
}

// readModel reads a classifier, or a regressor.
func (v *verifying) readModel(ctx context.Context, path string) (m verified, err error) {
	read, _, err := subject.ReadFile[classifier.Model](ctx, path,
		dataset.Limits{Values: v.maxValues}, nil)
	if err != nil {
		return m, err
	}
	var ok bool
	if m.Model, ok = read.(property.Model); !ok {
		_, err := access.Trees(read) // says why not
		return m, err
	}
	switch model := m.Model.(type) {
	case classifier.Classifier:
		m.classes, err = subject.ClassesOf(model)
	case *classifier.Regressor:
		f, err := access.Trees(model)
		m.linked = err == nil && f.Link != trees.Identity
	}
	names := classifier.NamesOf(m.Model)
	m.names, m.words = names.Features, names.Categories
	m.codes = m.Categories()
	return m, err
}

// readNear reads the rows of --near.
func (v *verifying) readNear(ctx context.Context) error {
	if v.near == "" {
		return nil
	}
	t, err := v.readRows(ctx, v.near)
	if err != nil {
		return fmt.Errorf("--near: %w", err)
	}
	v.opts.Near = t.Matrix()
	return nil
}

// readRows reads rows of the features of the model, whose names are those of the file if it has
// none.
func (v *verifying) readRows(ctx context.Context, path string) (*tabular.Table, error) {
	tables, err := tabular.Load(ctx,
		tabular.Options{Missing: tabular.Keep, Unlabeled: true, MaxValues: v.maxValues},
		tabular.Model{Dim: v.model.Dim(), Names: v.model.names, Words: v.model.words},
		tabular.Source{Path: path})
	if err != nil {
		return nil, err
	}
	t := tables[0]
	if t.Dim != v.model.Dim() {
		return nil, fmt.Errorf("%s: the rows have %d features, the model %d", path, t.Dim,
			v.model.Dim())
	}
	if v.model.names == nil {
		v.model.names = t.Names
	}
	return t, nil
}

// priceRanges makes the prices of rules those of parts of the ranges of --train, or of --near.
func (v *verifying) priceRanges(ctx context.Context, rules *costs.Rules) error {
	t, err := v.readRows(ctx, cmp.Or(v.train, v.near))
	if err != nil {
		return err
	}
	set := &dataset.Set{Data: t.X, Rows: t.Rows, Dim: t.Dim}
	ranges, err := dataset.FitMinMax(set, v.model.codes)
	if err != nil {
		return costs.Named(err, v.model.names)
	}
	rules.Declare(v.model.codes)
	rules.Price(ranges.Scale)
	return nil
}

// readRules reads --domain and --costs.
func (v *verifying) readRules(ctx context.Context) (err error) {
	limits, dim := dataset.Limits{Values: v.maxValues}, v.model.Dim()
	if v.domain != nil && v.domain.cube == nil {
		if err := v.domain.read(ctx, limits); err != nil {
			return err
		}
	}
	about := &subject.Data{Names: v.model.names, Categories: v.model.codes}
	if v.opts.Domain, err = v.domain.scaled(about, dim); err != nil {
		return err
	}
	if v.costs == "" && v.units != "range" {
		return nil
	}
	rules := &costs.Rules{Features: make([]attack.Feature, dim)}
	if v.costs != "" {
		if rules, err = v.readCosts(ctx, limits); err != nil {
			return fmt.Errorf("--costs %s: %w", v.costs, err)
		}
	}
	if v.units == "range" {
		if err := v.priceRanges(ctx, rules); err != nil {
			return fmt.Errorf("--units range: %w", err)
		}
	}
	v.opts.Features = rules.Features
	if v.opts.Domain, err = rules.Within(v.opts.Domain, v.model.names); err != nil {
		return fmt.Errorf("--costs %s: %w", v.costs, err)
	}
	return nil
}

// readCosts reads the file of --costs.
func (v *verifying) readCosts(ctx context.Context, limits dataset.Limits) (*costs.Rules, error) {
	text, err := subject.ReadAll(ctx, v.costs, limits)
	if err != nil {
		return nil, err
	}
	rules, err := costs.Read(text, v.model.names, v.model.Dim())
	if err == nil && len(rules.Linear) > 0 {
		err = fmt.Errorf(`"linear": %.60q: questions about all inputs know no rules between `+
			`features`, rules.Linear[0].Text)
	}
	return rules, err
}

// chooseClass finds the class of --target; without it the outputs of all classes count.
func (v *verifying) chooseClass() error {
	v.opts.Class = property.EveryClass
	switch {
	case v.class == "" && v.ordered && v.model.classes != nil && v.model.classes.Len() > 2:
		return fmt.Errorf("--ordered needs --target: which of %d labels the second input has lost",
			v.model.classes.Len())
	case v.class == "":
		return nil
	case v.model.classes == nil:
		return errors.New("--target: a regressor has no labels")
	}
	class, known := v.model.classes.Class(v.class)
	if !known {
		return fmt.Errorf("--target: the model knows no label %q; its labels are %s", v.class,
			tabular.Quoted(v.model.classes.Labels()))
	}
	if class == 0 && v.model.classes.Len() == 2 {
		return fmt.Errorf("--target %s: of two labels the output is that of %v: leave it out "+
			"and turn the question round (up for down, at most for at least)",
			v.class, v.model.classes.At(1))
	}
	v.opts.Class = class
	return nil
}
