package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/proofs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
)

// checking replays the proofs of a file.
type checking struct {
	subject.Flags                // of the training set
	rows          *pflag.FlagSet // these flags
	flags         *pflag.FlagSet // all
	proofs        string
	models        []string
	out           string // of a line for each proof
	overwrite     bool

	count, settled, none int
	covered              int // by examples/checker
	properties           int
	bounds               float64
	seconds              float64
}

func newCheck() *cobra.Command {
	cmd := newCommand("check PROOFS --model FILE | --train FILE [flags]",
		"Replay proofs with an independent checker.", one("which file of proofs?"), beginCheck)
	cmd.Long = "Replay proofs with an independent checker, those of facet attack --proofs, " +
		"facet verify --proofs or facet prune --proofs. With --train and those flags of " +
		"facet attack or facet prune that say how the rows are read, the model is made from " +
		"them anew: no file that facet wrote is believed."
	return cmd
}

func beginCheck(f *pflag.FlagSet) command.Work {
	c := &checking{flags: f}
	f.StringArrayVar(&c.models, "model", nil, "the `file` of the model that PROOFS is "+
		"about; of proofs about several, of facet verify --same-as or with --also, as often, "+
		"in the order of the models")
	f.StringVar(&c.out, "out", "", "write a line for each proof to this `file`; - is standard "+
		"output")
	command.Overwrite(f, &c.overwrite)
	c.rows = pflag.NewFlagSet("rows", pflag.ContinueOnError)
	c.rows.SortFlags = false
	c.AddRows(c.rows)
	command.Var(c.rows, &c.K, "k", "1", command.AtLeast(1), "`number` of neighbours that vote")
	c.AddPrune(c.rows)
	c.AddNorm(c.rows)
	f.AddFlagSet(c.rows)
	return c.run
}

func (c *checking) run(ctx context.Context, stdout, stderr io.Writer) error {
	c.proofs = c.flags.Arg(0)
	if err := c.checkFlags(); err != nil {
		return command.Misuse(err)
	}
	file, err := os.Open(c.proofs)
	if err != nil {
		return command.Misuse(err)
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, mostBegin)
	about := beginning(r)
	models, err := c.readModels(ctx, about, stderr)
	if err == nil {
		err = c.fits(about, models)
	}
	if err != nil {
		return command.Misuse(err)
	}
	start, stop := time.Now(), progress.Busy(stderr, "checking")
	pruning, err := c.replay(ctx, r, about, models)
	stop()
	c.seconds = time.Since(start).Seconds()
	if err != nil {
		return fmt.Errorf("%s is refused: %w", c.proofs, err)
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return c.print(outfile.ForPeople(stdout, stderr, c.out), pruning, info.Size())
}

// fits returns an error for a file that is none of proofs, or of those of other models.
func (c *checking) fits(about subjectOf, models []*proof.Model) error {
	if len(about.sums) == 0 {
		return fmt.Errorf("%s is no file of proofs: facet attack --proofs writes one", c.proofs)
	}
	if len(models) != len(about.sums) {
		return fmt.Errorf("--model: %d models are named, these proofs are about %d", len(models),
			len(about.sums))
	}
	for i, m := range models {
		if sum := fmt.Sprintf("%x", m.SHA256); sum != about.sums[i] {
			named := c.Train.Path
			if c.models != nil {
				named = c.models[i]
			}
			return fmt.Errorf("%s is about another model than %s: one with the SHA-256 %.64s, "+
				"not %s", c.proofs, named, about.sums[i], sum)
		}
	}
	return nil
}

// replay checks the file, and writes --out while it does.
func (c *checking) replay(
	ctx context.Context, r *bufio.Reader, about subjectOf, models []*proof.Model,
) (pruning *proof.Pruning, err error) {
	if c.out == "" {
		return c.check(ctx, r, about, models, io.Discard)
	}
	return pruning, outfile.Write(c.out, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		pruning, err = c.check(ctx, r, about, models, b)
		return cmp.Or(b.Flush(), err)
	})
}

// checkFlags makes sure that the proofs are to be about one thing.
func (c *checking) checkFlags() (err error) {
	inputs := append([]string{c.proofs, c.Train.Path, c.Test.Path}, c.models...)
	err = outfile.Check(inputs, c.overwrite, outfile.Output{Flag: "out", Path: c.out})
	if err != nil {
		return err
	}
	switch {
	case len(c.models) == 0 && c.Train.Path == "":
		return errors.New("--model FILE is missing: proofs are checked against the model that " +
			"they are about, or --train FILE, the training set that it is made of")
	case c.Train.Path != "":
		if c.rows.Changed("norm") && c.Prune == 0 {
			err = errors.New("--norm is for --prune: proofs say themselves how they measure")
		}
		if len(c.models) > 0 {
			return errors.New("--model and --train: proofs are about one of them")
		}
		return errors.Join(c.Check(), err)
	}
	c.rows.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			err = fmt.Errorf("--%s is for --train", f.Name)
		}
	})
	return err
}

// readModels reads the models that the proofs are about.
func (c *checking) readModels(
	ctx context.Context, about subjectOf, stderr io.Writer,
) (models []*proof.Model, err error) {
	if c.Train.Path != "" {
		m, err := c.makeModel(ctx, about, stderr)
		return []*proof.Model{m}, err
	}
	for _, path := range c.models {
		m, err := c.readModel(path)
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, nil
}

func (c *checking) readModel(path string) (*proof.Model, error) {
	m, err := proofs.ReadModel(path)
	if missing := (*fs.PathError)(nil); err == nil || errors.As(err, &missing) {
		return m, err
	}
	instead := "facet attack --proofs F writes one that is beside the proofs, F.model.json"
	if beside := proofs.ModelPath(c.proofs); beside != path {
		if _, none := os.Stat(beside); none == nil {
			instead = beside + " is the one that was written beside the proofs"
		}
	}
	return nil, fmt.Errorf("%s is no model that is known here (%s; a training set is named by "+
		"--train): %w", path, instead, err)
}

// check replays the file, whichever kind it is.
func (c *checking) check(
	ctx context.Context, r *bufio.Reader, about subjectOf, models []*proof.Model,
	list io.Writer,
) (*proof.Pruning, error) {
	switch {
	case about.pruning:
		return proof.CheckPruning(r, models[0])
	case about.properties:
		return nil, proof.CheckProperties(r, func(p proof.Property) error {
			c.properties++
			if p.Covered {
				c.covered++
			}
			fmt.Fprintf(list, "%s: %s\n", nameOf(p.Name, p.Line), said(&p))
			return ctx.Err()
		}, models...)
	}
	return nil, proof.Check(r, models[0], func(claim proof.Claim) error {
		c.add(claim)
		says := fmt.Sprintf("no input nearer than %v has another label", claim.Bound)
		if claim.Also != nil {
			says += " that the other models accept"
		}
		if claim.Settled {
			says += ", and one lies there"
		}
		if !claim.Covered {
			says += " (facet-checked does not check such claims)"
		}
		fmt.Fprintf(list, "%s: %s\n", nameOf(claim.Name, claim.Line), says)
		return ctx.Err()
	}, models[1:]...)
}

// subjectOf is the subject that a file of proofs names.
type subjectOf struct {
	pruning    bool
	properties bool     // it is about all inputs
	sums       []string // SHA-256 of its subject, hexadecimal
}

// mostBegin is how many bytes the first lines may have: some of them for each of 256 models.
const mostBegin = 1 << 15

// beginning looks at how the file begins, without reading it.
func beginning(r *bufio.Reader) (about subjectOf) {
	begin, _ := r.Peek(mostBegin)
	if bytes.HasPrefix(begin, []byte("\x1f\x8b")) {
		zip, err := gzip.NewReader(bytes.NewReader(begin))
		if err != nil {
			return about
		}
		plain := make([]byte, mostBegin)
		n, _ := io.ReadFull(zip, plain)
		begin = plain[:n]
	}
	lines := strings.Split(string(begin), "\n")
	about.pruning = strings.HasPrefix(lines[0], "facet-pruning ")
	about.properties = strings.HasPrefix(lines[0], "facet-properties ")
	if !about.pruning && !about.properties && !strings.HasPrefix(lines[0], "facet-proofs ") {
		return about
	}
	for _, line := range lines[1:] {
		_, sum, some := strings.Cut(line, " sha256 ")
		if !some {
			break
		}
		about.sums = append(about.sums, sum)
	}
	return about
}

func (c *checking) add(claim proof.Claim) {
	c.count++
	switch {
	case math.IsInf(claim.Bound, 1):
		c.none++
	default:
		c.bounds += claim.Bound
	}
	if claim.Settled {
		c.settled++
	}
	if claim.Covered {
		c.covered++
	}
}

// nameOf names a proof.
func nameOf(name string, line int) string {
	if name = strings.TrimSpace(name); name == "" {
		return fmt.Sprintf("line %d", line)
	}
	return name
}

// said is the statement of a proof about all inputs.
func said(p *proof.Property) string {
	var says strings.Builder
	for i, t := range p.Terms {
		if i > 0 {
			says.WriteString(" + ")
		}
		input := "x"
		if t.Input == 1 {
			input = "x'"
		}
		fmt.Fprintf(&says, "%v*sum(%s, %d)", t.Weight, input, t.Class)
	}
	switch {
	case p.Terms != nil:
		fmt.Fprintf(&says, " is at most %v", p.Above)
	case p.Label >= 0:
		fmt.Fprintf(&says, "where x has label %d x' has it", p.Label)
	default:
		says.WriteString("x and x' have the same label")
	}
	for i, copied := range p.Copies {
		begin := ", and"
		if i == 0 {
			begin = ", if x' has a value of its own of feature"
		}
		fmt.Fprintf(&says, "%s %d", begin, copied.Feature)
		switch {
		case copied.Next:
			says.WriteString(" (in the slot behind)")
		case !math.IsInf(copied.Least, -1) || !math.IsInf(copied.Most, 1):
			fmt.Fprintf(&says, " (greater by %v to %v)", copied.Least, copied.Most)
		}
	}
	return says.String()
}

// checkedToo says how many of the claims facet-checked checks, too.
func checkedToo(covered, count int) string {
	switch covered {
	case count:
		return "facet-checked checks all of them, too"
	case 0:
		return "facet-checked checks no such claims"
	}
	return fmt.Sprintf("facet-checked checks %d of them, too", covered)
}

func (c *checking) print(stdout io.Writer, pruning *proof.Pruning, size int64) error {
	t := command.NewTable(stdout)
	if pruning != nil {
		t.Row("pruning", "true: the %d rows kept are separated by more than 2·%v, norm %s",
			len(pruning.Keep), pruning.Radius, pruning.Norm)
		if float64(pruning.Weight) >= math.Floor(pruning.Bound) {
			t.Row("weight", "%v, and no separated rows weigh more", pruning.Weight)
		} else {
			t.Row("weight", "%v, and no separated rows weigh more than %v",
				pruning.Weight, pruning.Bound)
		}
		t.Row("proven checker", "facet-checked checks it, too (examples/checker)")
	} else if c.properties > 0 {
		t.Row("properties", "%d, all true", c.properties)
		t.Row("proven checker", "%s (examples/checker)", checkedToo(c.covered, c.properties))
	} else {
		t.Row("proofs", "%d, all true", c.count)
		t.Row("settled", "%d: an example lies at the bound", c.settled)
		t.Row("no example anywhere", "%d", c.none)
		if finite := c.count - c.none; finite > 0 {
			t.Row("mean bound", "%.6g", c.bounds/float64(finite))
		}
		t.Row("proven checker", "%s (examples/checker)", checkedToo(c.covered, c.count))
	}
	t.Row("file", "%s, %d bytes", c.proofs, size)
	t.Row("time of checking", "%.3g s", c.seconds)
	return t.Flush()
}
