package soundness

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawCodes draws boosted trees over categories and numbers, and a row whose codes may be ones
// that the model has not seen, or no codes at all.
func drawCodes(r *rand.Rand) *Codes {
	in := &Codes{Library: pick(r, xgboost, lightgbm)}
	if r.IntN(30) == 0 {
		in.Library = catboost // to read one takes ten times as long
	}
	in.Dim = pick(r, 1, 2, 2, 2, 3)
	in.Known = make([]int, in.Dim)
	in.Vote, in.Rounded = classifier.LogisticVote, in.Library == xgboost
	if in.Library == catboost {
		in.Vote = classifier.SumVote
	}
	kinds := make([]bool, in.Dim)
	for j := range kinds {
		kinds[j] = j == 0 || r.IntN(3) == 0
	}
	thresholds := make([][]float64, in.Dim)
	for j := range thresholds {
		for range 1 + r.IntN(3) {
			v := pick(r, r.NormFloat64(), float64(r.IntN(7)-3), 0.1, 1e6)
			thresholds[j] = append(thresholds[j], float64(float32(v)))
		}
	}
	test := func() trees.Node {
		j := r.IntN(in.Dim)
		if !kinds[j] {
			return trees.Node{
				Feature: j, Threshold: pick(r, thresholds[j]...), MissingLeft: r.IntN(2) == 0,
			}
		}
		missingLeft := in.Library == xgboost && r.IntN(2) == 0
		return trees.Node{Feature: j, Weights: in.drawSet(r), MissingLeft: missingLeft}
	}
	for range pick(r, 1, 2, 3, 3, 4) {
		in.Trees = append(in.Trees, growNodes(r, in.Vote, 2, test))
	}
	in.settle()
	for j := range in.Known {
		if in.category(j) && in.Library != catboost && r.IntN(2) == 0 {
			in.Known[j] = 1 + r.IntN(8)
		}
	}
	in.Query = in.drawQuery(r, thresholds)
	return in
}

// drawSet draws the codes of a test, ascending.
func (in *Codes) drawSet(r *rand.Rand) []float64 {
	if in.Library == catboost {
		return []float64{pick(r, 0.0, 1, 2, 3, 5)}
	}
	var codes []float64
	for range 1 + r.IntN(4) {
		codes = append(codes, float64(pick(r, r.IntN(3), r.IntN(6), r.IntN(6), 33)))
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// settle makes values such as the files can hold: 0 for label 0, float32 in XGBoost, and in
// CatBoost one way for the missing values of a feature.
func (in *Codes) settle() {
	for _, nodes := range in.Trees {
		for i := range nodes {
			n := &nodes[i]
			v := n.Value[1]
			if in.Library == xgboost {
				v = float64(float32(v))
			}
			n.Value = []float64{0, v}
			if in.Library == catboost && n.Left >= 0 {
				n.MissingLeft = len(n.Weights) > 0 || n.Feature%2 == 0
			}
		}
	}
}

// drawQuery draws a row, rules and a domain.
func (in *Codes) drawQuery(r *rand.Rand, thresholds [][]float64) Query {
	q := drawTreeQuery(r, thresholds, 2)
	q.Norm = pick(r, polytope.LInf, polytope.L1, polytope.L2, instance.Changes)
	if r.IntN(2) == 0 {
		drawRealRules(r, &q)
	}
	for j := range q.X {
		if q.Rules != nil && r.IntN(3) == 0 {
			q.Rules[j].Missing = attack.MissingRule(r.IntN(3))
		}
		if missing := r.IntN(8) == 0; !in.category(j) {
			if missing {
				q.X[j] = math.NaN()
			}
			continue
		}
		code := float64(r.IntN(8))
		q.X[j] = pick(r, float64(r.IntN(4)), code, code, 34, math.NaN(), drawOdd(r))
		if q.Rules != nil {
			was := q.Rules[j]
			q.Rules[j] = attack.Feature{Up: was.Up, Frozen: was.Frozen, Missing: was.Missing}
			q.Rules[j].Categorical = r.IntN(2) == 0
			if q.Rules[j].Categorical {
				q.Rules[j].Codes = pick(r, 0, 0, 1, 3, 9)
			}
		}
		if q.Domain != nil {
			q.Domain[j] = pick(r, polytope.Line(), polytope.Interval{Lo: 0, Hi: float64(r.IntN(6))},
				polytope.Interval{Lo: 0.5, Hi: math.Inf(1)})
		}
	}
	return q
}

// drawOdd draws a number that is no code, or next to none.
func drawOdd(r *rand.Rand) float64 {
	code := float64(r.IntN(5))
	return pick(r, code+0.5, -0.5, -1, math.Nextafter(code, 9), math.Nextafter(code, -1),
		code+1e-10, code-1e-10, 1e9, 1e300, -1e300, 1<<53+2)
}
