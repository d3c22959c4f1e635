package attacking

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// task is the flags of a command that writes a line for each row: facet attack, certify or explain.
type task struct {
	subject.Flags
	selection
	pricing
	searching
	outputs
	also          also
	misclassified bool // these rows are asked about, too
	shard         *results.Shard
	radii         []float64 // that are asked about, ascending; nil for the nearest example

	program, doing string // names of the command and of its work
	set            *pflag.FlagSet
	flags          map[string]string // those that determine the results
}

// selection is which rows are asked about, where answers may lie, and how long they may take. Facet
// range has these too.
type selection struct {
	domain   *domain
	points   int // 0: all
	rowsFile string
	limits
}

// limits end a search; 0 for none.
type limits struct {
	timeout             time.Duration
	maxNodes, maxMemory int
}

// pricing is the cost of moves.
type pricing struct {
	costs string // the file
	units string // file or range
}

// searching is how facet attack looks for examples.
type searching struct {
	method  string
	regions int             // of --attack approx
	solver  polytope.Solver // nil: that of this library
}

// written is the file of lines of a command.
type written struct {
	out                string
	overwrite, untimed bool
}

// outputs are the files that a command about rows writes, "" for none.
type outputs struct {
	written
	resume                                 bool
	summary, table, plot, proofs, examples string
}

// question is a command's question about each row: that of facet attack is for the nearest example,
// that of facet certify for radii.
type question interface {
	// check looks at its flags, as far as the table of package subject does not.
	check() error
	// build makes the attacks of rows, in the units of the rules of moves.
	build(e *evaluation) (attacker, error)
	// mark writes the subject of the question into the line of a row.
	mark(l *results.Line, p *metrics.Point)
	// report sums up when all rows are done.
	report(
		e *evaluation, out *results.File[results.Line], took *clock, stdout io.Writer,
	) error
}

// attacker returns the attack of a row.
type attacker func(e *evaluation, row int) (attack.Attack, error)

// unrecorded are the flags that do not change the answer about a row.
var unrecorded = map[string]bool{
	"workers":    true,
	"out":        true,
	"resume":     true,
	"overwrite":  true,
	"summary":    true,
	"csv":        true,
	"plot":       true,
	"proofs":     true,
	"max-values": true,
	"max-memory": true,
	"shard":      true,
	"untimed":    true,
	"help":       true,
}

// addRun adds the flags of the rows, the limits and the files that are written.
func (t *task) addRun(f *pflag.FlagSet) {
	t.addDomain(f, "keep examples inside the box [`LO,HI`]^d, after scaling, or where a file "+
		"says in its own units: a line LO,HI for each feature, or NAME,LO,HI (default none)")
	t.addCosts(f)
	t.addRows(f)
	t.addMemory(f, "memory of `N` bytes for what waits in the search of a row, of which each core "+
		"has one at a time; one that needs more gives up what it would look at last, and may stay "+
		"open")
	t.addShard(f)
	t.addOut(f, "- is standard output")
	f.StringVar(&t.table, "csv", "", "write the rows, without their examples, as a table to this "+
		"`file` once every row is done, for spreadsheets")
	f.StringVar(&t.summary, "summary",
		"", "write the summary as a JSON object to this `file` once every row is done")
}

// addOut adds those of the lines that are written.
func (t *task) addOut(f *pflag.FlagSet, stdout string) {
	t.set = f
	f.StringVar(&t.out, "out", "", "write one JSON object a line for each row to this `file`, "+
		"and what made it to FILE.meta.json; "+stdout)
	f.BoolVar(&t.resume, "resume", false, "continue --out, skipping the rows already in it")
	command.Overwrite(f, &t.overwrite)
	t.addUntimed(f,
		"write 0 for the seconds of each row, so that the same rows give the same bytes")
}

func (w *written) addUntimed(f *pflag.FlagSet, usage string) {
	f.BoolVar(&w.untimed, "untimed", false, usage)
}

func (l *limits) addMemory(f *pflag.FlagSet, usage string) {
	command.Var(f, &l.maxMemory, "max-memory", strconv.Itoa(1<<30), command.AtLeast(1), usage)
}

// addEnds adds the flags of the limits of time and nodes.
func (l *limits) addEnds(f *pflag.FlagSet, timeout, nodes string) {
	command.Var(f, &l.timeout, "timeout", "0s", command.Limit, timeout)
	command.Var(f, &l.maxNodes, "max-nodes", "0", command.AtLeast(0), nodes)
}

func (t *task) addProofs(f *pflag.FlagSet, of string) {
	f.StringVar(&t.proofs, "proofs", "", "write a proof of each "+of+" to this `file`, gzipped if "+
		"it ends in .gz, for facet check; the model goes to FILE.model.json unless --model is a "+
		"file that checkers of proofs read")
}

func (t *task) addCosts(f *pflag.FlagSet) {
	f.StringVar(&t.costs, "costs", "", "prices of moves, frozen and counted features, "+
		"categories, limits: a JSON `file`, in the units of the rows (docs/use/costs.md)")
	t.addUnits(f, "--test")
}

// addUnits adds the flag of the units of distances, which are those of the rows of --train or else
// of another flag.
func (p *pricing) addUnits(f *pflag.FlagSet, otherwise string) {
	command.Choose(f, &p.units, "units", "file", "the `units` of distances: those of the file "+
		"(scaled with --scale), or range: parts of the range that each number has in --train, "+
		"or else in "+otherwise+"; another category is 1 away", "file", "range")
}

func (t *task) addShard(f *pflag.FlagSet) {
	command.Var(f, &t.shard, "shard", "", results.ParseShard,
		"do only part `I/N` of the rows; facet merge joins the files of all N")
}

func (s *selection) addDomain(f *pflag.FlagSet, usage string) {
	command.Var(f, &s.domain, "domain", "", parseDomain, usage)
}

// addRows adds the flags that choose rows, and the limits of each.
func (s *selection) addRows(f *pflag.FlagSet) {
	command.Var(f, &s.points, "points", "0", command.AtLeast(0),
		"take the first `N` test rows that can be asked about; 0: all")
	f.StringVar(&s.rowsFile, "rows",
		"", "take exactly the test rows that this `file` lists, one number a line, counted from 0")
	s.addEnds(f, "`time` for a row, such as 10s; 0: no limit",
		"end the search for a row after `N` nodes; 0: no limit")
}

// checkPlot returns an error for a name that is not that of a picture, if there is one.
func (o *outputs) checkPlot() error {
	if o.plot == "" {
		return nil
	}
	if err := plotting.CheckName(o.plot); err != nil {
		return fmt.Errorf("--plot: %w", err)
	}
	return nil
}

// record keeps the flags that determine the results.
func (t *task) record() {
	t.flags = make(map[string]string)
	inputs := t.inputs() // which are compared by their contents
	t.set.VisitAll(func(f *pflag.Flag) {
		if _, input := inputs[f.Name]; !unrecorded[f.Name] && !input {
			t.flags[f.Name] = f.Value.String()
		}
	})
	delete(t.flags, "target")
	maps.Copy(t.flags, t.Recorded())
}

// finish looks at all flags together, and records those that determine the results.
func (t *task) finish(why string, check func() error) error {
	if err := t.also.find(); err != nil {
		return err
	}
	t.record()
	t.Attack = func(d *subject.Data, c classifier.Classifier) (attack.Attack, error) {
		return t.regionBased(d, c)
	}
	if err := t.Check(subject.Required{Flag: "test", Why: why}); err != nil {
		return err
	}
	return check()
}

// checkFiles looks at the files that are written, before there is any work.
func (t *task) checkFiles() error {
	outputs := []outfile.Output{{Flag: "out", Path: t.out, Continued: true}}
	if t.out != "" && !outfile.IsStream(t.out) {
		outputs = append(outputs,
			outfile.Output{Flag: "out", Path: results.MetaPath(t.out), Continued: true})
	}
	err := t.checkOutputs(outputs...)
	if err == nil && !t.resume && !t.overwrite {
		err = results.Free(t.out) // first: it says how to go on
	}
	outputs = append(outputs, outfile.Output{Flag: "summary", Path: t.summary},
		outfile.Output{Flag: "csv", Path: t.table},
		outfile.Output{Flag: "proofs", Path: t.proofs, Continued: t.resume},
		outfile.Output{Flag: "plot", Path: t.plot},
		outfile.Output{Flag: "examples", Path: t.examples})
	return cmp.Or(err, t.checkOutputs(outputs...))
}

// checkOutputs looks at some of them.
func (t *task) checkOutputs(outputs ...outfile.Output) error {
	return outfile.Check(slices.Sorted(maps.Values(t.inputs())), t.overwrite, outputs...)
}

// regionBased attacks c as the flags say.
func (t *task) regionBased(d *subject.Data, c classifier.Classifier) (*attack.RegionBased, error) {
	box, err := t.domain.scaled(d, c.Dim())
	if err != nil {
		return nil, err
	}
	a := &attack.RegionBased{Classifier: c, Options: attack.Options{
		Norm: t.Norm, Changes: t.Changes, Workers: 1, Timeout: t.timeout, MaxNodes: t.maxNodes,
		MaxMemory: t.maxMemory, Domain: box, Solver: t.solver, Regions: t.regions,
		Also: t.also.asked,
	}}
	if t.method == "approx" {
		a.Mode, a.Points = attack.Approx, d.Train.Matrix()
	}
	return a, nil
}

// inputs returns the files that are read, by flag.
func (t *task) inputs() map[string]string {
	files := t.Inputs()
	t.selection.addInputs(files)
	if t.costs != "" {
		files["costs"] = t.costs
	}
	t.also.inputs(files)
	return files
}

func (s *selection) addInputs(files map[string]string) {
	if s.rowsFile != "" {
		files["rows"] = s.rowsFile
	}
	if path := s.domain.path(); path != "" {
		files["domain"] = path
	}
}

// work is how a command runs.
func (t *task) work(q question) command.Work {
	return func(ctx context.Context, stdout, stderr io.Writer) error {
		return t.run(ctx, q, stdout, stderr)
	}
}
