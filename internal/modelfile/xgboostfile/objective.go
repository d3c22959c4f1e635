package xgboostfile

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// regressions are the objectives whose output is one number, by the function of the margin.
var regressions = map[string]trees.Link{
	"reg:squarederror": trees.Identity, "reg:linear": trees.Identity,
	"reg:squaredlogerror":  trees.Identity,
	"reg:pseudohubererror": trees.Identity, "reg:absoluteerror": trees.Identity,
	"reg:quantileerror": trees.Identity,
	"rank:pairwise":     trees.Identity, "rank:ndcg": trees.Identity, "rank:map": trees.Identity,
	"reg:logistic":  trees.Sigmoid,
	"count:poisson": trees.Exponential, "reg:gamma": trees.Exponential,
	"reg:tweedie": trees.Exponential,
}

// vote finds how the trees vote, or that they regress.
func (m *model) vote() error {
	v, name := trees.Vote{Single: true}, m.objective
	m.link, m.regresses = regressions[name]
	switch {
	case m.regresses && m.groups > 1:
		return fmt.Errorf("objective: %s with %d outputs a row, want 1: %w",
			name, m.groups, errors.ErrUnsupported)
	case m.regresses:
		v.Rule = trees.Sum
	case name == "multi:softmax":
		v.Rule, v.Chances = trees.Sum, trees.Odds
	case name == "binary:hinge":
		v.Rule, v.Chances = trees.Sum, trees.NoChances // it predicts 0 or 1
	case name == "binary:logistic":
		v.Rule = trees.Logistic
	case name == "multi:softprob":
		v.Rule = trees.Softmax
	default:
		return m.refuse()
	}
	if !m.regresses && strings.HasPrefix(name, "binary:") != (m.groups == 1) {
		return fmt.Errorf("objective: %s with %d trees a round", name, m.groups)
	}
	var err error
	if v.Base, err = m.base(m.params["base_score"]); err != nil {
		return fmt.Errorf("learner_model_param: base_score: %w", err)
	}
	m.votes = v
	return nil
}

// refuse says why an objective is not read.
func (m *model) refuse() error {
	why := "is none of a classifier or a regressor that facet knows"
	switch name := m.objective; {
	case name == "binary:logitraw":
		why = "is read by no two versions of XGBoost alike; binary:logistic trains the same trees"
	case strings.HasPrefix(name, "survival:"):
		why = "is a model of survival times, neither a classifier nor a regressor"
	}
	return models.Unsupported(fmt.Sprintf("objective: %.40q %s", m.objective, why))
}

// base returns the start of the sums. base_score is one number or, from version
// 3.1 on, an array of one or of one for each class. That of two classes is a
// probability, but for a hinge.
func (m *model) base(text string) ([]float64, error) {
	base, err := numbers(text)
	switch {
	case err != nil:
		return nil, err
	case len(base) == 1 && m.groups == 1:
		margin, err := m.margin(base[0])
		if m.regresses {
			return []float64{margin}, err
		}
		return []float64{0, margin}, err
	case len(base) == 1:
		return slices.Repeat(base, m.groups), nil
	case len(base) == m.groups:
		return base, nil
	}
	return nil, fmt.Errorf("%d numbers for %d classes", len(base), m.groups)
}

// numbers reads one number, or an array.
func numbers(text string) ([]float64, error) {
	inner, isArray := strings.CutPrefix(text, "[")
	if isArray {
		if inner, isArray = strings.CutSuffix(inner, "]"); !isArray {
			return nil, fmt.Errorf("%q is no array", text)
		}
	}
	var all []float64
	for number := range strings.SplitSeq(inner, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 32)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || strings.ContainsAny(number, "xX_") {
			return nil, fmt.Errorf("%q is no finite number", number)
		}
		all = append(all, v)
	}
	return all, nil
}

// margin returns the margin that a single sum starts from: base_score is an output.
func (m *model) margin(output float64) (float64, error) {
	switch {
	case m.objective == "binary:logistic" || m.link == trees.Sigmoid:
		return m.logOdds(float32(output))
	case m.link == trees.Exponential && output == 0:
		return 0, models.Unsupported("0, so that every output is 0: train with labels that are " +
			"not all 0, or with base_score=1")
	case m.link == trees.Exponential && output < 0:
		return 0, fmt.Errorf("%v is not positive", output)
	case m.link == trees.Exponential:
		return float64(logf(float32(output))), nil
	}
	return output, nil
}

// nearest is how near to 0 and to 1 a probability may be that sums start from, since version 3.2.
const nearest float32 = 1e-6

// logOdds returns log(p/(1−p)) with XGBoost's rounding. Since version 3.2 a probability too near to
// 0 or 1 counts as the nearest that is not, and is 0 where all labels are; earlier ones take it as
// it is, and fail at 0.
func (m *model) logOdds(p float32) (float64, error) {
	within := min(max(p, nearest), 1-nearest)
	switch {
	case p < 0 || p > 1:
		return 0, fmt.Errorf("%v is no probability", p)
	case p != within && !m.since(3, 2):
		return 0,
			models.Unsupported(fmt.Sprintf("%v, which XGBoost takes as it is before version 3.2, "+
				"and for "+
				"the nearest probability from 1e-6 to 1 - 1e-6 from then on: train with "+
				"base_score=0.5, "+
				"or load the file with version 3.2 or later, and save_model", p))
	}
	odds := 1/within - 1
	return -float64(logf(odds)), nil
}
