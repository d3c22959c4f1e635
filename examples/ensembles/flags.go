package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
)

// settings are the flags, checked as far as that needs no file.
type settings struct {
	trial.Flags
	model        string
	trees, depth int
	dump         string
}

func newFlags(s *settings) *flag.FlagSet {
	f := flag.NewFlagSet("ensembles", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	s.Flags = trial.Flags{Data: "mnist17", Points: 50, Out: "out/ensembles.tsv"}
	s.Register(f)
	f.StringVar(&s.model, "model", "forest", "forest, trained here, or the `file` of a model: scikit-learn's export, XGBoost's JSON or LightGBM's text")
	f.IntVar(&s.trees, "trees", 500, "number of trees (forest)")
	f.IntVar(&s.depth, "depth", 10, "splits on a path of a tree (forest); 0: no limit")
	f.StringVar(&s.dump, "dump", "", "write the training and test rows as NPY files to this `folder`, and stop")
	return f
}

// usage explains the flags.
func usage(w io.Writer) {
	f := newFlags(new(settings))
	f.SetOutput(w)
	fmt.Fprintf(w, "How many points of a large ensemble are proven in a time limit.\n\n  ensembles [flags]\n\n")
	f.PrintDefaults()
}

// parse reads the command line.
func parse(args []string) (*settings, error) {
	s := new(settings)
	f := newFlags(s)
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("%q is not a flag: a set is named by -data, a model by -model", f.Arg(0))
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
	}
	return s.Check()
}
