package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// settings are the flags, checked as far as that needs no file.
type settings struct {
	train, trainLabels string
	test, testLabels   string
	model              string
	k, trees, depth    int
	weighted           bool // votes weigh the inverse of the distance
	criterion          classifier.Criterion
	seed               uint32
	minmax             bool
	prune              float64 // 0: none
	robust             float64 // 0: plain splitting
	adversarial        float64 // 0: none
	attackName         string
	mode               attack.Mode // Approx for the baselines, which prove nothing either
	regions            int
	norm               polytope.Norm
	target             *float64
	domain             *polytope.Interval
	points             int // 0: all
	rowsFile           string
	maxValues          int
	classes            []float64
	misclassified      bool
	timeout            time.Duration
	workers            int
	out                string
	resume             bool
	summary            string
	solver             polytope.Solver
	flags              map[string]string // what determines the results
}

// texts are the flags that need a parser of their own.
type texts struct {
	seed                                                                     uint64
	criterion, weights, scale, attack, norm, target, domain, classes, solver string
}

// bystanders are the flags that do not change what is found about a row.
var bystanders = map[string]bool{"workers": true, "out": true, "resume": true, "summary": true, "max-values": true}

func newFlags(s *settings, t *texts) *flag.FlagSet {
	f := flag.NewFlagSet("evaluate", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&s.train, "train", "", "training set: LIBSVM text, .csv (label in the last column) or .npy; .gz is unpacked")
	f.StringVar(&s.trainLabels, "train-labels", "", "labels of an NPY training set")
	f.StringVar(&s.test, "test", "", "test set, like -train")
	f.StringVar(&s.testLabels, "test-labels", "", "labels of an NPY test set")
	f.StringVar(&s.model, "model", "knn", "knn, tree, forest, oblique, or the `file` of a model of scikit-learn, XGBoost, LightGBM or of oblique trees")
	f.IntVar(&s.k, "k", 1, "neighbours that vote (knn)")
	f.StringVar(&t.weights, "weights", "uniform", "uniform, or distance: a vote weighs the inverse of its distance (knn)")
	f.IntVar(&s.trees, "trees", 100, "number of trees (forest, oblique)")
	f.IntVar(&s.depth, "depth", 5, "splits on a path of a tree; 0: no limit")
	f.StringVar(&t.criterion, "criterion", "entropy", "what a split of a tree reduces: entropy or gini")
	f.Uint64Var(&t.seed, "seed", 0, "seed of the training")
	f.StringVar(&t.scale, "scale", "none", "none, or minmax: features to [0,1], fitted on the training set")
	f.Float64Var(&s.prune, "prune", 0, "radius `R` of adversarial pruning: differently labelled rows at distance ≤ 2R conflict; 0: none")
	f.Float64Var(&s.robust, "robust-splits", 0, "distance `EPS` by which an adversary may move features when the splits of a tree are scored (tree, forest); 0: plain splits")
	f.Float64Var(&s.adversarial, "adversarial-training", 0, "train again with the adversarial examples at distance ≤ `EPS` of the training rows, found exactly or by -attack approx; 0: none")
	f.StringVar(&t.attack, "attack", "exact", "exact, approx, or a baseline: direct, kernel (k-NN), blackbox, papernot (tree)")
	f.IntVar(&s.regions, "regions", attack.DefaultRegions, "cells searched by -attack approx")
	f.StringVar(&t.norm, "norm", "inf", "norm of the distance: inf, 1 or 2")
	f.StringVar(&t.target, "target", "", "`label` to reach (default any other than the predicted one)")
	f.StringVar(&t.domain, "domain", "", "keep examples inside the box [`LO,HI`]^d (default none)")
	f.IntVar(&s.points, "points", 0, "attack the first N eligible test rows; 0: all")
	f.StringVar(&s.rowsFile, "rows", "", "attack exactly the test rows that this `file` lists, one number a line, counted from 0")
	f.StringVar(&t.classes, "classes", "", "labels `A,B,…` in the files of the model's classes 0, 1, … when it does not carry them")
	f.BoolVar(&s.misclassified, "include-misclassified", false, "attack the misclassified test rows too")
	f.DurationVar(&s.timeout, "timeout", 0, "time for a row, such as 10s; 0: no limit")
	f.IntVar(&s.workers, "workers", 0, "rows attacked at a time; 0: one per core")
	f.StringVar(&s.out, "out", "", "write one JSON object a line for each row to this `file`, overwritten unless -resume is given")
	f.BoolVar(&s.resume, "resume", false, "continue -out, skipping the rows already in it")
	f.StringVar(&s.summary, "summary", "", "write the summary as a JSON object to this `file` once every row is done")
	f.IntVar(&s.maxValues, "max-values", dataset.DefaultValues, "refuse files of more than `N` values, N/4 rows or 16·N bytes of contents")
	f.StringVar(&t.solver, "solver", "native", "native, or lpsolve in a program built with -tags lpsolve")
	return f
}

// usage explains the flags.
func usage(w io.Writer) {
	f := newFlags(new(settings), new(texts))
	f.SetOutput(w)
	fmt.Fprintf(w, "Robustness of one classifier on your own files.\n\n  evaluate -train FILE -test FILE [flags]\n\n")
	f.PrintDefaults()
}

// parse reads the command line.
func parse(args []string) (*settings, error) {
	s, t := new(settings), new(texts)
	f := newFlags(s, t)
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("%q is not a flag: files are named by flags such as -test", f.Arg(0))
	}
	if err := s.read(t); err != nil {
		return nil, err
	}
	s.flags = make(map[string]string)
	f.VisitAll(func(f *flag.Flag) {
		if !bystanders[f.Name] {
			s.flags[f.Name] = f.Value.String()
		}
	})
	return s, s.check()
}

// read parses the flags that are no plain numbers.
func (s *settings) read(t *texts) (err error) {
	if t.seed > math.MaxUint32 {
		return fmt.Errorf("-seed %d: seeds end at 2³²−1", t.seed)
	}
	s.seed = uint32(t.seed)
	if s.criterion, err = classifier.ParseCriterion(t.criterion); err != nil {
		return fmt.Errorf("-criterion: %w", err)
	}
	if s.norm, err = polytope.ParseNorm(t.norm); err != nil {
		return fmt.Errorf("-norm: %w", err)
	}
	switch t.weights {
	case "uniform":
	case "distance":
		s.weighted = true
	default:
		return fmt.Errorf("-weights %q: use uniform or distance", t.weights)
	}
	switch t.scale {
	case "none":
	case "minmax":
		s.minmax = true
	default:
		return fmt.Errorf("-scale %q: use none or minmax", t.scale)
	}
	s.attackName = t.attack
	if s.mode, err = parseAttack(t.attack); err != nil {
		return err
	}
	if t.target != "" {
		labels, err := parseNumbers("target", t.target, 1)
		if err != nil {
			return err
		}
		s.target = &labels[0]
	}
	if t.classes != "" {
		if s.classes, err = parseNumbers("classes", t.classes, 0); err != nil {
			return err
		}
	}
	if err := s.readDomain(t.domain); err != nil {
		return err
	}
	s.solver, err = newSolver(t.solver, s.norm)
	return err
}

func parseAttack(name string) (attack.Mode, error) {
	switch name {
	case "exact":
		return attack.Exact, nil
	case "approx", "direct", "kernel", "blackbox", "papernot":
		return attack.Approx, nil
	}
	return 0, fmt.Errorf("-attack %q: use exact, approx, direct, kernel, blackbox or papernot", name)
}

func (s *settings) readDomain(text string) error {
	if text == "" {
		return nil
	}
	ends, err := parseNumbers("domain", text, 2)
	if err != nil {
		return err
	}
	s.domain = &polytope.Interval{Lo: ends[0], Hi: ends[1]}
	if s.domain.Empty() {
		return fmt.Errorf("-domain %s: no number lies between %v and %v", text, ends[0], ends[1])
	}
	return nil
}

// parseNumbers reads numbers separated by commas, count of them unless that is 0.
func parseNumbers(name, text string, count int) ([]float64, error) {
	fields := strings.Split(text, ",")
	if count > 0 && len(fields) != count {
		return nil, fmt.Errorf("-%s %s: got %d numbers, want %d", name, text, len(fields), count)
	}
	numbers := make([]float64, len(fields))
	for i, field := range fields {
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil || math.IsNaN(v) {
			return nil, fmt.Errorf("-%s %s: %q is not a number", name, text, field)
		}
		numbers[i] = v
	}
	return numbers, nil
}

// check looks at the flags together.
func (s *settings) check() error {
	file := s.modelIsFile()
	switch {
	case s.model == "":
		return errors.New("-model is empty: use knn, tree, forest, oblique or the file of a model")
	case s.test == "":
		return errors.New("-test FILE is missing")
	case s.train == "" && !file:
		return fmt.Errorf("-train FILE is missing: -model %s is trained on it", s.model)
	case s.train == "" && s.trainLabels != "":
		return errors.New("-train-labels without -train")
	case s.train == "" && s.minmax:
		return errors.New("-scale minmax needs -train: the scaling is fitted on it")
	case s.train == "" && s.prune != 0:
		return errors.New("-prune needs -train: its rows are pruned")
	case s.train == "" && slices.Contains([]string{"approx", "direct", "kernel"}, s.attackName):
		return fmt.Errorf("-attack %s needs -train: it starts from training rows", s.attackName)
	case s.attackName == "kernel" && s.norm == polytope.L1:
		return errors.New("-attack kernel steps along gradients in ℓ∞ or ℓ2: use -norm inf or -norm 2")
	case s.baseline() && s.domain != nil:
		return fmt.Errorf("-attack %s knows no -domain; exact and approx do", s.attackName)
	case s.baseline() && s.timeout > 0:
		return fmt.Errorf("-attack %s has no -timeout; exact and approx do", s.attackName)
	case s.weighted && s.model != "knn":
		return fmt.Errorf("-weights distance goes with -model knn, not %s", s.model)
	case s.weighted && s.attackName == "approx":
		return errors.New("-attack approx searches cells of one label, which -weights distance does not have; use exact, with a -timeout")
	case s.k < 1:
		return fmt.Errorf("-k %d: at least 1 neighbour votes", s.k)
	case s.trees < 1:
		return fmt.Errorf("-trees %d: a forest has at least 1 tree", s.trees)
	case s.depth < 0:
		return fmt.Errorf("-depth %d is negative", s.depth)
	case !(s.prune >= 0) || math.IsInf(s.prune, 1):
		return fmt.Errorf("-prune %v: a radius is a finite number, at least 0", s.prune)
	case !(s.robust >= 0) || math.IsInf(s.robust, 1):
		return fmt.Errorf("-robust-splits %v: a distance is a finite number, at least 0", s.robust)
	case s.robust > 0 && s.model != "tree" && s.model != "forest":
		return fmt.Errorf("-robust-splits are those of -model tree and forest, not %s", s.model)
	case !(s.adversarial >= 0) || math.IsInf(s.adversarial, 1):
		return fmt.Errorf("-adversarial-training %v: a distance is a finite number, at least 0", s.adversarial)
	case s.adversarial > 0 && file:
		return errors.New("-adversarial-training needs a model that is trained here: knn, tree, forest or oblique")
	case s.regions < 1:
		return fmt.Errorf("-regions %d: at least 1 cell is searched", s.regions)
	case s.points < 0:
		return fmt.Errorf("-points %d is negative", s.points)
	case s.points > 0 && s.rowsFile != "":
		return errors.New("-points and -rows both choose the rows: use one of them")
	case s.maxValues < 1:
		return fmt.Errorf("-max-values %d: at least 1 value has to be allowed", s.maxValues)
	case s.timeout < 0:
		return fmt.Errorf("-timeout %v is negative", s.timeout)
	case s.workers < 0:
		return fmt.Errorf("-workers %d is negative", s.workers)
	case s.resume && s.out == "":
		return errors.New("-resume needs -out FILE, the file to continue")
	}
	return nil
}

// modelIsFile reports whether the model was trained elsewhere.
func (s *settings) modelIsFile() bool {
	return !slices.Contains([]string{"knn", "tree", "forest", "oblique"}, s.model)
}

// baseline reports whether the attack is one that the paper compares with.
func (s *settings) baseline() bool { return s.attackName != "exact" && s.attackName != "approx" }
