package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/seed-1a7dc1f9/facet/internal/protocol"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// settings are the flags, checked as far as that needs no file.
type settings struct {
	model        string
	trees, depth int
	data, folder string
	points       int
	timeout      time.Duration
	norm         polytope.Norm
	workers      int
	out, dump    string
}

// mostPoints is how many points of a set the paper's protocol attacks.
const mostPoints = 100

func newFlags(s *settings, norm *string) *flag.FlagSet {
	f := flag.NewFlagSet("ensembles", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&s.model, "model", "forest", "forest, trained here, or the `file` of a model: scikit-learn's export, XGBoost's JSON or LightGBM's text")
	f.IntVar(&s.trees, "trees", 500, "number of trees (forest)")
	f.IntVar(&s.depth, "depth", 10, "splits on a path of a tree (forest); 0: no limit")
	f.StringVar(&s.data, "data", "mnist17", "`set` of the paper: "+strings.Join(protocol.Names(), ", "))
	f.StringVar(&s.folder, "folder", "", "`folder` of the files of the sets (default $FACET_DATA, then the folder that examples/datasets downloads to)")
	f.IntVar(&s.points, "points", 50, "points to attack, at most 100")
	f.DurationVar(&s.timeout, "timeout", 10*time.Second, "time for a point; 0: no limit")
	f.StringVar(norm, "norm", "linf", "norm of the distance: linf, l1 or l2")
	f.IntVar(&s.workers, "workers", 0, "points attacked at a time, each on one core; 0: one per core")
	f.StringVar(&s.out, "out", "out/ensembles.tsv", "write a line for each point to this `file`, overwritten")
	f.StringVar(&s.dump, "dump", "", "write the training and test rows as NPY files to this `folder`, and stop")
	return f
}

// folders returns where the files of the sets are looked for.
func (s *settings) folders() []string {
	if s.folder != "" {
		return []string{s.folder}
	}
	return protocol.Folders()
}

// usage explains the flags.
func usage(w io.Writer) {
	f := newFlags(new(settings), new(string))
	f.SetOutput(w)
	fmt.Fprintf(w, "How many points of a large ensemble are proven in a time limit.\n\n  ensembles [flags]\n\n")
	f.PrintDefaults()
}

// parse reads the command line.
func parse(args []string) (*settings, error) {
	s, norm := new(settings), new(string)
	f := newFlags(s, norm)
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("%q is not a flag: a set is named by -data, a model by -model", f.Arg(0))
	}
	var err error
	if s.norm, err = polytope.ParseNorm(strings.TrimPrefix(*norm, "l")); err != nil {
		return nil, fmt.Errorf("-norm %q: use linf, l1 or l2", *norm)
	}
	forest := ""
	f.Visit(func(f *flag.Flag) {
		if f.Name == "trees" || f.Name == "depth" {
			forest = f.Name
		}
	})
	if forest != "" && s.model != "forest" {
		return nil, fmt.Errorf("-%s is for -model forest: %s is trained already", forest, s.model)
	}
	return s, s.check()
}

// check looks at the flags together.
func (s *settings) check() error {
	switch {
	case s.model == "":
		return errors.New("-model is empty: use forest or the file of a model")
	case s.trees < 1:
		return fmt.Errorf("-trees %d: a forest has at least 1 tree", s.trees)
	case s.depth < 0:
		return fmt.Errorf("-depth %d is negative", s.depth)
	case !slices.Contains(protocol.Names(), s.data):
		return fmt.Errorf("-data %q: use one of %s", s.data, strings.Join(protocol.Names(), ", "))
	case s.points < 1 || s.points > mostPoints:
		return fmt.Errorf("-points %d: use 1 to %d, as many as the paper's protocol draws", s.points, mostPoints)
	case s.timeout < 0:
		return fmt.Errorf("-timeout %v is negative", s.timeout)
	case s.workers < 0:
		return fmt.Errorf("-workers %d is negative", s.workers)
	case s.out == "":
		return errors.New("-out is empty: name a file for the points")
	}
	return nil
}
