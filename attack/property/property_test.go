package property

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawn is a random small model, or two of them, and options.
type drawn struct {
	dim, classes int
	comparison   classifier.Comparison
	votes        classifier.EnsembleOptions
	regressor    bool
	trees        [2][][]classifier.TreeNode
	models       [2]Model
	options      Options
	rows         [][]float64
	free         []int // of questions about pairs
}

func (d *drawn) feature(j int) attack.Feature {
	if d.options.Features == nil {
		return attack.Feature{}
	}
	return d.options.Features[j]
}

// draw draws models, features, a domain and rows.
func draw(t *testing.T, rng *rand.Rand) *drawn {
	t.Helper()
	d := &drawn{
		dim: 2 + rng.IntN(2), classes: 2 + rng.IntN(2), regressor: rng.IntN(3) == 0,
		comparison: classifier.Comparison(rng.IntN(4)),
	}
	if d.regressor {
		d.classes = 1
		d.votes = classifier.EnsembleOptions{
			Vote: classifier.SumVote, Base: []float64{rng.NormFloat64()}, Single: rng.IntN(2) == 0,
		}
		if rng.IntN(3) == 0 {
			d.votes.Vote, d.votes.Base = classifier.SoftVote, nil
		}
	} else {
		d.votes = instance.DrawVote(rng, d.classes)
		d.options.Class = rng.IntN(d.classes)
	}
	d.drawFeatures(rng)
	if rng.IntN(3) == 0 {
		for range 1 + rng.IntN(3) {
			d.rows = append(d.rows, d.drawRow(rng))
		}
		d.options.Within = float64(1+rng.IntN(8)) / 4
		m := mat.NewDense(len(d.rows), d.dim, slices.Concat(d.rows...))
		d.options.Near = m
	}
	d.drawTrees(rng)
	for i := range d.models {
		d.models[i] = d.model(t, d.trees[i])
	}
	return d
}

func (d *drawn) drawFeatures(rng *rand.Rand) {
	if rng.IntN(2) == 0 {
		d.options.Domain = make(polytope.Box, d.dim)
		for j := range d.options.Domain {
			lo, hi := -float64(rng.IntN(3)), float64(1+rng.IntN(3))
			d.options.Domain[j] = polytope.Interval{Lo: lo, Hi: hi}
		}
	}
	if rng.IntN(4) == 0 {
		return
	}
	d.options.Features = make([]attack.Feature, d.dim)
	for j := range d.options.Features {
		f := &d.options.Features[j]
		switch rng.IntN(6) {
		case 0:
			f.Step = 1
		case 1:
			f.Step, f.Origin = 0.5, 0.25
		case 2:
			f.Categorical, f.Codes, f.Up = true, 2+rng.IntN(2), float64(rng.IntN(3))
			continue
		case 3:
			f.Missing = attack.MissingRule(rng.IntN(3))
		}
		f.Up, f.Down = float64(rng.IntN(3)), float64(rng.IntN(3))
	}
	if rng.IntN(3) == 0 {
		for j := range d.options.Features[:2] {
			d.options.Features[j] = attack.Feature{Group: 7, Up: float64(rng.IntN(2))}
		}
	}
}

// drawRow draws a row, of which a group may be broken, and a value missing.
func (d *drawn) drawRow(rng *rand.Rand) []float64 {
	row := make([]float64, d.dim)
	for j := range row {
		switch f := d.feature(j); {
		case f.Group > 0, f.Categorical:
			row[j] = float64(rng.IntN(2))
		case f.Missing != attack.KeepMissing && rng.IntN(3) == 0, rng.IntN(9) == 0:
			row[j] = math.NaN()
		case f.Step > 0:
			row[j] = f.Origin + f.Step*float64(rng.IntN(7)-3)
		default:
			row[j] = float64(rng.IntN(17)-8) / 4
		}
	}
	return row
}

// drawTrees draws the trees of a model, and those of another one: the same with other numbers
// here and there, or trees of its own.
func (d *drawn) drawTrees(rng *rand.Rand) {
	coarse := rng.IntN(2) == 0
	number := func() float64 {
		if coarse {
			return float64(rng.IntN(5)-2) / 4
		}
		return rng.NormFloat64()
	}
	for range 1 + rng.IntN(4) {
		d.trees[0] = append(d.trees[0], d.grow(rng, 1+rng.IntN(3), number))
	}
	if rng.IntN(4) == 0 {
		for range 1 + rng.IntN(4) {
			d.trees[1] = append(d.trees[1], d.grow(rng, 1+rng.IntN(3), number))
		}
		return
	}
	for _, nodes := range d.trees[0] {
		other := slices.Clone(nodes)
		for i := range other {
			other[i].Value = slices.Clone(other[i].Value)
			switch {
			case rng.IntN(8) > 0:
			case other[i].Left >= 0:
				other[i].Threshold += 0.25
				other[i].Thresholds = slices.Clone(other[i].Thresholds)
				for k := range other[i].Thresholds {
					other[i].Thresholds[k] += 0.25
				}
			default:
				other[i].Value[0] += number()
			}
		}
		d.trees[1] = append(d.trees[1], other)
	}
}

func (d *drawn) grow(
	rng *rand.Rand, depth int, number func() float64,
) (nodes []classifier.TreeNode) {
	var below func(depth int) int
	below = func(depth int) int {
		at := len(nodes)
		n := classifier.TreeNode{Feature: -1, Left: -1, Right: -1}
		n.Value = make([]float64, d.classes)
		for c := range n.Value {
			n.Value[c] = number()
			if d.votes.Vote == classifier.SoftVote {
				n.Value[c] = math.Abs(n.Value[c])
			}
		}
		nodes = append(nodes, n)
		if depth > 0 && rng.IntN(5) > 0 {
			nodes[at].Feature, nodes[at].MissingLeft = rng.IntN(d.dim), rng.IntN(2) == 0
			nodes[at].Threshold = float64(rng.IntN(9)-4) / 4
			if rng.IntN(4) == 0 {
				nodes[at].Thresholds = drawSet(rng)
			} else if rng.IntN(6) == 0 {
				nodes[at].Threshold = math.Nextafter(nodes[at].Threshold, 9)
			}
			left := below(depth - 1)
			right := below(depth - 1)
			nodes[at].Left, nodes[at].Right = left, right
		}
		return at
	}
	below(depth)
	return nodes
}

// drawSet draws the thresholds of a test of a set: some of seven.
func drawSet(rng *rand.Rand) (set []float64) {
	for len(set) < 2 {
		set = nil
		for k := range 7 {
			if rng.IntN(2) == 0 {
				set = append(set, float64(k-3)/2)
			}
		}
	}
	return set
}

func (d *drawn) model(t *testing.T, all [][]classifier.TreeNode) Model {
	t.Helper()
	if d.regressor {
		r, err := classifier.ReadRegressor(strings.NewReader(d.file(t, all)))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	var members []*classifier.Tree
	for _, nodes := range all {
		tree, err := classifier.NewTree(d.dim, d.comparison, nodes)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, tree)
	}
	e, err := classifier.NewEnsemble(members, d.votes)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// file writes a regressor.
func (d *drawn) file(t *testing.T, all [][]classifier.TreeNode) string {
	t.Helper()
	var trees []map[string]any
	for _, nodes := range all {
		columns := map[string][]any{}
		for _, n := range nodes {
			columns["feature"] = append(columns["feature"], n.Feature)
			columns["left"] = append(columns["left"], n.Left)
			columns["right"] = append(columns["right"], n.Right)
			columns["threshold"] = append(columns["threshold"], n.Threshold)
			columns["thresholds"] = append(columns["thresholds"], n.Thresholds)
			columns["missing_left"] = append(columns["missing_left"], n.MissingLeft)
			columns["value"] = append(columns["value"], n.Value)
		}
		tree := map[string]any{}
		for name, column := range columns {
			tree[name] = column
		}
		trees = append(trees, tree)
	}
	vote := "sum"
	if d.votes.Vote == classifier.SoftVote {
		vote = "soft"
	}
	file := map[string]any{
		"format": "facet-model", "version": 1, "kind": "regressor", "n_features": d.dim,
		"comparison": []string{"float32(x) <= t", "x <= t", "float32(x) < t",
			"x < t"}[d.comparison],
		"vote": vote, "single": d.votes.Single, "trees": trees,
	}
	if d.votes.Base != nil {
		file["base"] = d.votes.Base
	}
	text, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// overall returns the largest of what is true around each row, or everywhere.
func (d *drawn) overall(of func(o *truth) value) (most value) {
	if d.rows == nil {
		return of(newTruth(d, nil))
	}
	for _, row := range d.rows {
		most = larger(most, of(newTruth(d, row)))
	}
	return most
}

// check compares an answer with the truth.
func (d *drawn) check(r *Result, err error, truth value, free []int) error {
	if truth == nil {
		if !errors.Is(err, ErrEmpty) {
			return fmt.Errorf("there are no inputs: %+v, %v", r, err)
		}
		return nil
	}
	if err != nil {
		return err
	}
	want, _ := truth.Float64()
	by := exact.Float(d.options.By)
	switch {
	case exact.Float(r.Bound).Cmp(truth) < 0:
		return fmt.Errorf("bound %v, truth %v", r.Bound, want)
	case r.Status == attack.StatusNone && truth.Cmp(by) > 0:
		return fmt.Errorf("none, truth %v", want)
	case r.Status == attack.StatusOptimal && math.Abs(r.Difference-want) > 1e-9*max(1, want):
		return fmt.Errorf("optimal difference %v, truth %v", r.Difference, want)
	case r.Status != attack.StatusNone && r.Bound <= d.options.By:
		return fmt.Errorf("status %v with bound %v", r.Status, r.Bound)
	case (r.X == nil) != (r.Other == nil), r.Status == attack.StatusOptimal && r.X == nil:
		return fmt.Errorf("pair %v, %v with status %v", r.X, r.Other, r.Status)
	case r.X == nil:
		return nil
	}
	if r.Difference > want*(1+1e-15)+1e-300 || r.Difference <= d.options.By {
		return fmt.Errorf("difference %v, truth %v", r.Difference, want)
	}
	return d.checkPair(r, free)
}

// checkPair checks that both inputs are allowed, share what they are to share, and have the
// outputs that the result says.
func (d *drawn) checkPair(r *Result, free []int) error {
	for j := range r.X {
		shared := !slices.ContainsFunc(free, func(f int) bool {
			return f == j || d.feature(j).Group > 0 && d.feature(f).Group > 0
		})
		if shared && math.Float64bits(r.X[j]) != math.Float64bits(r.Other[j]) {
			return fmt.Errorf("feature %d is %v and %v", j, r.X[j], r.Other[j])
		}
	}
	if len(free) > 0 && !d.near(free, values(r.X), values(r.Other)) {
		return fmt.Errorf("inputs %v, %v are too far apart", r.X, r.Other)
	}
	for _, x := range [][]float64{r.X, r.Other} {
		if !d.allowed(x, free) {
			return fmt.Errorf("input %v is not allowed: %+v, rows %v", x, d.options, d.rows)
		}
	}
	a, b := d.models[0], d.models[0]
	if free == nil {
		b = d.models[1]
	}
	if out := [...]float64{d.computed(a, r.X), d.computed(b, r.Other)}; out != r.Outputs ||
		(out[0] == out[1] && !r.flips()) {
		return fmt.Errorf("outputs %v, result says %v", out, r.Outputs)
	}
	if d.regressor {
		return nil
	}
	if labels := [...]int{label(a, r.X), label(b, r.Other)}; labels != r.Labels {
		return fmt.Errorf("labels %v, result says %v", labels, r.Labels)
	}
	return nil
}

// values returns the real numbers of an input.
func values(x []float64) (list []value) {
	for _, v := range x {
		if math.IsNaN(v) {
			list = append(list, nil)
		} else {
			list = append(list, exact.Float(v))
		}
	}
	return list
}

// flips reports whether the labels of a pair differ.
func (r *Result) flips() bool { return r.Labels[0] != r.Labels[1] }

func label(m Model, x []float64) int { return m.(classifier.Classifier).Predict(x) }

// computed returns the output that a model computes.
func (d *drawn) computed(m Model, x []float64) float64 {
	if r, ok := m.(*classifier.Regressor); ok {
		return r.Predict(x)
	}
	e := m.(*classifier.Ensemble)
	sums := e.Scores(x)
	if d.votes.Vote == classifier.SoftVote || d.votes.Vote == classifier.HardVote {
		divisor := float64(e.Len())
		if d.votes.Divisor != 0 {
			divisor = d.votes.Divisor
		}
		for c := range sums {
			if sums[c] != 0 {
				sums[c] /= divisor
			}
		}
	}
	switch {
	case d.classes > 2:
		return sums[d.options.Class]
	case d.votes.Vote >= classifier.SumVote:
		return sums[1] - sums[0]
	}
	return sums[1]
}

// allowed reports whether an input is one of those that the oracle would enumerate, were it to
// list all numbers.
func (d *drawn) allowed(x []float64, free []int) bool {
	rows := d.rows
	if rows == nil {
		rows = [][]float64{nil}
	}
	return slices.ContainsFunc(rows, func(row []float64) bool {
		o := newTruth(d, row)
		marked := o.marked(free)
		for i, u := range o.units {
			if !o.holds(u, x, row != nil && !marked[i]) {
				return false
			}
		}
		return true
	})
}

// holds reports whether a unit may be as in x.
func (o *truth) holds(u unit, x []float64, near bool) bool {
	j := u.features[0]
	f := o.feature(j)
	choices := u.free
	if near {
		choices = u.choices
	}
	if f.Group == 0 && f.Step == 0 && !f.Categorical && !math.IsNaN(x[j]) {
		v := exact.Float(x[j])
		if !near {
			return o.inDomain(j, v)
		}
		row := value(nil)
		if !math.IsNaN(o.row[j]) {
			row = exact.Float(o.row[j])
		} else if f.Missing == attack.KeepMissing {
			return false
		}
		return o.inDomain(j, v) && o.costs(f, row, v)
	}
	return slices.ContainsFunc(choices, func(choice []value) bool {
		for k, j := range u.features {
			switch {
			case math.IsNaN(x[j]) != (choice[k] == nil):
				return false
			case choice[k] != nil && exact.Float(x[j]).Cmp(choice[k]) != 0:
				return false
			}
		}
		return true
	})
}

// checkLabels compares an answer about labels with the truth.
func (d *drawn) checkLabels(r *Result, err error, free []int) error {
	flips, any := false, false
	for i := range max(1, len(d.rows)) {
		row := []float64(nil)
		if d.rows != nil {
			row = d.rows[i]
		}
		f, a := newTruth(d, row).flips(free)
		flips, any = flips || f, any || a
	}
	if !any {
		if !errors.Is(err, ErrEmpty) {
			return fmt.Errorf("there are no inputs: %+v, %v", r, err)
		}
		return nil
	}
	switch {
	case err != nil:
		return err
	case r.Status == attack.StatusNone && (flips || r.Bound != 0):
		return fmt.Errorf("none with bound %v, flips %v", r.Bound, flips)
	case (r.Status == attack.StatusOptimal) != (r.X != nil), (r.X == nil) != (r.Other == nil):
		return fmt.Errorf("pair %v, %v with status %v", r.X, r.Other, r.Status)
	case r.X == nil:
		return nil
	case r.Labels[0] == r.Labels[1], free != nil && !d.flip(r.Labels[0]):
		return fmt.Errorf("labels %v", r.Labels)
	}
	return d.checkPair(r, free)
}

// checkEnd compares an end of the range, times a sign, with the truth.
func (d *drawn) checkEnd(e *End, err error, truth value, sign float64) error {
	if truth == nil {
		if !errors.Is(err, ErrEmpty) {
			return fmt.Errorf("there are no inputs: %+v, %v", e, err)
		}
		return nil
	}
	if err != nil {
		return err
	}
	want, _ := truth.Float64()
	switch {
	case exact.Float(sign*e.Bound).Cmp(truth) < 0,
		e.Status == attack.StatusOptimal &&
			math.Abs(sign*e.Bound-want) > 1e-9*max(1, math.Abs(want)):
		return fmt.Errorf("%+v, truth %v", e, sign*want)
	case (e.X == nil) != math.IsNaN(e.Output), e.X == nil && e.Status != attack.StatusLimit:
		return fmt.Errorf("%+v", e)
	case e.X == nil:
		return nil
	case !d.allowed(e.X, []int{}) || d.computed(d.models[0], e.X) != e.Output:
		return fmt.Errorf("%+v is not allowed, or has the output %v", e,
			d.computed(d.models[0], e.X))
	case e.Status == attack.StatusOptimal && math.Abs(e.Output-e.Bound) > e.Rounding+1e-9*max(1,
		math.Abs(e.Bound)):
		return fmt.Errorf("%+v", e)
	}
	return nil
}

// asked counts answers by question and status.
type asked map[string]int

func (a asked) add(question string, r *Result, err error) {
	if err == nil {
		a[question+" "+r.Status.String()]++
	}
}

// TestAgainstEnumeration compares all questions with the enumeration of all pairs.
func TestAgainstEnumeration(t *testing.T) {
	counts := asked{}
	for number := range uint64(racetest.Count(250, 100000)) {
		rng := rand.New(rand.NewPCG(number, 31))
		d := draw(t, rng)
		if rng.IntN(3) == 0 {
			d.options.By = float64(rng.IntN(3)) / 4
		}
		d.options.Workers = 1 + rng.IntN(3)
		free := []int{rng.IntN(d.dim)}
		if rng.IntN(3) == 0 {
			free = append(free, rng.IntN(d.dim))
		}
		if d.free = free; rng.IntN(3) == 0 && d.ordered(free) {
			d.options.Ordered, d.options.Apart = rng.IntN(2) == 0, float64(rng.IntN(4))/4
		}
		d.ask(t, counts, number, free, Direction(rng.IntN(2)))
	}
	t.Log(counts)
	for _, question := range []string{"depends", "differ", "monotone", "labels", "compared"} {
		open, none := counts[question+" limit"], counts[question+" none"]
		if all := open + none + counts[question+" optimal"]; all > 100 &&
			(open > all/50 || none < all/20) {
			t.Errorf("%s: of %d are open %d, none %d", question, all, open, none)
		}
	}
}

// ordered reports whether features have an order.
func (d *drawn) ordered(features []int) bool {
	return !slices.ContainsFunc(features, func(j int) bool {
		return d.feature(j).Categorical || d.feature(j).Group > 0
	})
}

// ask asks all questions about an instance.
func (d *drawn) ask(t *testing.T, counts asked, number uint64, free []int, way Direction) {
	t.Helper()
	ctx, m, labels := t.Context(), d.models, d.options
	labels.Labels, labels.By = true, 0
	r, err := Depends(ctx, m[0], free, d.options)
	counts.add("depends", &r, err)
	want := d.overall(func(o *truth) value { return o.depends(free) })
	if err := d.check(&r, err, want, free); err != nil {
		t.Fatalf("instance %d: dependence on %v: %v", number, free, err)
	}
	r, err = Differ(ctx, m[0], m[1], d.options)
	counts.add("differ", &r, err)
	if err := d.check(&r, err, d.overall((*truth).differ), nil); err != nil {
		t.Fatalf("instance %d: comparison: %v", number, err)
	}
	if !d.regressor {
		r, err = Depends(ctx, m[0], free, labels)
		counts.add("labels", &r, err)
		if err := d.checkLabels(&r, err, free); err != nil {
			t.Fatalf("instance %d: labels and %v: %v", number, free, err)
		}
		r, err = Differ(ctx, m[0], m[1], labels)
		counts.add("compared", &r, err)
		if err := d.checkLabels(&r, err, nil); err != nil {
			t.Fatalf("instance %d: labels of both: %v", number, err)
		}
	}
	low, high, err := Range(ctx, m[0], d.options)
	for i, e := range [...]End{low, high} {
		sign := int64(2*i - 1)
		want := d.overall(func(o *truth) value { return o.largest(sign) })
		if err := d.checkEnd(&e, err, want, float64(sign)); err != nil {
			t.Fatalf("instance %d: end %d of the range: %v", number, i, err)
		}
	}
	j := free[0]
	r, err = Monotone(ctx, m[0], j, way, d.options)
	if f := d.feature(j); f.Categorical || f.Group > 0 {
		if !errors.Is(err, ErrFeature) {
			t.Fatalf("instance %d: monotone in a category: %v", number, err)
		}
		return
	}
	counts.add("monotone", &r, err)
	d.options = d.options.unordered()
	want = d.overall(func(o *truth) value { return o.steps(j, way) })
	if err := d.check(&r, err, want, free[:1]); err != nil {
		t.Fatalf("instance %d: monotony %v in %d: %v", number, way, j, err)
	}
}
