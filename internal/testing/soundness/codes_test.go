package soundness

import (
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Codes is an attack on boosted trees that test sets of categories, read from a file. Voters
// has them as the file says them: the Weights of a node that tests a category are the codes of
// its set.
type Codes struct {
	Voters
	Library string
	// Known is how many codes the file says that each feature has, 0 if it is a number or
	// the file does not say.
	Known []int
}

// Check implements Instance.
func (in *Codes) Check(seed uint64) []Failure {
	read, err := classifier.Read[classifier.Classifier](strings.NewReader(in.file()),
		classifier.ReadOptions{})
	if err != nil {
		return []Failure{{'E', err.Error()}}
	}
	e, ok := read.(*classifier.Ensemble)
	if !ok {
		return []Failure{{'E', "no ensemble"}}
	}
	c := *in
	if fail, ok := c.declare(e.Categories()); !ok {
		return []Failure{fail}
	}
	label := func(z []float64) (int, bool) { return c.labelAt(z), true }
	return checkAttack(e, &c.Query, Truth{Infimum: c.infimum, Apart: c.apart, Label: label}, seed)
}

// declare takes up how many codes the model declares: no fewer than its file says and its sets
// have.
func (in *Codes) declare(codes []int) (Failure, bool) {
	if codes == nil {
		codes = make([]int, in.Dim)
	}
	for j, declared := range codes {
		if declared < in.Known[j] || (declared > 0) != in.category(j) {
			return Failure{'d', "the model declares too few codes, or none"}, false
		}
		for n := range in.tests(j) {
			if len(n.Weights) > 0 && slices.Max(n.Weights) >= float64(declared) {
				return Failure{'d', "a set has a code that is not declared"}, false
			}
		}
	}
	in.Query.Codes = codes
	return Failure{}, true
}

// category tells whether a feature is a category: known as one, or tested by a set.
func (in *Codes) category(j int) bool {
	for n := range in.tests(j) {
		if len(n.Weights) > 0 {
			return true
		}
	}
	return in.Known[j] > 0
}

// tests goes through the tests of a feature.
func (in *Codes) tests(j int) iter.Seq[trees.Node] {
	return func(yield func(trees.Node) bool) {
		for _, nodes := range in.Trees {
			for _, n := range nodes {
				if n.Left >= 0 && n.Feature == j && !yield(n) {
					return
				}
			}
		}
	}
}

// labelAt is the label of a float64 input, as the library predicts it.
func (in *Codes) labelAt(z []float64) int {
	return in.vote(func(n trees.Node) bool { return in.goesLeft(n, z[n.Feature]) })
}

// comparison is that of numbers.
func (in *Codes) comparison() classifier.Comparison {
	switch in.Library {
	case xgboost:
		return classifier.BelowFloat32
	case catboost:
		return classifier.AtMostFloat32
	}
	return classifier.AtMostFloat64
}

func (in *Codes) goesLeft(n trees.Node, v float64) bool {
	switch {
	case len(n.Weights) > 0:
		return in.member(n, v) == (in.Library == lightgbm)
	case math.IsNaN(v):
		return n.MissingLeft
	case in.Library == lightgbm && math.Abs(v) <= float64(float32(1e-35)):
		v = 0
	}
	return goesLeft(in.comparison(), v, n.Threshold)
}

// member tells whether a value is a code of a set: XGBoost and LightGBM cut a fraction off,
// XGBoost in float32; values below 0 are none, and LightGBM cuts off first. CatBoost knows whole
// numbers only, between which its codes end in the middle. NaN is in no set, but in XGBoost it
// goes where all NaN go.
func (in *Codes) member(n trees.Node, v float64) bool {
	switch {
	case math.IsNaN(v) && in.Library == xgboost:
		return !n.MissingLeft
	case math.IsNaN(v):
		return false
	case in.Library == xgboost:
		v = math.Floor(float64(float32(v)))
	case in.Library == lightgbm:
		v = math.Trunc(v)
	default:
		v = math.Ceil(float64(float32(v)) - 0.5)
	}
	return slices.Contains(n.Weights, v)
}

// infimum returns the distance of the nearest input that answers.
func (in *Codes) infimum(from int) Infimum { return in.apart(from, nil) }

// apart is infimum without inputs that change all of a set of features.
func (in *Codes) apart(from int, sets [][]int) Infimum {
	values, borders := make([][]float64, in.Dim), make([][]border, in.Dim)
	var all [][]choice
	for j := range in.Dim {
		if in.Query.Codes[j] == 0 {
			borders[j] = in.borders(j)
			all = append(all, in.Query.choicesOf(j, borders[j]))
			continue
		}
		var list []choice
		values[j], list = in.Query.codesOf(j)
		all = append(all, list)
	}
	in.Query.sort(all)
	s := &gridSearch{q: &in.Query, from: from, choices: all, sets: sets}
	s.label = func(at []int) int {
		return in.vote(func(n trees.Node) bool {
			switch number := at[n.Feature]; {
			case number == absent:
				return in.goesLeft(n, math.NaN())
			case in.Query.Codes[n.Feature] > 0:
				return in.goesLeft(n, values[n.Feature][number])
			default:
				return number <= rankOf(borders[n.Feature], in.borderOf(n))
			}
		})
	}
	return s.infimum()
}

// borders returns the different borders of a number, ascending.
func (in *Codes) borders(j int) []border {
	var all []border
	for n := range in.tests(j) {
		all = append(all, in.borderOf(n))
	}
	return ascending(all)
}

// borderOf returns where a test of a number changes: LightGBM takes the numbers near 0 for 0.
func (in *Codes) borderOf(n trees.Node) border {
	b, zero := borderOf(in.comparison(), n.Threshold), float64(float32(1e-35))
	switch {
	case in.Library != lightgbm || math.Abs(b.end) > zero:
		return b
	case b.end >= 0:
		return border{zero, true}
	}
	return border{-zero, false}
}

// codesOf lists the values that a category may have: the one it has, and all codes. Number i is
// value i.
func (q *Query) codesOf(j int) (values []float64, list []choice) {
	x := q.X[j]
	offer := func(v float64) {
		number := absent
		if !math.IsNaN(v) {
			number, values = len(values), append(values, v)
		}
		if cost := q.costOfCode(j, v); cost != nil {
			list = append(list, choice{
				features: []int{j}, intervals: []int{number}, kept: same(v, x), cost: cost,
			})
		}
	}
	offer(x)
	for code := range int(q.codes(j)) {
		if v := float64(code); v != x {
			offer(v)
		}
	}
	if !math.IsNaN(x) {
		offer(math.NaN())
	}
	return values, list
}

// Smaller implements Instance.
func (in *Codes) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for v := range in.smaller() {
			if !yield(&Codes{v, in.Library, in.Known}) {
				return
			}
		}
		for i, nodes := range in.Trees {
			for simpler := range smallerSets(nodes) {
				c := *in
				c.Trees = slices.Clone(in.Trees)
				if c.Trees[i] = simpler; !yield(&c) {
					return
				}
			}
		}
	}
}

// smallerSets lists trees in which a set lacks a code.
func smallerSets(nodes []trees.Node) iter.Seq[[]trees.Node] {
	return func(yield func([]trees.Node) bool) {
		for i, n := range nodes {
			for k := range n.Weights {
				c := slices.Clone(nodes)
				c[i].Weights = slices.Delete(slices.Clone(n.Weights), k, k+1)
				if len(n.Weights) > 1 && !yield(c) {
					return
				}
			}
		}
	}
}
