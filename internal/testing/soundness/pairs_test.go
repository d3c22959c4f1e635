package soundness

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Pairs asks a question of package attack/property: one of questions.
type Pairs struct {
	Question     string
	Dim, Classes int
	Regressor    bool
	Comparison   classifier.Comparison
	Votes        classifier.EnsembleOptions
	Trees        [2][][]classifier.TreeNode // of both models, by the features of the first one
	Order        []int                      // that of the features in the second one, by name
	Options      property.Options           // without Near
	Rows         [][]float64                // nil for no Near
	Free         []int                      // features that pairs do not share
	Falling      bool                       // of outputs
	Zero         bool                       // of two classes the output of label 0 counts
}

// questions are those of package attack/property.
var questions = []string{"depends", "flips", "monotone", "differ", "disagree", "outputs"}

// Check implements Instance.
func (in *Pairs) Check(uint64) []Failure {
	t, models := &trial{}, [2]property.Model{}
	for i := range models {
		var err error
		if models[i], err = in.model(i); err != nil {
			return []Failure{{'E', err.Error()}}
		}
		if e, ok := models[i].(*classifier.Ensemble); ok && in.Options.Probability {
			_, err := e.Probabilities()
			in.Options.Probability = err == nil // else there are none to ask about
		}
	}
	ctx, opts := context.Background(), in.Options
	if in.Rows != nil {
		opts.Near = mat.NewDense(len(in.Rows), in.Dim, slices.Concat(in.Rows...))
	}
	var r property.Result
	var err error
	opts.Labels = in.Question == "flips" || in.Question == "disagree"
	switch in.Question {
	case "depends", "flips":
		r, err = property.Depends(ctx, models[0], in.Free, opts)
	case "monotone":
		opts.Falling = in.Falling
		r, err = property.Monotone(ctx, models[0], in.Free[0], opts)
	case "outputs":
		in.ends(ctx, t, models[0], opts)
		return t.fails
	default:
		r, err = property.Differ(ctx, models[0], models[1], opts)
	}
	truths := in.truths()
	if !in.asked(t, err, slices.ContainsFunc(truths, (*pairTruth).any)) {
		return t.fails
	}
	if opts.Labels {
		in.labels(t, &r, slices.ContainsFunc(truths, (*pairTruth).flips))
	} else {
		most, computed := new(big.Rat), new(big.Rat)
		for _, one := range in.counted() {
			for _, o := range one.truths() {
				most = maxOf(most, o.difference(false))
				computed = maxOf(computed, o.difference(true))
			}
		}
		in.bounds(t, &r, most)
		if beyond(computed, r.Bound, r.Rounding) {
			t.fail('b', "%+v, and models compute %v", r, computed)
		}
	}
	in.pair(t, &r, models)
	return t.fails
}

// counted returns the instance about each output that counts.
func (in *Pairs) counted() (list []*Pairs) {
	if in.Options.Class != property.EveryClass {
		return []*Pairs{in}
	}
	for c := range in.Classes {
		one := *in
		one.Options.Class, one.Zero = c, in.Classes == 2 && c == 0
		if !one.Zero || in.two() && in.averages() {
			list = append(list, &one)
		}
	}
	return list
}

// of returns the instance about the output of a result.
func (in *Pairs) of(class int) *Pairs {
	for _, one := range in.counted() {
		if in.Regressor && class == -1 || !in.Regressor && one.class() == class {
			return one
		}
	}
	return nil
}

// asked reports whether there is an answer, and complains of an error that is none.
func (in *Pairs) asked(t *trial, err error, any bool) bool {
	switch {
	case err == nil && !any:
		t.fail('d', "an answer, yet there are no inputs")
	case errors.Is(err, classifier.ErrNoInput) && any:
		t.fail('c', "%v, yet there are inputs", err)
	case err != nil && !errors.Is(err, classifier.ErrNoInput):
		t.fail('x', "%v", err)
	}
	return err == nil && any
}

// maxOf returns the larger number; the other may be nil.
func maxOf(a, b *big.Rat) *big.Rat {
	if b != nil && b.Cmp(a) > 0 {
		return b
	}
	return a
}

// beyond reports whether a number exceeds a bound by more than rounding explains.
func beyond(v *big.Rat, bound, rounding float64) bool {
	most := rat(bound)
	return v.Cmp(most.Add(most, rat(rounding))) > 0
}

// bounds compares a result with the largest difference.
func (in *Pairs) bounds(t *trial, r *property.Result, most *big.Rat) {
	want, _ := most.Float64()
	by := in.Options.By
	switch {
	case rat(r.Bound).Cmp(most) < 0:
		t.fail('b', "%+v, truth %v", *r, want)
	case r.Status == attack.StatusNone && most.Cmp(rat(by)) > 0:
		t.fail('c', "none, truth %v", want)
	case r.Status == attack.StatusOptimal && math.Abs(r.Difference-want) > 1e-9*max(1, want),
		!in.limited() && r.Bound > max(by, want)+1e-9*max(1, want),
		r.Status != attack.StatusNone && r.Bound <= by:
		t.fail('e', "%+v, truth %v", *r, want)
	case r.Status == attack.StatusLimit && !in.limited() && !in.chances():
		t.fail('U', "%+v, truth %v", *r, want)
	}
	slack := want*1e-15 + 1e-300
	if in.chances() {
		slack = 1e-14
	}
	if r.X != nil && (r.Difference > want+slack || r.Difference <= by) {
		t.fail('d', "difference %v, truth %v", r.Difference, want)
	}
}

// limited reports whether a limit may end searches.
func (in *Pairs) limited() bool { return in.Options.MaxNodes > 0 || in.Options.MaxMemory > 0 }

// labels compares an answer about labels with the truth.
func (in *Pairs) labels(t *trial, r *property.Result, flips bool) {
	switch {
	case r.Status == attack.StatusNone && (flips || r.Bound != 0):
		t.fail('c', "none with bound %v, flips %v", r.Bound, flips)
	case r.X != nil && (r.Labels[0] == r.Labels[1] ||
		in.Question == "flips" && !in.turns(r.Labels[0])),
		r.X != nil && in.Options.By > 0 && (r.Difference <= in.Options.By ||
			math.Abs(r.Outputs[0]-r.Outputs[1]) <= in.Options.By):
		t.fail('d', "%+v", *r)
	case r.Status == attack.StatusLimit && !in.limited():
		t.fail('U', "%+v, flips %v", *r, flips)
	}
}

// turns reports whether the first input of a pair of two labels may have a label.
func (in *Pairs) turns(label int) bool {
	return !in.Options.Ordered || label == in.class()
}

// pair checks that both inputs are allowed, share the features that they are to share, and have the
// outputs and labels that the result says.
func (in *Pairs) pair(t *trial, r *property.Result, models [2]property.Model) {
	if (r.X == nil) != (r.Other == nil) || r.X == nil && r.Status == attack.StatusOptimal {
		t.fail('d', "%+v", *r)
	}
	if r.X == nil || r.Other == nil {
		return
	}
	free := in.Free
	if in.two() {
		free = nil
	}
	for j := range r.X {
		if !in.isFree(j, free) && math.Float64bits(r.X[j]) != math.Float64bits(r.Other[j]) {
			t.fail('d', "feature %d is %v and %v", j, r.X[j], r.Other[j])
		}
	}
	from, to := realsOf(r.X), realsOf(r.Other)
	if slices.ContainsFunc(free, func(j int) bool { return !in.beside(j, from[j], to[j]) }) {
		t.fail('d', "inputs %v, %v are too far apart", r.X, r.Other)
	}
	one := in.of(r.Class)
	if one == nil {
		t.fail('d', "the outputs of class %d do not count", r.Class)
		return
	}
	for i, x := range [...][]float64{r.X, r.Other} {
		of := 0
		if in.two() {
			of = i
		}
		if !in.allowed(x) {
			t.fail('d', "input %v is not allowed", x)
		}
		if out := one.computed(models[of], of, x); out != r.Outputs[i] {
			t.fail('d', "output %d is %v, result says %v", i, out, r.Outputs[i])
		}
		if !in.Regressor && in.label(models[of], of, x) != r.Labels[i] {
			t.fail('d', "label %d of %+v", i, *r)
		}
		if asks := in.Question == "flips" || in.Question == "disagree"; asks && in.Votes.AnyOrder {
			turned := *in
			turned.Trees[of] = slices.Clone(in.Trees[of])
			slices.Reverse(turned.Trees[of])
			m, err := turned.model(of)
			if err != nil || in.label(m, of, x) != r.Labels[i] {
				t.fail('d', "label %d of %+v with the trees in another order: %v", i, *r, err)
			}
		}
	}
	if r.Outputs[0] == r.Outputs[1] && r.Labels[0] == r.Labels[1] {
		t.fail('d', "the same outputs %v and labels", r.Outputs)
	}
}

// two reports whether the question is about two models.
func (in *Pairs) two() bool { return in.Question == "differ" || in.Question == "disagree" }

func (in *Pairs) isFree(j int, free []int) bool {
	return slices.ContainsFunc(free, func(f int) bool {
		return f == j || in.feature(j).Group > 0 && in.feature(f).Group > 0
	})
}

// ends checks both ends of the range of outputs.
func (in *Pairs) ends(ctx context.Context, t *trial, m property.Model, opts property.Options) {
	least, most, err := property.Range(ctx, m, opts)
	truths := in.truths()
	if !in.asked(t, err, slices.ContainsFunc(truths, (*pairTruth).any)) {
		return
	}
	for i, e := range [...]property.End{least, most} {
		sign := float64(2*i - 1)
		var far, computed *big.Rat
		for _, one := range in.counted() {
			for _, o := range one.truths() {
				if v := o.largest(o.output, int64(sign)); v != nil {
					far = larger(far, v)
				}
				if v := o.largest(o.ofFloats, int64(sign)); v != nil {
					computed = larger(computed, v)
				}
			}
		}
		want, _ := far.Float64()
		if computed != nil && beyond(computed, sign*e.Bound, e.Rounding) {
			t.fail('b', "%+v, and the model computes %v", e, computed)
		}
		switch {
		case rat(sign*e.Bound).Cmp(far) < 0:
			t.fail('b', "%+v, truth %v", e, sign*want)
		case !in.limited() && sign*e.Bound > want+1e-9*max(1, math.Abs(want)),
			e.Status == attack.StatusOptimal && (e.X == nil ||
				math.Abs(e.Output-e.Bound) > e.Rounding+1e-9*max(1, math.Abs(e.Bound))):
			t.fail('e', "%+v, truth %v", e, sign*want)
		case e.Status == attack.StatusLimit && !in.limited():
			t.fail('U', "%+v, truth %v", e, sign*want)
		}
		if one := in.of(e.Class); e.X != nil && (!in.allowed(e.X) || one == nil ||
			one.computed(m, 0, e.X) != e.Output) {
			t.fail('d', "%+v is not allowed, or has another output", e)
		}
	}
}

// model makes a model.
func (in *Pairs) model(i int) (property.Model, error) {
	if in.Regressor {
		return classifier.Read[*classifier.Regressor](strings.NewReader(in.file(i)),
			classifier.ReadOptions{})
	}
	var members []*classifier.Tree
	for _, nodes := range in.Trees[i] {
		tree, err := classifier.NewTree(in.Dim, in.Comparison, nodes)
		if err != nil {
			return nil, err
		}
		members = append(members, tree)
	}
	return classifier.NewEnsemble(members, in.Votes)
}

// file writes a regressor, the second one with its own order of the features.
func (in *Pairs) file(i int) string {
	names, place := make([]string, in.Dim), make([]int, in.Dim)
	for at, j := range in.Order {
		if i == 0 {
			at = j
		}
		names[at], place[j] = "x"+string(rune('a'+j)), at
	}
	var all []object
	for _, nodes := range in.Trees[i] {
		columns := map[string][]any{}
		for _, n := range nodes {
			if n.Feature >= 0 {
				n.Feature = place[n.Feature]
			}
			for name, value := range map[string]any{
				"feature": n.Feature, "left": n.Left, "right": n.Right, "value": n.Value,
				"threshold": n.Threshold, "thresholds": n.Thresholds, "missing_left": n.MissingLeft,
			} {
				columns[name] = append(columns[name], value)
			}
		}
		tree := object{}
		for name, column := range columns {
			tree[name] = column
		}
		all = append(all, tree)
	}
	vote := "sum"
	if in.Votes.Vote == classifier.SoftVote {
		vote = "soft"
	}
	comparison := []string{"float32(x) <= t", "x <= t", "float32(x) < t", "x < t"}[in.Comparison]
	return text(object{
		"format": "facet-model", "version": 1, "kind": "regressor", "n_features": in.Dim,
		"comparison": comparison, "vote": vote, "base": in.Votes.Base, "single": in.Votes.Single,
		"feature_names": names, "trees": all,
	})
}

// own returns an input as a model has its features.
func (in *Pairs) own(of int, x []float64) []float64 {
	if of == 0 || !in.Regressor {
		return x
	}
	own := make([]float64, len(x))
	for at, j := range in.Order {
		own[at] = x[j]
	}
	return own
}

func (in *Pairs) label(m property.Model, of int, x []float64) int {
	return m.(classifier.Classifier).Predict(in.own(of, x))
}

// computed returns the output that a model computes.
func (in *Pairs) computed(m property.Model, of int, x []float64) float64 {
	if r, ok := m.(*classifier.Regressor); ok {
		return r.Predict(in.own(of, x))
	}
	e := m.(*classifier.Ensemble)
	sums := e.Scores(x)
	if in.averages() {
		for c := range sums {
			if sums[c] != 0 {
				sums[c] /= in.divisor(len(in.Trees[of]))
			}
		}
	}
	switch {
	case in.chances():
		return in.softmax(sums)
	case in.Classes > 2:
		return sums[in.Options.Class]
	case in.Votes.Vote >= classifier.SumVote:
		return sums[1] - sums[0]
	}
	return sums[in.class()]
}

// chances reports whether outputs are probabilities that sums make.
func (in *Pairs) chances() bool { return in.Options.Probability && !in.averages() }

// class is the class that counts.
func (in *Pairs) class() int {
	if in.Classes == 2 {
		return bit(!in.Zero)
	}
	return in.Options.Class
}

// softmax returns the probability of the class that counts.
func (in *Pairs) softmax(sums []float64) float64 {
	total := 1.0
	for c, v := range sums {
		if c != in.class() {
			total += math.Exp(v - sums[in.class()])
		}
	}
	return 1 / total
}

// averages reports whether sums are divided.
func (in *Pairs) averages() bool {
	return in.Votes.Vote == classifier.SoftVote || in.Votes.Vote == classifier.HardVote
}

// divisor is the number by which sums of so many trees are divided.
func (in *Pairs) divisor(trees int) float64 {
	switch {
	case !in.averages():
		return 1
	case in.Votes.Divisor != 0:
		return in.Votes.Divisor
	}
	return float64(trees)
}

func (in *Pairs) feature(j int) attack.Feature {
	if in.Options.Features == nil {
		return attack.Feature{}
	}
	return in.Options.Features[j]
}

// Smaller implements Instance.
func (in *Pairs) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for i, all := range in.Trees {
			for t := range all {
				c := *in
				c.Trees[i] = slices.Delete(slices.Clone(all), t, t+1)
				if len(all) > 1 && !yield(&c) {
					return
				}
			}
		}
		for i := range in.Rows {
			c := *in
			c.Rows = slices.Delete(slices.Clone(in.Rows), i, i+1)
			if len(in.Rows) > 1 && !yield(&c) {
				return
			}
		}
		for _, simpler := range []func(o *property.Options){
			func(o *property.Options) { o.Domain = nil },
			func(o *property.Options) { o.Features = nil },
			func(o *property.Options) { o.By = 0 },
			func(o *property.Options) { o.Norm = polytope.LInf },
			func(o *property.Options) { o.Apart = nil },
			func(o *property.Options) { o.Radii = nil },
			func(o *property.Options) { o.Ordered = false },
			func(o *property.Options) { o.Probability = false },
			func(o *property.Options) { o.MaxNodes, o.MaxMemory = 0, 0 },
		} {
			c := *in
			simpler(&c.Options)
			if Literal(&c) != Literal(in) && !yield(&c) {
				return
			}
		}
	}
}

// fewOpen: few questions stay open, where float64 do not reach, or outputs differ by less than
// their bounds are rounded.
func (t *Tally) fewOpen(test *testing.T) {
	for _, question := range questions {
		open, all := t.failures[question]['U'], t.instances[question]
		if open > all/100+1 {
			test.Errorf("%s: of %d instances %d are open", question, all, open)
		}
	}
}

// TestTiesThatRoundingDecides: leaves whose leads are the same are not, where a model rounds its
// sums to float32, and pairs as far apart as a step allows count.
func TestTiesThatRoundingDecides(t *testing.T) {
	for _, in := range []struct{ seed, number uint64 }{{77, 23361}, {31, 19438}} {
		for _, f := range Draw("flips", in.seed, in.number).Check(0) {
			t.Errorf("seed %d, instance %d: %c: %s", in.seed, in.number, f.Letter, f.Text)
		}
	}
}
