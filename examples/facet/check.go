package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
)

// checking replays the proofs of a file.
type checking struct {
	subject.Flags                // of the training set
	rows          *pflag.FlagSet // these flags
	proofs, model string
	list          bool

	count, settled, none int
	bounds               float64
	seconds              float64
}

func newCheck() *cobra.Command {
	c := new(checking)
	cmd := &cobra.Command{
		Use:                   "check PROOFS --model FILE | --train FILE [flags]",
		Short:                 "Replay proofs with an independent checker.",
		DisableFlagsInUseLine: true,
		Long: "Replay proofs with an independent checker, those of facet attack --proofs or " +
			"facet prune --certificate. With --train and those flags of facet attack or facet " +
			"prune that say how the rows are read, the model is made from them anew: no file " +
			"that facet wrote is believed.",
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&c.model, "model", "", "the `file` of the model that PROOFS is about")
	cmd.Flags().BoolVar(&c.list, "list", false, "print a line for each proof")
	c.rows = pflag.NewFlagSet("rows", pflag.ContinueOnError)
	c.rows.SortFlags = false
	c.AddRows(c.rows)
	command.Var(c.rows, &c.K, "k", "1", command.AtLeast(1), "`number` of neighbours that vote")
	c.AddPrune(c.rows)
	c.AddNorm(c.rows)
	cmd.Flags().AddFlagSet(c.rows)
	cmd.Flags().VisitAll(func(f *pflag.Flag) { offer(cmd, f) })
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return command.WrongUse(errors.New("which file of proofs?"), cmd.CommandPath())
		case 1:
		default:
			return command.WrongUse(fmt.Errorf("%d files are named, one is wanted", len(args)),
				cmd.CommandPath())
		}
		c.proofs = args[0]
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return cmd
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
	m, err := c.readModel(ctx, about, stderr)
	if err != nil {
		return command.Misuse(err)
	}
	start, stop := time.Now(), progress.Busy(stderr, "checking")
	pruning, err := c.check(ctx, r, about, m, stdout)
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
	case c.model == "" && c.Train == "":
		return errors.New("--model FILE is missing: proofs are checked against the model that " +
			"they are about, or --train FILE, the training set that it is made of")
	case c.Train != "":
		if c.rows.Changed("norm") && c.Prune == 0 {
			err = errors.New("--norm is for --prune: proofs say themselves how they measure")
		}
		if c.model != "" {
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

// readModel reads what the proofs are about.
func (c *checking) readModel(
	ctx context.Context, about subjectOf, stderr io.Writer,
) (*proof.Model, error) {
	if c.Train != "" {
		return c.makeModel(ctx, about, stderr)
	}
	file, err := os.Open(c.model)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m, err := proof.ReadModel(file)
	if err != nil {
		return nil, fmt.Errorf("%s is no model that is known here (facet attack --proofs F "+
			"writes one that is beside the proofs, F.model.json; a training set is named by "+
			"--train): %w", c.model, err)
	}
	return m, nil
}

// check replays the file, whichever kind it is.
func (c *checking) check(
	ctx context.Context, r *bufio.Reader, about subjectOf, m *proof.Model, stdout io.Writer,
) (*proof.Pruning, error) {
	if about.pruning {
		return proof.CheckPruning(r, m)
	}
	return nil, proof.Check(r, m, func(claim proof.Claim) error {
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
	pruning bool
	sum     string // SHA-256, hexadecimal
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
func named(claim proof.Claim) string {
	name := strings.TrimSpace(claim.Name)
	if name == "" {
		return fmt.Sprintf("line %d", claim.Line)
	}
	return name
}

// settled says what an example adds to a claim.
func settled(claim proof.Claim) string {
	if claim.Settled {
		return ", and one lies there"
	}
	return ""
}

func (c *checking) print(stdout io.Writer, pruning *proof.Pruning, size int64) error {
	t := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	row := func(name, format string, values ...any) {
		fmt.Fprintf(t, name+"\t"+format+"\n", values...)
	}
	if pruning != nil {
		row("pruning", "true: the %d rows kept are separated by more than 2·%v, norm %s",
			len(pruning.Keep), pruning.Radius, pruning.Norm)
		if pruning.Optimal {
			row("weight", "%v, and no separated rows weigh more", pruning.Weight)
		} else {
			row("weight", "%v, and no separated rows weigh more than %v",
				pruning.Weight, pruning.Bound)
		}
	} else {
		row("proofs", "%d, all true", c.count)
		row("settled", "%d: an example lies at the bound", c.settled)
		row("no example anywhere", "%d", c.none)
		if finite := c.count - c.none; finite > 0 {
			row("mean bound", "%.6g", c.bounds/float64(finite))
		}
	}
	row("file", "%s, %d bytes", c.proofs, size)
	row("time of checking", "%.3g s", c.seconds)
	return t.Flush()
}
