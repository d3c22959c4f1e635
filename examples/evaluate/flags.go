package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// settings are the flags.
type settings struct {
	train, trainLabels string
	test, testLabels   string
	model              string
	k, trees, depth    int
	weights            string
	criterion          classifier.Criterion
	seed               uint32
	scale              string
	prune              float64 // 0: none
	robust             float64 // 0: plain splitting
	adversarial        float64 // 0: none
	attackName         string
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
	solverName         string
	solver             polytope.Solver
	set                *flag.FlagSet
	flags              map[string]string // what determines the results
}

// bystanders are the flags that do not change what is found about a row.
var bystanders = map[string]bool{"workers": true, "out": true, "resume": true, "summary": true, "max-values": true}

func newSettings(f *flag.FlagSet) *settings {
	s := &settings{set: f}
	f.StringVar(&s.train, "train", "", "training set: LIBSVM text, .csv (label in the last column) or .npy; .gz is unpacked")
	f.StringVar(&s.trainLabels, "train-labels", "", "labels of an NPY training set")
	f.StringVar(&s.test, "test", "", "test set, like -train")
	f.StringVar(&s.testLabels, "test-labels", "", "labels of an NPY test set")
	command.Var(f, &s.model, "model", "knn", command.Some, "knn, tree, forest, oblique, or the `file` of a model of scikit-learn, XGBoost, LightGBM or of oblique trees")
	command.Var(f, &s.k, "k", "1", command.AtLeast(1), "`number` of neighbours that vote (knn)")
	command.Var(f, &s.weights, "weights", "uniform", command.OneOf("uniform", "distance"), "`weights` of votes: uniform, or distance: a vote weighs the inverse of its distance (knn)")
	command.Var(f, &s.trees, "trees", "100", command.AtLeast(1), "`number` of trees (forest, oblique)")
	command.Var(f, &s.depth, "depth", "5", command.AtLeast(0), "`number` of splits on a path of a tree; 0: no limit")
	command.Var(f, &s.criterion, "criterion", "entropy", classifier.ParseCriterion, "the `criterion` that a split of a tree reduces: entropy or gini")
	command.Var(f, &s.seed, "seed", "0", parseSeed, "`seed` of the training")
	command.Var(f, &s.scale, "scale", "none", command.OneOf("none", "minmax"), "the `scale` of features: none, or minmax: to [0,1], fitted on the training set")
	command.Var(f, &s.prune, "prune", "0", command.Radius, "radius `R` of adversarial pruning: differently labelled rows at distance ≤ 2R conflict; 0: none")
	command.Var(f, &s.robust, "robust-splits", "0", command.Radius, "distance `EPS` by which an adversary may move features when the splits of a tree are scored (tree, forest); 0: plain splits")
	command.Var(f, &s.adversarial, "adversarial-training", "0", command.Radius, "train again with the adversarial examples at distance ≤ `EPS` of the training rows, found exactly or by -attack approx; 0: none")
	command.Var(f, &s.attackName, "attack", "exact", command.OneOf("exact", "approx", "direct", "kernel", "blackbox", "papernot"), "the `attack`: exact, approx, or a baseline: direct, kernel (k-NN), blackbox, papernot (tree)")
	command.Var(f, &s.regions, "regions", strconv.Itoa(attack.DefaultRegions), command.AtLeast(1), "`number` of cells searched by -attack approx")
	command.Var(f, &s.norm, "norm", "inf", polytope.ParseNorm, "`norm` of the distance: inf, 1 or 2")
	command.Var(f, &s.target, "target", "", parseTarget, "`label` to reach (default any other than the predicted one)")
	command.Var(f, &s.domain, "domain", "", parseDomain, "keep examples inside the box [`LO,HI`]^d (default none)")
	command.Var(f, &s.points, "points", "0", command.AtLeast(0), "attack the first `N` eligible test rows; 0: all")
	f.StringVar(&s.rowsFile, "rows", "", "attack exactly the test rows that this `file` lists, one number a line, counted from 0")
	command.Var(f, &s.classes, "classes", "", command.Each(parseNumber), "labels `A,B,…` in the files of the model's classes 0, 1, … when it does not carry them")
	f.BoolVar(&s.misclassified, "include-misclassified", false, "attack the misclassified test rows too")
	command.Var(f, &s.timeout, "timeout", "0s", command.Limit, "`time` for a row, such as 10s; 0: no limit")
	command.Var(f, &s.workers, "workers", "0", command.AtLeast(0), "`number` of rows attacked at a time; 0: one per core")
	f.StringVar(&s.out, "out", "", "write one JSON object a line for each row to this `file`, overwritten unless -resume is given")
	f.BoolVar(&s.resume, "resume", false, "continue -out, skipping the rows already in it")
	f.StringVar(&s.summary, "summary", "", "write the summary as a JSON object to this `file` once every row is done")
	command.Var(f, &s.maxValues, "max-values", strconv.Itoa(dataset.DefaultValues), command.AtLeast(1), "refuse files of more than `N` values, N/4 rows or 16·N bytes of contents")
	command.Var(f, &s.solverName, "solver", "native", command.OneOf("native", "lpsolve"), "the `solver`: native, or lpsolve in a program built with -tags lpsolve")
	return s
}

func parseSeed(text string) (uint32, error) {
	v, err := strconv.ParseUint(text, 0, 32)
	return uint32(v), err
}

func parseNumber(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return v, nil
}

func parseTarget(text string) (*float64, error) {
	v, err := parseNumber(strings.TrimSpace(text))
	return &v, err
}

func parseDomain(text string) (*polytope.Interval, error) {
	ends, err := command.Each(parseNumber)(text)
	if err != nil {
		return nil, err
	}
	if len(ends) != 2 {
		return nil, fmt.Errorf("got %d numbers, want 2", len(ends))
	}
	domain := &polytope.Interval{Lo: ends[0], Hi: ends[1]}
	if domain.Empty() {
		return nil, fmt.Errorf("no number lies between %v and %v", ends[0], ends[1])
	}
	return domain, nil
}

// finish records the flags that determine the results, and looks at all of them together.
func (s *settings) finish() (err error) {
	s.flags = make(map[string]string)
	s.set.VisitAll(func(f *flag.Flag) {
		if !bystanders[f.Name] {
			s.flags[f.Name] = f.Value.String()
		}
	})
	if err := s.check(); err != nil || s.solverName == "native" {
		return err
	}
	s.solver, err = newLPSolve()
	return err
}

func (s *settings) check() error {
	file := s.modelIsFile()
	switch {
	case s.test == "":
		return errors.New("-test FILE is missing")
	case s.train == "" && !file:
		return fmt.Errorf("-train FILE is missing: -model %s is trained on it", s.model)
	case s.train == "" && s.trainLabels != "":
		return errors.New("-train-labels without -train")
	case s.train == "" && s.scale == "minmax":
		return errors.New("-scale minmax needs -train: the scaling is fitted on it")
	case s.train == "" && s.prune != 0:
		return errors.New("-prune needs -train: its rows are pruned")
	case s.train == "" && slices.Contains([]string{"approx", "direct", "kernel"}, s.attackName):
		return fmt.Errorf("-attack %s needs -train: it starts from training rows", s.attackName)
	case s.attackName == "kernel" && s.norm == polytope.L1:
		return errors.New("-attack kernel steps along gradients in ℓ∞ or ℓ2: use -norm inf or -norm 2")
	case s.solverName == "lpsolve" && s.norm == polytope.L2:
		return fmt.Errorf("-solver lpsolve: lp_solve has no programs for -norm %v, only for inf and 1", s.norm)
	case s.baseline() && s.domain != nil:
		return fmt.Errorf("-attack %s knows no -domain; exact and approx do", s.attackName)
	case s.baseline() && s.timeout > 0:
		return fmt.Errorf("-attack %s has no -timeout; exact and approx do", s.attackName)
	case s.weighted() && s.model != "knn":
		return fmt.Errorf("-weights distance goes with -model knn, not %s", s.model)
	case s.weighted() && s.attackName == "approx":
		return errors.New("-attack approx searches cells of one label, which -weights distance does not have; use exact, with a -timeout")
	case s.robust > 0 && s.model != "tree" && s.model != "forest":
		return fmt.Errorf("-robust-splits are those of -model tree and forest, not %s", s.model)
	case s.adversarial > 0 && file:
		return errors.New("-adversarial-training needs a model that is trained here: knn, tree, forest or oblique")
	case s.points > 0 && s.rowsFile != "":
		return errors.New("-points and -rows both choose the rows: use one of them")
	case s.resume && s.out == "":
		return errors.New("-resume needs -out FILE, the file to continue")
	}
	return nil
}

// modelIsFile reports whether the model was trained elsewhere.
func (s *settings) modelIsFile() bool {
	return !slices.Contains([]string{"knn", "tree", "forest", "oblique"}, s.model)
}

// weighted reports whether votes weigh the inverse of the distance.
func (s *settings) weighted() bool { return s.weights == "distance" }

// exact reports whether the attack proves what it finds.
func (s *settings) exact() bool { return s.attackName == "exact" }

// baseline reports whether the attack is one that the paper compares with.
func (s *settings) baseline() bool { return !s.exact() && s.attackName != "approx" }
