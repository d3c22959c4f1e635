package modelfile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

func isXGBoost(h *head) bool {
	return isXGBoostBinary(h.text) || h.begins(`{"learner"`) || h.keys["learner"] != nil
}

// isXGBoostBinary recognises UBJSON, whose first object has a length marker for its
// first key, and the format before it.
func isXGBoostBinary(text []byte) bool {
	return bytes.HasPrefix(text, []byte("binf")) || (len(text) > 1 && text[0] == '{' && strings.IndexByte("LliIUu#$", text[1]) >= 0)
}

// xgboostFile is the part of the file that is needed.
type xgboostFile struct {
	Version []int `json:"version"`
	Learner struct {
		Attributes params   `json:"attributes"`
		Columns    []string `json:"feature_names"`
		Params     params   `json:"learner_model_param"`
		Objective  struct {
			Name string `json:"name"`
		} `json:"objective"`
		Booster struct {
			Name  string `json:"name"`
			Model struct {
				Params params        `json:"gbtree_model_param"`
				Class  []int         `json:"tree_info"`
				Trees  []xgboostTree `json:"trees"`
			} `json:"model"`
		} `json:"gradient_booster"`
	} `json:"learner"`
}

// params are numbers that the file has for strings.
type params map[string]string

// integer reads a number, if it is there, into v.
func (p params) integer(key string, v *int) (err error) {
	if text, ok := p[key]; ok {
		if *v, err = strconv.Atoi(text); err != nil {
			return fmt.Errorf("%s: %q is no integer", key, text)
		}
	}
	return nil
}

// xgboostModel is a file being understood.
type xgboostModel struct {
	*xgboostFile
	features int
	groups   int // of trees: one, or one for each class
	classes  int
	used     int // trees that vote
	// regresses says that the objective is one of a regressor.
	regresses bool
	link      trees.Link
}

func readXGBoost(text []byte) (*Model, error) {
	if isXGBoostBinary(text) {
		return nil, trees.AtByte(0, fmt.Errorf("a binary model; XGBoost writes JSON with save_model(\"model.json\"): %w", errors.ErrUnsupported))
	}
	m := xgboostModel{xgboostFile: new(xgboostFile)}
	if err := models.DecodeJSON(text, m.xgboostFile); err != nil {
		return nil, err
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	vote, err := m.vote()
	if err != nil {
		return nil, err
	}
	model := &Model{
		Kind: Ensemble, Dim: m.features, Comparison: trees.BelowFloat32, Vote: vote,
		ClassValues: models.Labels(m.classes), Trees: make([][]trees.Node, m.used),
	}
	if m.regresses {
		model.Kind, model.Link, model.ClassValues = Regressor, m.link, nil
	}
	if names := m.Learner.Columns; len(names) == m.features {
		model.FeatureNames = names // of a data frame; arrays have none
	}
	for i := range model.Trees {
		if model.Trees[i], err = m.Learner.Booster.Model.Trees[i].sorted(m.features); err != nil {
			return nil, trees.AtTree(i, err)
		}
	}
	return model, model.Spread(len(text), 1, m.class)
}

// class returns the class that tree i adds to.
func (m *xgboostModel) class(i int) int {
	switch {
	case m.regresses:
		return 0
	case m.groups == 1:
		return 1 // a margin in favour of label 1
	}
	return m.Learner.Booster.Model.Class[i]
}

func (m *xgboostModel) check() error {
	if len(m.Version) == 0 || m.Version[0] < 1 || m.Version[0] > 3 {
		return fmt.Errorf("version is %v, want 1, 2 or 3: %w", m.Version, errors.ErrUnsupported)
	}
	if name := m.Learner.Booster.Name; name != "gbtree" {
		return fmt.Errorf("gradient_booster: name is %q, want \"gbtree\": %w", name, errors.ErrUnsupported)
	}
	if err := m.checkParams(); err != nil {
		return fmt.Errorf("learner_model_param: %w", err)
	}
	return m.count()
}

// checkParams reads the numbers of features and classes.
func (m *xgboostModel) checkParams() error {
	params, count := m.Learner.Params, len(m.Learner.Booster.Model.Trees)
	classes, targets := 0, 1
	err := errors.Join(params.integer("num_feature", &m.features), params.integer("num_class", &classes), params.integer("num_target", &targets))
	switch {
	case err != nil:
		return err
	case targets > 1:
		return fmt.Errorf("num_target is %d: several labels a row: %w", targets, errors.ErrUnsupported)
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
func (m *xgboostModel) count() error {
	model := &m.Learner.Booster.Model
	count := len(model.Trees)
	parallel, number := 1, count
	err := errors.Join(model.Params.integer("num_parallel_tree", &parallel), model.Params.integer("num_trees", &number))
	// Files of the first versions have no number, or 0, for one tree at a time.
	parallel = max(parallel, 1)
	switch {
	case err != nil:
		return err
	case count == 0:
		return errors.New("no trees")
	case number != count:
		return fmt.Errorf("num_trees is %d, and there are %d", number, count)
	case len(model.Class) != count:
		return fmt.Errorf("tree_info has %d numbers for %d trees", len(model.Class), count)
	case count%m.groups != 0 || count/m.groups%parallel != 0:
		return fmt.Errorf("%d trees, want a multiple of num_class·num_parallel_tree = %d·%d", count, m.groups, parallel)
	}
	for i, c := range model.Class {
		if c < 0 || c >= m.groups {
			return trees.AtTree(i, fmt.Errorf("tree_info is %d, want 0 to %d", c, m.groups-1))
		}
	}
	rounds := count / m.groups / parallel
	best := rounds - 1
	if _, own := m.Learner.Attributes["scikit_learn"]; own {
		err = m.Learner.Attributes.integer("best_iteration", &best)
	}
	if err == nil && (best < 0 || best >= rounds) {
		err = fmt.Errorf("best_iteration is %d of %d rounds", best, rounds)
	}
	m.used = count / rounds * (best + 1)
	return err
}

// vote returns how the trees vote.
func (m *xgboostModel) vote() (trees.Vote, error) {
	v := trees.Vote{Single: true}
	name := m.Learner.Objective.Name
	m.link, m.regresses = xgboostRegression[name]
	switch {
	case m.regresses && m.groups > 1:
		return v, fmt.Errorf("objective: %s with %d outputs a row, want 1: %w", name, m.groups, errors.ErrUnsupported)
	case m.regresses:
		v.Rule = trees.Sum
	case name == "binary:logistic":
		v.Rule = trees.Logistic
	case name == "multi:softmax":
		v.Rule = trees.Sum
	case name == "multi:softprob":
		v.Rule = trees.Softmax
	default:
		return v, fmt.Errorf("objective: %q is none of binary:logistic, multi:softmax, multi:softprob, and none of a regressor: %w", name, errors.ErrUnsupported)
	}
	if !m.regresses && (v.Rule == trees.Logistic) != (m.groups == 1) {
		return v, fmt.Errorf("objective: %s with %d trees a round", name, m.groups)
	}
	var err error
	if v.Base, err = m.base(m.Learner.Params["base_score"]); err != nil {
		return v, fmt.Errorf("learner_model_param: base_score: %w", err)
	}
	return v, nil
}

// base returns what the sums start from. base_score is one number or, from version
// 3.1 on, an array of one or of one for each class. That of two classes is a
// probability.
func (m *xgboostModel) base(text string) ([]float64, error) {
	inner, isArray := strings.CutPrefix(text, "[")
	if isArray {
		if inner, isArray = strings.CutSuffix(inner, "]"); !isArray {
			return nil, fmt.Errorf("%q is no array", text)
		}
	}
	var base []float64
	for number := range strings.SplitSeq(inner, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 32)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q is no finite number", number)
		}
		base = append(base, v)
	}
	switch {
	case len(base) == 1 && m.regresses:
		return m.start(base[0])
	case len(base) == 1 && m.groups == 1:
		// Beyond 1e-6 versions differ: older ones refuse 0 and 1, newer ones take
		// the nearest number within.
		if base[0] <= 1e-6 || base[0] >= 1-1e-6 {
			return nil, fmt.Errorf("%v is no probability well between 0 and 1", base[0])
		}
		return []float64{0, logOdds(float32(base[0]))}, nil
	case len(base) == 1:
		return slices.Repeat(base, m.groups), nil
	case len(base) == m.groups:
		return base, nil
	}
	return nil, fmt.Errorf("%d numbers for %d classes", len(base), m.groups)
}

// logOdds returns log(p/(1−p)) with XGBoost's rounding.
func logOdds(p float32) float64 {
	odds := 1/p - 1
	return float64(-float32(math.Log(float64(odds))))
}
