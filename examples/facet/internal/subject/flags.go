// Package subject is what facet's commands work on: rows from files, and a classifier that is
// trained on them or read from a file.
package subject

import (
	"errors"
	"fmt"
	"slices"
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
	// AddRows:
	Train, TrainLabels string
	Test, TestLabels   string
	Tables             tabular.Options // but MaxValues
	Classes            []string        // nil: those of the model or the training set
	UnknownLabels      string
	Scale              string
	MaxValues          int

	// AddModel:
	Model       string
	K           int
	Weights     string
	Trees       int
	Depth       int
	Criterion   classifier.Criterion
	Seed        uint32
	Robust      float64 // 0: plain splits
	Prune       float64 // 0: none
	Adversarial float64 // 0: none

	// AddSearch:
	Norm    polytope.Norm
	Workers int

	// Attack makes the attack of adversarial training; nil: an exact one.
	Attack func(d *Data, c classifier.Classifier) attack.Attack
}

// AddRows adds the flags that name rows.
func (s *Flags) AddRows(f *pflag.FlagSet) {
	f.StringVar(&s.Train, "train", "", "training set, a `file`: CSV, TSV, LIBSVM text, or .npy; .gz is unpacked, - is standard input")
	f.StringVar(&s.TrainLabels, "train-labels", "", "`file` of the labels of an NPY training set: .npy, or text with a label a line")
	f.StringVar(&s.Test, "test", "", "test set, a `file` like that of --train")
	f.StringVar(&s.TestLabels, "test-labels", "", "`file` of the labels of an NPY test set")
	s.addTables(f)
	command.Var(f, &s.Classes, "classes", "", command.Each(command.Some), "labels `A,B,…` in the files of the model's classes 0, 1, … when it does not carry them, or others")
	command.Var(f, &s.UnknownLabels, "unknown-labels", "refuse", command.OneOf("refuse", "wrong"), "test rows whose label is none of the classes: refuse the file, or count them as wrong")
	command.Var(f, &s.Scale, "scale", "none", command.OneOf("none", "minmax"), "the `scale` of features: none, or minmax: to [0,1], fitted on the training set")
	command.Var(f, &s.MaxValues, "max-values", strconv.Itoa(dataset.DefaultValues), command.AtLeast(1), "refuse files of more than `N` values, N/4 rows or 16·N bytes of contents")
}

// addTables adds the flags that say how files are to be read.
func (s *Flags) addTables(f *pflag.FlagSet) {
	o := &s.Tables
	command.Var(f, &o.Format, "format", "", tabular.ParseFormat, "the `format` of the files: libsvm, csv, tsv, npy or idx (default told by name and contents)")
	command.Var(f, &o.Sep, "sep", "", tabular.ParseSeparator, "the `character` between the cells of a line, or tab or space (default told by the contents)")
	f.StringVar(&o.Label, "label", "", "the `column` of the labels: its name, or its number, from 0, −1 the last (default the last)")
	command.Var(f, &o.Ignore, "ignore", "", command.Each(command.Some), "leave out these `columns`, names or numbers with commas between them")
	command.Var(f, &o.Drop, "missing", "refuse", parseMissing, "rows with missing values: refuse the file, or drop the rows")
}

func parseMissing(text string) (drop bool, err error) {
	text, err = command.OneOf("refuse", "drop")(text)
	return text == "drop", err
}

// AddModel adds the flags of the classifier and of its training.
func (s *Flags) AddModel(f *pflag.FlagSet) {
	command.Var(f, &s.Model, "model", "knn", command.Some, "knn, tree, forest, oblique, or the `file` of a model of scikit-learn, XGBoost, LightGBM, of oblique trees or one that facet saved")
	command.Var(f, &s.K, "k", "1", command.AtLeast(1), "`number` of neighbours that vote (knn)")
	command.Var(f, &s.Weights, "weights", "uniform", command.OneOf("uniform", "distance"), "`weights` of votes: uniform, or distance: a vote weighs the inverse of its distance (knn)")
	command.Var(f, &s.Trees, "trees", "100", command.AtLeast(1), "`number` of trees (forest, oblique)")
	command.Var(f, &s.Depth, "depth", "5", command.AtLeast(0), "`number` of splits on a path of a tree (tree, forest, oblique); 0: no limit")
	command.Var(f, &s.Criterion, "criterion", "entropy", classifier.ParseCriterion, "the `criterion` that a split reduces: entropy or gini (tree, forest, oblique)")
	command.Var(f, &s.Seed, "seed", "0", parseSeed, "`seed` of the training (tree, forest, oblique)")
	command.Var(f, &s.Robust, "robust-splits", "0", command.Radius, "distance `EPS` by which an adversary may move features when splits are scored (tree, forest); 0: plain splits")
	s.AddPrune(f)
	command.Var(f, &s.Adversarial, "adversarial-training", "0", command.Radius, "train again with the adversarial examples at distance ≤ `EPS` of the training rows; 0: none")
}

// AddPrune adds the flag of adversarial pruning.
func (s *Flags) AddPrune(f *pflag.FlagSet) {
	command.Var(f, &s.Prune, "prune", "0", command.Radius, "radius `R` of adversarial pruning, in scaled units with --scale: differently labelled rows at distance ≤ 2R conflict; 0: none")
}

// AddNorm adds the flag of distances.
func (s *Flags) AddNorm(f *pflag.FlagSet) {
	command.Var(f, &s.Norm, "norm", "inf", polytope.ParseNorm, "`norm` of distances: inf, 1 or 2")
}

// AddSearch adds the flags of distances and of the work.
func (s *Flags) AddSearch(f *pflag.FlagSet) {
	s.AddNorm(f)
	command.Var(f, &s.Workers, "workers", "0", command.AtLeast(0), "`number` of rows worked on at a time; 0: one per core")
}

func parseSeed(text string) (uint32, error) {
	v, err := strconv.ParseUint(text, 0, 32)
	return uint32(v), err
}

// Check looks at the flags of a command that needs a classifier.
func (s *Flags) Check() error {
	switch {
	case s.Train == "" && !s.ModelIsFile():
		return fmt.Errorf("--train FILE is missing: --model %s is trained on it", s.Model)
	case s.Train == "" && s.TrainLabels != "":
		return errors.New("--train-labels without --train")
	case s.Train == "" && s.Scale == "minmax":
		return errors.New("--scale minmax needs --train: the scaling is fitted on it")
	case s.Train == "" && s.Prune != 0:
		return errors.New("--prune needs --train: its rows are pruned")
	case s.Weighted() && s.Model != "knn":
		return fmt.Errorf("--weights distance goes with --model knn, not %s", s.Model)
	case s.Robust > 0 && s.Model != "tree" && s.Model != "forest":
		return fmt.Errorf("--robust-splits are those of --model tree and forest, not %s", s.Model)
	case s.Adversarial > 0 && s.ModelIsFile():
		return errors.New("--adversarial-training needs a model that is trained here: knn, tree, forest or oblique")
	}
	return nil
}

// ModelIsFile reports whether the model was trained elsewhere.
func (s *Flags) ModelIsFile() bool {
	return !slices.Contains([]string{"knn", "tree", "forest", "oblique"}, s.Model)
}

// Weighted reports whether votes weigh the inverse of the distance.
func (s *Flags) Weighted() bool { return s.Weights == "distance" }

// Inputs returns the files that are read, by flag.
func (s *Flags) Inputs() map[string]string {
	files := map[string]string{
		"train": s.Train, "train-labels": s.TrainLabels, "test": s.Test, "test-labels": s.TestLabels,
	}
	if s.ModelIsFile() {
		files["model"] = s.Model
	}
	for name, path := range files {
		if path == "" {
			delete(files, name)
		}
	}
	return files
}

// Describe names the model.
func (s *Flags) Describe() string {
	splits := s.Criterion.String()
	if s.Robust > 0 {
		splits = fmt.Sprintf("%v, robust splits %v", s.Criterion, s.Robust)
	}
	switch s.Model {
	case "knn":
		if s.Weighted() {
			return fmt.Sprintf("%d-nearest neighbours, weighted by distance", s.K)
		}
		return fmt.Sprintf("%d-nearest neighbours", s.K)
	case "tree":
		return fmt.Sprintf("decision tree, depth %d, %s", s.Depth, splits)
	case "forest":
		return fmt.Sprintf("random forest, %d trees, depth %d, %s", s.Trees, s.Depth, splits)
	case "oblique":
		return fmt.Sprintf("oblique trees, %d of them, depth %d, %v", s.Trees, s.Depth, s.Criterion)
	}
	return s.Model
}

// DescribeNorm names the norm, and the unit of distances if it is not that of the files.
func (s *Flags) DescribeNorm() string {
	name := map[polytope.Norm]string{polytope.LInf: "ℓ∞", polytope.L1: "ℓ1", polytope.L2: "ℓ2"}[s.Norm]
	if s.Scale == "minmax" {
		name += ", features scaled to [0,1]"
	}
	return name
}

// DescribeDefence says what the training rows are, or nothing.
func (s *Flags) DescribeDefence() string {
	var parts []string
	if s.Prune > 0 {
		parts = append(parts, fmt.Sprintf(", pruned with radius %v", s.Prune))
	}
	if s.Adversarial > 0 {
		parts = append(parts, fmt.Sprintf(", with adversarial examples within %v", s.Adversarial))
	}
	return strings.Join(parts, "")
}
