package subject

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
)

// models are the kinds that are trained here.
var models = []string{"knn", "tree", "forest", "boosted", "oblique"}

// takes returns an error for rows with missing values that the classifier takes none of.
func (s *Flags) takes(c classifier.Classifier, p *Part) error {
	if s.Missing != tabular.Keep || p == nil || c == nil {
		return nil
	}
	for i := range p.Rows {
		x, _ := p.Row(i)
		if !slices.ContainsFunc(x, math.IsNaN) {
			continue
		}
		if err := rules.CheckInput(access.Follows(c), x, c.Dim()); err != nil {
			return fmt.Errorf(
				"--missing keep: row %d of %s has missing values, and the model %s takes none: %w",
				p.Number(i), p.Path, s.Model, err,
			)
		}
		return nil
	}
	return nil
}

// CheckNorm returns an error for a norm without a use. It is for commands whose only distances are
// those of the training.
func (s *Flags) CheckNorm() error {
	if s.set.Changed("norm") && s.Prune == 0 && s.Adversarial == 0 {
		return errors.New("--norm is for --prune and --adversarial-training, which measure " +
			"distances")
	}
	return nil
}

// ModelIsFile reports whether the model was trained elsewhere.
func (s *Flags) ModelIsFile() bool {
	return !slices.Contains(models, s.Model)
}

// weighted reports whether votes weigh the inverse of the distance.
func (s *Flags) weighted() bool { return s.Weights == "distance" }

// CheckOutputs looks at the files that a command writes which reads these.
func (s *Flags) CheckOutputs(overwrite bool, outputs ...outfile.Output) error {
	return outfile.Check(slices.Sorted(maps.Values(s.Inputs())), overwrite, outputs...)
}

// Inputs returns the files that are read, by flag.
func (s *Flags) Inputs() map[string]string {
	files := map[string]string{
		"train": s.Train.Path, "train-labels": s.Train.Labels,
		"test": s.Test.Path, "test-labels": s.Test.Labels,
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
