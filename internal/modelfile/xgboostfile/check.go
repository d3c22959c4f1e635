package xgboostfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// check checks that the parts of the file agree with one another, and finds the numbers of
// features, classes and trees.
func (m *model) check() error {
	switch name := m.booster.name; {
	case len(m.version) == 0 || m.version[0] < 1 || m.version[0] > 3:
		return models.Unsupported(fmt.Sprintf("version is %v, want 1, 2 or 3", m.version))
	case name == "gblinear":
		return models.Unsupported("gradient_booster: a linear model (gblinear), which has no trees")
	case name != "gbtree" && name != "dart":
		return models.Unsupported(
			fmt.Sprintf("gradient_booster: name is %.40q, want \"gbtree\" or \"dart\"", name),
		)
	case m.config && len(m.booster.trees) == 0:
		return models.Unsupported("what XGBoost's save_config writes, which has no trees: " +
			"save_model(\"model.json\") writes a model")
	}
	if m.unknown != "" {
		return m.refuseUnknown()
	}
	if err := m.checkParams(); err != nil {
		return fmt.Errorf("learner_model_param: %w", err)
	}
	if err := m.count(); err != nil {
		return err
	}
	for i, t := range m.booster.trees {
		if t.feature >= m.features {
			return trees.AtTree(i,
				trees.AtNode(t.at,
					fmt.Errorf("split_indices is %d, want 0 to %d", t.feature, m.features-1)))
		}
	}
	return m.checkMissing()
}

// refuseUnknown names a part of the file that no version has which was tried.
func (f *file) refuseUnknown() error {
	return models.XGBoost.Unknown(f.unknown, strings.ReplaceAll(
		strings.Trim(fmt.Sprint(f.version), "[]"), " ", "."))
}

// since reports whether a version, or a later one, wrote the file.
func (f *file) since(version ...int32) bool { return slices.Compare(f.version, version) >= 0 }

// checkParams reads the numbers of features and classes.
func (m *model) checkParams() error {
	count := len(m.booster.trees)
	classes, targets := 0, 1
	err := errors.Join(m.params.integer("num_feature", &m.features),
		m.params.integer("num_class", &classes), m.params.integer("num_target", &targets))
	switch {
	case err != nil:
		return err
	case targets > 1:
		return models.Unsupported(
			fmt.Sprintf("num_target is %d: several outputs a row; train a model for each", targets),
		)
	case m.features < 1 || m.features > models.MostFeatures:
		return fmt.Errorf("num_feature is %d, want 1 to %d", m.features, models.MostFeatures)
	case classes < 0 || classes > max(count, 1):
		return fmt.Errorf("num_class is %d, and there are %d trees", classes, count)
	}
	m.groups, m.classes = max(classes, 1), max(classes, 2)
	return nil
}

// count counts the trees that vote: all of a Booster, those up to its best iteration of
// an XGBClassifier that saved itself.
func (m *model) count() error {
	b := &m.booster
	count := len(b.trees)
	parallel, number := 1, count
	err := errors.Join(b.params.integer("num_parallel_tree", &parallel),
		b.params.integer("num_trees", &number))
	// Files of the first versions have no number, or 0, for one tree at a time.
	parallel = max(parallel, 1)
	switch {
	case err != nil:
		return err
	case count == 0:
		return models.NoTrees
	case number != count:
		return fmt.Errorf("num_trees is %d, and there are %d", number, count)
	case len(b.class) != count:
		return fmt.Errorf("tree_info has %d numbers for %d trees", len(b.class), count)
	case b.beside != nil && b.within != nil:
		return errors.New("weight_drop beside the model and within it")
	case (b.name == "dart" || b.weights() != nil) && len(b.weights()) != count:
		return fmt.Errorf("weight_drop has %d numbers for %d trees", len(b.weights()), count)
	case b.name != "dart" && b.weights() != nil && !m.since(3, 3):
		return errors.New("weight_drop in a gbtree")
	case count%m.groups != 0 || count/m.groups%parallel != 0:
		return fmt.Errorf("%d trees, want a multiple of num_class·num_parallel_tree = %d·%d",
			count, m.groups, parallel)
	}
	for i, c := range b.class {
		if c < 0 || int(c) >= m.groups {
			return trees.AtTree(i, fmt.Errorf("tree_info is %d, want 0 to %d", c, m.groups-1))
		}
	}
	for i, trees := range b.rounds {
		if int(trees) != min(i*m.groups*parallel, count) {
			return fmt.Errorf("iteration_indptr: %d trees before round %d, each of "+
				"num_class·num_parallel_tree = %d·%d", trees, i, m.groups, parallel)
		}
	}
	return m.rounds(count / m.groups / parallel)
}

// weights returns the weights of the trees of a dart, nil of others.
func (b *booster) weights() []float32 {
	if b.within != nil {
		return b.within
	}
	return b.beside
}

// wrapped reports whether an XGBClassifier or an XGBRegressor saved itself.
func (m *model) wrapped() bool {
	_, own := m.attributes["scikit_learn"]
	return own
}

// rounds finds how many trees of so many rounds vote.
func (m *model) rounds(rounds int) (err error) {
	best := rounds - 1
	if m.wrapped() {
		err = m.attributes.integer("best_iteration", &best)
	}
	if err == nil && (best < 0 || best >= rounds) {
		err = fmt.Errorf("best_iteration is %d of %d rounds", best, rounds)
	}
	m.used = len(m.booster.trees) / rounds * (best + 1)
	return err
}

// checkMissing refuses an XGBClassifier of version 1 that takes another value than NaN for
// missing ones. Later versions do not write it, and forget it when they read such a file.
func (m *model) checkMissing() error {
	_, after, has := strings.Cut(m.attributes["scikit_learn"], `"missing":`)
	if missing := strings.TrimSpace(after[:max(0, strings.IndexAny(after, ",}"))]); has &&
		missing != "NaN" {
		return models.Unsupported(fmt.Sprintf("an XGBClassifier for which %.40s is missing, what "+
			"later versions forget: put NaN for it in the rows, and save the model's get_booster()",
			missing))
	}
	return nil
}
