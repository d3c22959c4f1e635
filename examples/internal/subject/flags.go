// Package subject has the rows and classifiers of facet's commands: rows from files, and a
// classifier that is trained on them or read from a file.
package subject

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Flags are the flags that commands share. A command adds those that it heeds.
type Flags struct {
	Rows
	training
	Measure
	Workers int // rows worked on at a time; 0: one per core
	regression

	// Attack makes the attack of adversarial training; nil: an exact one.
	Attack func(d *Data, c classifier.Classifier) (attack.Attack, error)

	set   *pflag.FlagSet
	notes []string
}

// Rows are the files of rows, and how they are read.
type Rows struct {
	Train, Test tabular.Source
	tabular.Options
	Classes       []string // nil: those of the model or of the training set
	UnknownLabels string   // refuse or wrong
	Scale         string   // none or minmax

	Piecewise bool // the test set is not read, but left to Piece
}

// training is a classifier, and how it is trained unless it is a file.
type training struct {
	Model string
	// of the sums of a file that does not say it; nil: as the file says
	Vote      *classifier.Vote
	K         int
	Weights   string
	Trees     int
	Depth     int
	Criterion string // entropy or gini
	Seed      uint32
	Robust    float64 // 0: plain training
	boosting
	Prune       float64 // 0: none
	Local       float64 // 0: Prune for all rows
	Adversarial float64 // 0: none
}

// Measure is a norm, or the count of changes.
type Measure struct {
	Norm    polytope.Norm
	Changes bool
}

// Name returns the word of --norm.
func (m *Measure) Name() string {
	if m.Changes {
		return "0"
	}
	return m.Norm.String()
}

// String is Name.
func (m Measure) String() string { return m.Name() }

// ParseNorm reads a norm: inf, linf, 1, l1, L1, ℓ1, ….
func ParseNorm(text string) (polytope.Norm, error) {
	n, err := polytope.ParseNorm(bare(text))
	if err != nil {
		return polytope.ParseNorm(text) // whose error says it as it was written
	}
	return n, nil
}

// bare is the name of a norm without the letter that papers put before it.
func bare(text string) string {
	name := strings.ToLower(text)
	for _, letter := range []string{"l", "ℓ"} {
		name = strings.TrimPrefix(name, letter)
	}
	return strings.TrimPrefix(name, "_")
}

// ParseMeasure reads the word of --norm.
func ParseMeasure(text string) (m Measure, err error) {
	if m.Changes = bare(text) == "0"; !m.Changes {
		m.Norm, err = ParseNorm(text)
	}
	if err != nil {
		err = fmt.Errorf("%w, or 0 for the number of features that change", err)
	}
	return m, err
}

// AddRows adds the flags that name rows.
func (s *Flags) AddRows(f *pflag.FlagSet) {
	s.AddTrain(f)
	s.AddTest(f)
	s.AddReading(f)
	s.AddScale(f)
}

// AddTrain adds the flags of the training set.
func (s *Flags) AddTrain(f *pflag.FlagSet) {
	f.StringVar(&s.Train.Path, "train", "", "training set, a `file` of LIBSVM lines, CSV, TSV or "+
		"an array of NumPy, .gz too; - is standard input")
	f.StringVar(&s.Train.Labels, "train-labels",
		"", "`file` of the labels of a training set that holds none, as NPY does")
}

// AddTest adds those of the test set.
func (s *Flags) AddTest(f *pflag.FlagSet) {
	f.StringVar(&s.Test.Path, "test", "", "test set, a `file` of LIBSVM lines, CSV, TSV or an "+
		"array of NumPy, .gz too; - is standard input")
	f.StringVar(&s.Test.Labels, "test-labels",
		"", "`file` of the labels of a test set that holds none, as NPY does")
}

// AddReading adds those that say how files are read.
func (s *Flags) AddReading(f *pflag.FlagSet) {
	s.set = f
	command.Var(f, &s.Format, "format", "", tabular.ParseFormat,
		"the `format`, if the name and the contents do not tell: libsvm, csv, tsv, npy or idx")
	command.Offer(f, "format", "libsvm", "csv", "tsv", "npy", "idx")
	command.Var(f, &s.Label, "label", "", command.Some,
		"`column` of the labels: its name, or its number from 0, -1 the last, or none: test rows "+
			"have no labels (default the last)")
	command.Offer(f, "label", tabular.None)
	command.Var(f, &s.Ignore, "ignore", "", command.Names,
		"`columns` A,B,… to leave out, by name or number; names with commas in double quotes")
	command.Var(f, &s.ID, "id", "", command.Some,
		"`column` of test rows that is no feature and goes to the output as it is")
	command.Choose(f, &s.Header, "header", "",
		"`yes` or no: whether the first line names the columns (default told by the contents)",
		tabular.Yes, tabular.No)
	command.Var(f, &s.Sep, "sep", "", tabular.ParseSeparator,
		"`character` between the cells, tab or space (default told by the contents)")
	command.Choose(f, &s.Decimal, "decimal", ".",
		"`character` before the decimals of numbers: a point or a comma", ".", ",")
	command.Choose(f, &s.Missing, "missing", tabular.Refuse,
		"`what` to do about rows with missing values: refuse, drop them, or keep them as they "+
			"are (the file of a model that takes them)",
		tabular.Refuse, tabular.Drop, tabular.Keep)
	command.Choose(f, &s.UnknownLabels, "unknown-labels", "refuse",
		"`what` to do about labels that the classifier does not know: refuse, or count them as "+
			"wrong", "refuse", "wrong")
	command.Var(f, &s.Classes, "classes", "", command.Names,
		"labels `A,B,…` of the classes 0, 1, …, with commas in double quotes (default those the "+
			"model lists, or the training set has)")
	command.Var(f, &s.MaxValues, "max-values", strconv.Itoa(dataset.DefaultValues),
		command.AtLeast(1),
		"refuse files of more than `N` values, N/4 rows or 16·N bytes of contents")
}

// AddScale adds that of the scale.
func (s *Flags) AddScale(f *pflag.FlagSet) {
	command.Choose(f, &s.Scale, "scale", "none",
		"the `scale` of features: none, or minmax: to [0,1], fitted on the training set", "none",
		"minmax")
}

// AddModel adds the flags of the classifier, and those of its training that every command has.
func (s *Flags) AddModel(f *pflag.FlagSet) {
	command.Var(f, &s.Model, "model", "knn", command.Some,
		"knn, tree, forest, boosted, oblique, or the `file` of a model of scikit-learn, XGBoost, "+
			"LightGBM, CatBoost, ONNX, of oblique trees or one that facet saved")
	command.Offer(f, "model", models...)
	AddVote(f, &s.Vote)
	command.Var(f, &s.K, "k", "1", command.AtLeast(1), "`number` of neighbours that vote (knn)")
	command.Var(f, &s.Trees, "trees", "100", command.AtLeast(1),
		"`number` of trees (forest, boosted, oblique)")
	command.Var(f, &s.Depth, "depth", "5", command.AtLeast(0),
		"`number` of splits on a path of a tree (tree, forest, oblique, boosted: 6 by default); "+
			"0: no limit, and the default of trees that are robust or boosted")
	s.Criterion = "entropy"
}

// AddTraining adds the flags of training that facet train has alone.
func (s *Flags) AddTraining(f *pflag.FlagSet) {
	command.Choose(f, &s.Weights, "weights", "uniform",
		"`weights` of votes: uniform, or distance: a vote weighs the inverse of its distance (knn)",
		"uniform", "distance")
	command.Choose(f, &s.Criterion, "criterion", "entropy",
		"the `criterion` that a split reduces: entropy or gini (tree, forest, oblique)",
		"entropy", "gini")
	command.Var(f, &s.Seed, "seed", "0", parseSeed,
		"`seed` of the training (tree, forest, oblique), and of the folds of --tune")
	command.Var(f, &s.Robust, "robust", "0", command.Radius,
		"distance `EPS` by which an adversary may move every feature, in scaled units with "+
			"--scale, for which the training makes up (tree, forest, boosted); 0: plain training")
	s.AddPrune(f)
	command.Var(f, &s.Adversarial, "adversarial-training", "0", command.Radius,
		"train again with the adversarial examples at distance ≤ `EPS` of the training rows; 0: "+
			"none")
}

// AddPrune adds the flags of adversarial pruning.
func (s *Flags) AddPrune(f *pflag.FlagSet) {
	command.Var(f, &s.Prune, "prune", "0", command.Radius,
		"radius `R` of adversarial pruning, in scaled units with --scale: differently labelled "+
			"rows at distance ≤ 2R conflict; 0: none")
	command.Var(f, &s.Local, "prune-local", "0", parseLocal,
		"`factor` from 0.5 on: the radius of a row is so many times its distance to the nearest "+
			"row of another label, but R at most; 0: R for all")
}

func parseLocal(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v == 0 || v >= 0.5) || math.IsInf(v, 1) {
		return 0, fmt.Errorf("%.40q is no finite number from 0.5 on, or 0", text)
	}
	return v, nil
}

// AddNorm adds the flag of distances between rows.
func (s *Flags) AddNorm(f *pflag.FlagSet) {
	command.Var(f, &s.Norm, "norm", "inf", ParseNorm,
		"`norm` of distances: inf, 1 or 2, or linf, l1, l2")
	command.Offer(f, "norm", "inf", "1", "2")
}

// AddSearch adds the flags of distances and of the work.
func (s *Flags) AddSearch(f *pflag.FlagSet) {
	command.Var(f, &s.Measure, "norm", "inf", ParseMeasure,
		"`norm` of distances: inf, 1 or 2, or 0 for the number of features that change (trees)")
	command.Offer(f, "norm", "inf", "1", "2", "0")
	s.AddWorkers(f)
}

// AddWorkers adds the flag of how much is done at a time.
func (s *Flags) AddWorkers(f *pflag.FlagSet) {
	command.Var(f, &s.Workers, "workers", "0", command.AtLeast(0),
		"`number` of rows worked on at a time; 0: one per core")
}

// AddVote adds the flag of the vote of models whose files do not say it.
func AddVote(f *pflag.FlagSet, vote **classifier.Vote) {
	command.Var(f, vote, "vote", "", parseVote,
		"for the file of a model that was trained with an objective of one's own, which does not "+
			"say how its sums make a label: `VOTE` logistic, of one sum for label 1, or softmax, "+
			"of one for each class")
	command.Offer(f, "vote", "logistic", "softmax")
}

func parseVote(text string) (*classifier.Vote, error) {
	votes := map[string]classifier.Vote{
		"logistic": classifier.LogisticVote,
		"softmax":  classifier.SoftmaxVote,
	}
	v, ok := votes[text]
	if !ok {
		return nil, fmt.Errorf("%.40q is neither logistic nor softmax", text)
	}
	return &v, nil
}

func parseSeed(text string) (uint32, error) {
	v, err := strconv.ParseUint(text, 0, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is no whole number from 0 to %d", text, uint32(math.MaxUint32))
	}
	return uint32(v), nil
}
