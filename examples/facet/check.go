package main

import (
	"bufio"
	"bytes"
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
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/proofs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
)

// checking replays the proofs of a file.
type checking struct {
	subject.Flags                // of the training set
	rows          *pflag.FlagSet // these flags
	proofs        string
	models        []string
	list          bool

	count, settled, none int
	properties           int
	bounds               float64
	seconds              float64
}

func newCheck() *cobra.Command {
	cmd := newFileCommand("check PROOFS --model FILE | --train FILE [flags]",
		"Replay proofs with an independent checker.", "which file of proofs?", beginCheck)
	cmd.Long = "Replay proofs with an independent checker, those of facet attack --proofs, " +
		"facet verify --proofs or facet prune --certificate. With --train and those flags of " +
		"facet attack or facet prune that say how the rows are read, the model is made from " +
		"them anew: no file that facet wrote is believed."
	return cmd
}

func beginCheck(f *pflag.FlagSet) func(path string) command.Work {
	c := new(checking)
	f.StringArrayVar(&c.models, "model", nil, "the `file` of the model that PROOFS is "+
		"about; of proofs of facet verify --same-as twice, in the order of the models")
	f.BoolVar(&c.list, "list", false, "print a line for each proof")
	c.rows = pflag.NewFlagSet("rows", pflag.ContinueOnError)
	c.rows.SortFlags = false
	c.AddRows(c.rows)
	command.Var(c.rows, &c.K, "k", "1", command.AtLeast(1), "`number` of neighbours that vote")
	c.AddPrune(c.rows)
	c.AddNorm(c.rows)
	f.AddFlagSet(c.rows)
	return func(path string) command.Work {
		c.proofs = path
		return c.run
	}
}

func (c *checking) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := c.checkFlags(); err != nil {
		return command.Misuse(err)
	}
	file, err := os.Open(c.proofs)
	if err != nil {
		return command.Misuse(err)
	}
	defer file.Close()
	r := bufio.NewReader(file)
	about := beginning(r)
	models, err := c.readModels(ctx, about, stderr)
	if err != nil {
		return command.Misuse(err)
	}
	start, stop := time.Now(), progress.Busy(stderr, "checking")
	pruning, err := c.check(ctx, r, about, models, stdout)
	stop()
	c.seconds = time.Since(start).Seconds()
	if err != nil {
		return fmt.Errorf("%s is refused: %w", c.proofs, err)
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return c.print(stdout, pruning, info.Size())
}

// checkFlags makes sure that the proofs are to be about one thing.
func (c *checking) checkFlags() (err error) {
	switch {
	case len(c.models) == 0 && c.Train == "":
		return errors.New("--model FILE is missing: proofs are checked against the model that " +
			"they are about, or --train FILE, the training set that it is made of")
	case c.Train != "":
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

// readModels reads what the proofs are about.
func (c *checking) readModels(
	ctx context.Context, about subjectOf, stderr io.Writer,
) (models []*proof.Model, err error) {
	if c.Train != "" {
		m, err := c.makeModel(ctx, about, stderr)
		return []*proof.Model{m}, err
	}
	if most := 1 + about.properties; len(c.models) > most {
		return nil, fmt.Errorf("--model: %d models are named, these proofs are about %d at most",
			len(c.models), most)
	}
	for _, path := range c.models {
		m, err := readModel(path)
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, nil
}

func readModel(path string) (*proof.Model, error) {
	m, err := proofs.ReadModel(path)
	if missing := (*fs.PathError)(nil); errors.As(err, &missing) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s is no model that is known here (facet attack --proofs F "+
			"writes one that is beside the proofs, F.model.json; a training set is named by "+
			"--train): %w", path, err)
	}
	return m, nil
}

// check replays the file, whichever kind it is.
func (c *checking) check(
	ctx context.Context, r *bufio.Reader, about subjectOf, models []*proof.Model,
	stdout io.Writer,
) (*proof.Pruning, error) {
	switch {
	case about.pruning:
		return proof.CheckPruning(r, models[0])
	case about.properties > 0:
		return nil, proof.CheckProperties(r, func(p proof.Property) error {
			c.properties++
			if c.list {
				fmt.Fprintf(stdout, "%s: %s\n", nameOf(p.Name, p.Line), said(&p))
			}
			return ctx.Err()
		}, models...)
	}
	return nil, proof.Check(r, models[0], func(claim proof.Claim) error {
		c.add(claim)
		if c.list {
			fmt.Fprintf(stdout, "%s: no input nearer than %v has another label%s\n",
				named(claim), claim.Bound, settled(claim))
		}
		return ctx.Err()
	})
}

// subjectOf is what a file of proofs says that it is about.
type subjectOf struct {
	pruning    bool
	properties int    // 1 if it is about all inputs
	sum        string // SHA-256, hexadecimal
}

// beginning looks at how the file begins, without reading it.
func beginning(r *bufio.Reader) (about subjectOf) {
	begin, _ := r.Peek(2048)
	if bytes.HasPrefix(begin, []byte("\x1f\x8b")) {
		zip, err := gzip.NewReader(bytes.NewReader(begin))
		if err != nil {
			return about
		}
		plain := make([]byte, 128)
		n, _ := io.ReadFull(zip, plain)
		begin = plain[:n]
	}
	lines := strings.SplitN(string(begin), "\n", 3)
	if len(lines) == 3 {
		_, about.sum, _ = strings.Cut(lines[1], " sha256 ")
	}
	about.pruning = strings.HasPrefix(lines[0], "facet-pruning ")
	if strings.HasPrefix(lines[0], "facet-properties ") {
		about.properties = 1
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
}

// named names a proof.
func named(claim proof.Claim) string { return nameOf(claim.Name, claim.Line) }

func nameOf(name string, line int) string {
	if name = strings.TrimSpace(name); name == "" {
		return fmt.Sprintf("line %d", line)
	}
	return name
}

// said is what a proof says of all inputs.
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

// settled says what an example adds to a claim.
func settled(claim proof.Claim) string {
	if claim.Settled {
		return ", and one lies there"
	}
	return ""
}

func (c *checking) print(stdout io.Writer, pruning *proof.Pruning, size int64) error {
	t := command.NewTable(stdout)
	if pruning != nil {
		t.Row("pruning", "true: the %d rows kept are separated by more than 2·%v, norm %s",
			len(pruning.Keep), pruning.Radius, pruning.Norm)
		if pruning.Optimal {
			t.Row("weight", "%v, and no separated rows weigh more", pruning.Weight)
		} else {
			t.Row("weight", "%v, and no separated rows weigh more than %v",
				pruning.Weight, pruning.Bound)
		}
	} else if c.properties > 0 {
		t.Row("properties", "%d, all true", c.properties)
	} else {
		t.Row("proofs", "%d, all true", c.count)
		t.Row("settled", "%d: an example lies at the bound", c.settled)
		t.Row("no example anywhere", "%d", c.none)
		if finite := c.count - c.none; finite > 0 {
			t.Row("mean bound", "%.6g", c.bounds/float64(finite))
		}
	}
	t.Row("file", "%s, %d bytes", c.proofs, size)
	t.Row("time of checking", "%.3g s", c.seconds)
	return t.Flush()
}
