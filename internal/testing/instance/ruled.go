package instance

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Ruled is a small random classifier, an input, and rules of its moves.
type Ruled struct {
	C      classifier.Classifier // a tree or an ensemble
	Trees  []*classifier.Tree
	X      []float64
	From   int // the label of X
	Target *int
	Also   []attack.Requirement
	Norm   polytope.Norm
	Rules  []attack.Feature
	Domain polytope.Box
	sets   bool // trees have tests of sets
	shares bool // labels say whether a probability is reached
}

// Reaches reports whether a label answers.
func (in *Ruled) Reaches(label int) bool {
	if in.Target != nil {
		return label == *in.Target
	}
	return label != in.From
}

// Answers reports whether an input has a label that answers, and enough other classifiers accept
// it.
func (in *Ruled) Answers(z []float64) bool {
	return in.Reaches(in.C.Predict(z)) && accepted(in.Also, z) == len(in.Also)
}

// Others returns the classifiers of Also.
func (in *Ruled) Others() (all []classifier.Classifier) {
	for _, r := range in.Also {
		if r.Of == nil {
			r.Of = []attack.Requirement{r}
		}
		for _, of := range r.Of {
			all = append(all, of.Classifier)
		}
	}
	return all
}

// accepted returns how many requirements an input meets.
func accepted(all []attack.Requirement, z []float64) (n int) {
	for _, r := range all {
		if r.Of != nil && accepted(r.Of, z) >= r.Least ||
			r.Of == nil && slices.Contains(r.Labels, r.Classifier.Predict(z)) {
			n++
		}
	}
	return n
}

// Options returns the options of an attack.
func (in *Ruled) Options() attack.Options {
	return Measure(in.Norm,
		attack.Options{
			Features: in.Rules, Domain: in.Domain, Target: in.Target, Also: in.Also,
		})
}

// RuleKinds are the rules that instances are drawn for, one a test.
var RuleKinds = []string{"prices", "directions", "frozen", "limits", "integer", "one-hot",
	"category", "missing", "all", "sets", "shares"}

// DrawRuled draws an instance with rules of a kind.
func DrawRuled(t testing.TB, r *rand.Rand, kind string, norm polytope.Norm) *Ruled {
	dim := 1 + r.IntN(5)
	if kind == "one-hot" || kind == "all" {
		dim = 2 + r.IntN(4)
	}
	return drawRuled(t, r, kind, norm, dim)
}

// DrawJoint draws an instance with rules of a kind, and other classifiers that are to accept the
// answer.
func DrawJoint(t testing.TB, r *rand.Rand, kind string, norm polytope.Norm) *Ruled {
	in := drawRuled(t, r, kind, norm, 2+r.IntN(2))
	witness := in.drawAnswer(r)
	for range 1 + r.IntN(5) {
		other := &Ruled{X: in.X, Rules: in.Rules, sets: in.sets}
		other.growTo(t, r, 1+r.IntN(3))
		labels := r.Perm(other.C.Classes())[:1+r.IntN(other.C.Classes())]
		if r.IntN(8) > 0 {
			labels[0] = other.C.Predict(witness)
		}
		in.Also = append(in.Also, attack.Requirement{Classifier: other.C, Labels: labels})
		in.Trees = append(in.Trees, other.Trees...)
	}
	if target := r.IntN(in.C.Classes()); r.IntN(3) == 0 {
		if in.Target = &target; in.Answers(in.X) {
			in.Target = nil
		}
	}
	return in
}

// DrawQuorums draws an instance with rules of a kind, and other classifiers, of some of which so
// many are to accept the answer.
func DrawQuorums(t testing.TB, r *rand.Rand, kind string, norm polytope.Norm) *Ruled {
	in := DrawJoint(t, r, kind, norm)
	var quorums []attack.Requirement
	for len(in.Also) > 0 && (quorums == nil || r.IntN(3) == 0) {
		n := 1 + r.IntN(len(in.Also))
		of := in.Also[len(in.Also)-n:]
		in.Also = in.Also[:len(in.Also)-n]
		quorums = append(quorums, attack.Requirement{Least: 1 + r.IntN(n), Of: of})
	}
	in.Also = slices.Concat(in.Also, quorums)
	if in.Target != nil && in.Answers(in.X) {
		in.Target = nil
	}
	return in
}

// drawAnswer draws an input that is allowed and mostly answers.
func (in *Ruled) drawAnswer(r *rand.Rand) []float64 {
	features, choices := in.choicesOf()
	z := slices.Clone(in.X)
	for range 20 {
		for i, members := range features {
			if len(choices[i]) == 0 {
				return z
			}
			for k, v := range choices[i][r.IntN(len(choices[i]))].values {
				z[members[k]] = v
			}
		}
		if in.Answers(z) {
			break
		}
	}
	return z
}

func drawRuled(
	t testing.TB, r *rand.Rand, kind string, norm polytope.Norm, dim int,
) *Ruled {
	in := &Ruled{Norm: norm, sets: kind == "sets", shares: kind == "shares"}
	in.Rules = make([]attack.Feature, dim)
	for j := range in.Rules {
		in.Rules[j] = drawRule(r, kind)
	}
	if kind == "one-hot" || kind == "all" {
		drawGroups(r, in.Rules)
	}
	for range dim {
		in.X = append(in.X, drawValue(r))
	}
	in.keepSome(r)
	if r.IntN(3) == 0 {
		for range dim {
			lo := float64(r.IntN(6)-5) / 2
			in.Domain = append(in.Domain, polytope.Interval{
				Lo: lo,
				Hi: max(1, lo+float64(1+r.IntN(12))/4),
			})
		}
	}
	in.grow(t, r)
	in.From = in.C.Predict(in.X)
	if r.IntN(3) == 0 {
		if target := r.IntN(in.C.Classes()); target != in.From {
			in.Target = &target
		}
	}
	return in
}

func drawPrice(r *rand.Rand) float64 {
	return []float64{0, 0, 1, 2, 0.5, 3, 0.3, 10, 1e-100, 1e-9, 1e4}[r.IntN(11)]
}

// drawRule draws the rules of one feature.
func drawRule(r *rand.Rand, kind string) (f attack.Feature) {
	has := func(k string) bool {
		return kind == k || (kind == "all" && r.IntN(3) == 0) ||
			(kind == "shares" && r.IntN(5) == 0) ||
			(kind == "sets" && (k == "category" || k == "missing" && r.IntN(3) == 0))
	}
	f.Up, f.Down = drawPrice(r), drawPrice(r)
	if has("category") && r.IntN(4) > 0 {
		f.Categorical, f.Down = true, 0
		f.Codes = max(0, r.IntN(9)-3)
	}
	if has("directions") && !f.Categorical {
		if highest := []*float64{&f.Up, &f.Down}[r.IntN(2)]; r.IntN(2) == 0 {
			*highest = math.Inf(1)
		}
	}
	f.Frozen = has("frozen") && r.IntN(2) == 0
	if has("limits") && !f.Categorical {
		for _, limit := range []*float64{&f.MaxUp, &f.MaxDown, &f.MaxUpPart, &f.MaxDownPart} {
			if r.IntN(3) == 0 {
				*limit = float64(1+r.IntN(8)) / 4
			}
		}
	}
	if has("integer") && !f.Categorical && r.IntN(4) > 0 {
		f.Step = []float64{1, 1, 0.5, 2, 0.1, 0.7}[r.IntN(6)]
		f.Origin = []float64{0, 0, 0.25, -1}[r.IntN(4)]
	}
	if has("missing") {
		f.Missing = attack.MissingRule(r.IntN(3))
	}
	return f
}

// drawGroups makes groups of two or more features.
func drawGroups(r *rand.Rand, rules []attack.Feature) {
	for first, number := 0, 1; first+1 < len(rules) && r.IntN(5) > 0; number++ {
		size := min(2+r.IntN(3), len(rules)-first)
		for j := first; j < first+size; j++ {
			rules[j] = attack.Feature{Group: number, Up: drawPrice(r), Frozen: r.IntN(6) == 0}
			if r.IntN(8) == 0 {
				rules[j].Up = math.Inf(1)
			}
		}
		first += size
	}
}

// drawValue draws a number on a coarse grid, on which thresholds lie as well, or between.
func drawValue(r *rand.Rand) float64 {
	if r.IntN(3) == 0 {
		return 2 * r.NormFloat64()
	}
	return float64(r.IntN(17)-8) / 4
}

// keepSome lets x keep most of the rules, and break some.
func (in *Ruled) keepSome(r *rand.Rand) {
	hot := map[int]int{}
	for j, f := range in.Rules {
		switch keeps := r.IntN(5) > 0; {
		case f.Group > 0:
			if hot[f.Group]++; keeps {
				in.X[j] = 0
			}
		case f.Categorical && keeps:
			in.X[j] = float64(r.IntN(6))
		case f.Categorical && r.IntN(2) == 0: // no code
			in.X[j] = []float64{-1, 1.5, 1e7, -0x1p40, 0x1p62, 2 - 1e-10, 2 + 1e-10, 90}[r.IntN(8)]
		case f.Step > 0 && keeps:
			in.X[j] = f.Origin + float64(r.IntN(9)-4)*f.Step
		case f.Missing != attack.KeepMissing && r.IntN(2) == 0,
			f.Missing == attack.KeepMissing && r.IntN(20) == 0:
			in.X[j] = math.NaN()
		}
	}
	for _, g := range slices.Sorted(maps.Keys(hot)) {
		n := hot[g]
		if chosen := r.IntN(n + 1); chosen < n {
			for j, f := range in.Rules {
				if f.Group == g {
					if in.X[j] == 0 && chosen == 0 {
						in.X[j] = 1
					}
					chosen--
				}
			}
		}
	}
}

// grow draws the trees.
func (in *Ruled) grow(t testing.TB, r *rand.Rand) { in.growTo(t, r, 4) }

// growTo draws trees of at most some depth.
func (in *Ruled) growTo(t testing.TB, r *rand.Rand, deepest int) {
	classes, n := 2+r.IntN(3), 1
	comparison := classifier.Comparison(r.IntN(4))
	switch r.IntN(6) {
	case 0:
	case 1:
		n = 3 + r.IntN(10)
	default:
		n = 1 + r.IntN(4)
	}
	boosted := in.shares && r.IntN(2) == 0
	for i := range n {
		var nodes []classifier.TreeNode
		in.branch(r, &nodes, 1+r.IntN(deepest), classes)
		for _, n := range nodes {
			for c := range n.Value {
				if boosted && c != i%classes { // a tree adds to one class
					n.Value[c] = 0
				}
			}
		}
		tree, err := classifier.NewTree(len(in.X), comparison, nodes)
		if err != nil {
			t.Fatal(err)
		}
		in.Trees = append(in.Trees, tree)
	}
	if in.C = in.Trees[0]; n > 1 || in.shares || r.IntN(2) == 0 {
		opts := classifier.EnsembleOptions{Vote: classifier.Vote(r.IntN(3)), Single: r.IntN(3) == 0}
		if in.shares {
			opts.Vote = classifier.SoftmaxVote
		}
		e, err := classifier.NewEnsemble(in.Trees, opts)
		if err != nil {
			t.Fatal(err)
		}
		in.C = e
		if in.shares {
			in.share(t, r, e)
		}
	}
}

// share asks whether the probability of a class comes to a number: that of some input, often.
func (in *Ruled) share(t testing.TB, r *rand.Rand, e *classifier.Ensemble) {
	of, err := e.Probability(r.IntN(e.Classes()))
	if err != nil {
		t.Fatal(err)
	}
	z := slices.Clone(in.X)
	for j := range z {
		if r.IntN(2) == 0 {
			z[j] = drawValue(r)
		}
	}
	p := of.Predict(z)
	switch r.IntN(8) {
	case 0:
		p = of.Predict(in.X)
	case 1:
		p = r.Float64()
	case 2:
		p = []float64{0, 1, 1.5, math.Nextafter(p, 1)}[r.IntN(4)]
	}
	above, err := of.Above(p)
	if err != nil {
		t.Fatal(err)
	}
	in.C = above
}

// branch appends a subtree.
func (in *Ruled) branch(r *rand.Rand, nodes *[]classifier.TreeNode, depth, classes int) int {
	at := len(*nodes)
	value := make([]float64, classes)
	for c := range value {
		value[c] = float64(r.IntN(8)) / 4
	}
	*nodes = append(*nodes, classifier.TreeNode{Feature: -1, Left: -1, Right: -1, Value: value})
	if depth == 0 || r.IntN(6) == 0 {
		return at
	}
	f := r.IntN(len(in.X))
	threshold := drawValue(r)
	switch g := in.Rules[f]; {
	case g.Group > 0 && r.IntN(4) > 0:
		threshold = []float64{0.5, 0, 1, 0.25}[r.IntN(4)]
	case g.Categorical:
		threshold = float64(r.IntN(10)) / 2
	}
	var thresholds []float64
	if in.sets && r.IntN(3) > 0 {
		thresholds = in.drawSet(r, f)
	}
	left := in.branch(r, nodes, depth-1, classes)
	right := in.branch(r, nodes, depth-1, classes)
	(*nodes)[at] = classifier.TreeNode{
		Feature:     f,
		Threshold:   threshold,
		Thresholds:  thresholds,
		Left:        left,
		Right:       right,
		MissingLeft: r.IntN(2) == 0,
		Value:       value,
	}
	return at
}

// drawSet draws the thresholds of the test of a set.
func (in *Ruled) drawSet(r *rand.Rand, f int) (thresholds []float64) {
	for range 2 + r.IntN(8) {
		if in.Rules[f].Categorical {
			thresholds = append(thresholds, float64(r.IntN(18))/2)
		} else {
			thresholds = append(thresholds, float64(r.IntN(33)-16)/8)
		}
	}
	slices.Sort(thresholds)
	if thresholds = slices.Compact(thresholds); len(thresholds) == 1 {
		return nil
	}
	return thresholds
}
