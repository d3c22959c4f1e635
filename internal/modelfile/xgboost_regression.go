package modelfile

import (
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// xgboostRegression are the objectives whose output is one number, by what becomes of the margin.
var xgboostRegression = map[string]trees.Link{
	"reg:squarederror": trees.Identity, "reg:linear": trees.Identity, "reg:squaredlogerror": trees.Identity,
	"reg:pseudohubererror": trees.Identity, "reg:absoluteerror": trees.Identity, "reg:quantileerror": trees.Identity,
	"rank:pairwise": trees.Identity, "rank:ndcg": trees.Identity, "rank:map": trees.Identity,
	"reg:logistic":  trees.Sigmoid,
	"count:poisson": trees.Exponential, "reg:gamma": trees.Exponential, "reg:tweedie": trees.Exponential,
}

// start returns the margin that a regressor's sum starts from: base_score is an output.
func (m *xgboostModel) start(output float64) ([]float64, error) {
	switch {
	case m.link == trees.Sigmoid && (output <= 1e-6 || output >= 1-1e-6): // see base
		return nil, fmt.Errorf("%v is no probability well between 0 and 1", output)
	case m.link == trees.Sigmoid:
		return []float64{logOdds(float32(output))}, nil
	case m.link == trees.Exponential && output <= 0:
		return nil, fmt.Errorf("%v is not positive", output)
	case m.link == trees.Exponential:
		return []float64{float64(float32(math.Log(output)))}, nil
	}
	return []float64{output}, nil
}
