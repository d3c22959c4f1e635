package subject

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/victim"
)

// models are the kinds that are trained here.
var models = []string{"knn", "tree", "forest", "oblique"}

// trained are the flags that not every kind of model is trained by, with those that are.
var trained = []struct {
	flag   string
	models []string
}{
	{"k", models[:1]},
	{"weights", models[:1]},
	{"trees", models[2:]},
	{"depth", models[1:]},
	{"criterion", models[1:]},
	{"seed", models[1:]},
	{"robust-splits", models[1:3]},
	{"adversarial-training", models},
	{"prune", models},
}

// Check looks at the flags of a command that needs a classifier. A flag that does not apply to the model
// is refused, unless the command has another use for it.
func (s *Flags) Check(used ...string) error {
	switch {
	case s.Train == "" && !s.ModelIsFile():
		return fmt.Errorf("--train FILE is missing: --model %s is trained on it", s.Model)
	case s.Train == "" && s.TrainLabels != "":
		return errors.New("--train-labels without --train")
	case s.Test == "" && s.TestLabels != "":
		return errors.New("--test-labels without --test")
	case s.Train == "" && s.Scale == "minmax":
		return errors.New("--scale minmax needs --train: the scaling is fitted on it")
	case s.Vote != nil && (!s.ModelIsFile() || s.Asks()):
		return errors.New("--vote is for --model FILE, whose sums are to make a label")
	case s.Train == "" && s.Prune != 0:
		return errors.New("--prune needs --train: its rows are pruned")
	}
	if err := s.checkRegression(); err != nil {
		return err
	}
	for _, f := range trained {
		if !s.set.Changed(f.flag) || slices.Contains(f.models, s.Model) || slices.Contains(used, f.flag) {
			continue
		}
		if s.ModelIsFile() {
			return fmt.Errorf("--%s is for models that are trained here, %s; %s is a file", f.flag, strings.Join(f.models, ", "), s.Model)
		}
		return fmt.Errorf("--%s is for --model %s, not %s", f.flag, strings.Join(f.models, ", "), s.Model)
	}
	return nil
}

// checkMissing refuses to keep missing values where nothing takes them; m is nil without a model from a file.
func (s *Flags) checkMissing(m *Model) error {
	switch {
	case s.Missing != "keep":
		return nil
	case m == nil:
		return errors.New("--missing keep is for --model FILE: what is trained here takes no missing values")
	case s.Scale == "minmax":
		return errors.New("--missing keep and --scale minmax: a model that takes missing values takes rows as they are in the file")
	}
	return nil
}

// takes returns an error for rows with missing values that the classifier takes none of.
func (s *Flags) takes(c classifier.Classifier, p *Part) error {
	if s.Missing != "keep" || p == nil || c == nil {
		return nil
	}
	for i := range p.Rows {
		x, _ := p.Row(i)
		if !slices.ContainsFunc(x, math.IsNaN) {
			continue
		}
		if err := victim.CheckInput(c, x); err != nil {
			return fmt.Errorf("--missing keep: row %d of %s has missing values, and the model %s takes none: %w", i, p.Path, s.Model, err)
		}
		return nil
	}
	return nil
}

// ModelIsFile reports whether the model was trained elsewhere.
func (s *Flags) ModelIsFile() bool {
	return !slices.Contains(models, s.Model)
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
