package instance

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// choice is a value of a feature, or of the members of a group, and the cost of going there.
type choice struct {
	values []float64 // of the features
	cost   float64
}

// choicesOf lists, for each feature on its own and each group, all that matters: of each interval
// between two thresholds the allowed value nearest to x, or every allowed grid value. Of the
// library it knows only the trees' thresholds, which it finds by bisection.
func (in *Ruled) choicesOf() (features [][]int, choices [][]choice) {
	seen := map[int]bool{}
	for j := range in.X {
		if seen[j] {
			continue
		}
		members := []int{j}
		if g := in.Rules[j].Group; g > 0 {
			members = nil
			for i, r := range in.Rules {
				if r.Group == g {
					members = append(members, i)
					seen[i] = true
				}
			}
			choices = append(choices, in.hotChoices(members))
		} else {
			choices = append(choices, in.valueChoices(j))
		}
		features = append(features, members)
	}
	for _, c := range choices {
		slices.SortStableFunc(c,
			func(a, b choice) int {
				return cmp.Or(cmp.Compare(a.cost, b.cost), slices.Compare(a.values, b.values))
			})
	}
	return features, choices
}

// hotChoices are those of a group.
func (in *Ruled) hotChoices(members []int) (all []choice) {
	now, frozen := make([]float64, len(members)), 0
	for i, j := range members {
		if now[i] = in.X[j]; in.Rules[j].Frozen {
			frozen++
		}
	}
	if frozen == len(members) {
		return []choice{{now, 0}}
	}
	for hot := range members {
		v, ok := make([]float64, len(members)), true
		v[hot] = 1
		for i, j := range members {
			if in.Rules[j].Frozen {
				ok = ok && v[i] == in.X[j]
			} else if in.Domain != nil {
				ok = ok && in.Domain[j].Contains(v[i])
			}
		}
		cost := orOne(in.Rules[members[hot]].Up)
		if slices.Equal(v, now) {
			cost = 0
		}
		if ok && cost < math.Inf(1) {
			all = append(all, choice{v, cost})
		}
	}
	return all
}

func orOne(price float64) float64 {
	if price == 0 {
		return 1
	}
	return price
}

// valueChoices are those of a feature on its own.
func (in *Ruled) valueChoices(j int) (all []choice) {
	r, x := in.Rules[j], in.X[j]
	missing := math.IsNaN(x)
	if r.Frozen || (missing && r.Missing == attack.KeepMissing) {
		return []choice{{[]float64{x}, 0}}
	}
	if missing {
		all = append(all, choice{[]float64{x}, 0})
	} else if r.Missing == attack.MayMiss && orOne(r.Up) < math.Inf(1) {
		all = append(all, choice{[]float64{math.NaN()}, orOne(r.Up)})
	}
	cheapest := map[int]choice{} // by the number of thresholds below
	last := in.thresholds(j)
	for _, v := range in.values(j) {
		below := 0
		for _, t := range last {
			if v > t {
				below++
			}
		}
		cost := in.cost(j, v)
		if c, ok := cheapest[below]; cost < math.Inf(1) && (!ok || cost < c.cost) {
			cheapest[below] = choice{[]float64{v}, cost}
		}
	}
	for _, c := range cheapest {
		all = append(all, c)
	}
	return all
}

// ends returns between which numbers a feature must lie.
func (in *Ruled) ends(j int) (lo, hi float64) {
	r, x := in.Rules[j], in.X[j]
	lo, hi = math.Inf(-1), math.Inf(1)
	if in.Domain != nil {
		if lo, hi = in.Domain[j].Lo, in.Domain[j].Hi; in.Domain[j].LoOpen {
			lo = math.Nextafter(lo, math.Inf(1))
		}
		if in.Domain[j].HiOpen {
			hi = math.Nextafter(hi, math.Inf(-1))
		}
	}
	blur := 1e-9 * r.Step
	if !math.IsNaN(x) {
		for _, l := range []float64{r.MaxUp, r.MaxUpPart * math.Abs(x)} {
			if l > 0 || (l == 0 && r.MaxUpPart > 0 && x == 0) {
				hi = min(hi, x+l+blur)
			}
		}
		for _, l := range []float64{r.MaxDown, r.MaxDownPart * math.Abs(x)} {
			if l > 0 || (l == 0 && r.MaxDownPart > 0 && x == 0) {
				lo = max(lo, x-l-blur)
			}
		}
	}
	return lo, hi
}

// codes lists the codes of a category, and the one in X, where the domain contains them.
func (in *Ruled) codes(j int) (all []float64) {
	last := 80
	if n := in.Rules[j].Codes; n > 0 {
		last = n - 1
	}
	for code := range last + 1 {
		all = append(all, float64(code))
	}
	if x := in.X[j]; !math.IsNaN(x) && !slices.Contains(all, x) {
		all = append(all, x)
	}
	return slices.DeleteFunc(all,
		func(v float64) bool { return in.Domain != nil && !in.Domain[j].Contains(v) })
}

// values lists the allowed numbers of a feature that matter.
func (in *Ruled) values(j int) (all []float64) {
	r, x := in.Rules[j], in.X[j]
	lo, hi := in.ends(j)
	if r.Categorical {
		return in.codes(j)
	}
	if r.Step > 0 {
		return steps(r, x, lo, hi)
	}
	from := x
	if math.IsNaN(x) {
		from = 0
	}
	for _, s := range between(in.thresholds(j), lo, hi) {
		all = append(all, min(max(from, s[0]), s[1]))
	}
	return all
}

// steps lists the whole steps of a feature from lo to hi, x among them if it is one but for
// rounding.
func steps(f attack.Feature, x, lo, hi float64) (all []float64) {
	for k := -80.0; k <= 80; k++ {
		v := f.Origin + k*f.Step
		if math.Abs(v-x) <= 1e-9*f.Step {
			v = x
		}
		if v >= lo && v <= hi {
			all = append(all, v)
		}
	}
	return all
}

// between returns the ranges of float64 from lo to hi, ends included, that begin behind one of the
// last on the left of tests and end with the next.
func between(last []float64, lo, hi float64) (ranges [][2]float64) {
	last = append(last, math.Inf(1))
	slices.Sort(last)
	for _, end := range last {
		if a, b := lo, min(end, hi); a <= b {
			ranges = append(ranges, [2]float64{a, b})
		}
		lo = max(lo, math.Nextafter(end, math.Inf(1)))
	}
	return ranges
}

// thresholds returns the last float64 that each test of a feature sends left.
func (in *Ruled) thresholds(j int) (last []float64) {
	for _, t := range in.Trees {
		for _, n := range t.Nodes() {
			if n.Feature != j {
				continue
			}
			thresholds := n.Thresholds
			if thresholds == nil {
				thresholds = []float64{n.Threshold}
			}
			for _, threshold := range thresholds {
				if at, ok := lastLeft(t.Comparison(), threshold); ok {
					last = append(last, at)
				}
			}
		}
	}
	return last
}

// lastLeft finds, by bisection of the numbered float64, the last one that a tree
// of this comparison sends left; ok is false when it sends none.
func lastLeft(c classifier.Comparison, threshold float64) (x float64, ok bool) {
	hi := int64(math.Float64bits(math.MaxFloat64))
	lo := -hi
	if !goesLeft(c, nth(lo), threshold) {
		return 0, false
	}
	for lo < hi {
		middle := (lo >> 1) + (hi >> 1) + 1
		if goesLeft(c, nth(middle), threshold) {
			lo = middle
		} else {
			hi = middle - 1
		}
	}
	return nth(lo), true
}

// nth returns the i-th float64 above 0, or the −i-th below.
func nth(i int64) float64 {
	if i < 0 {
		return -math.Float64frombits(uint64(-i))
	}
	return math.Float64frombits(uint64(i))
}

func goesLeft(c classifier.Comparison, v, t float64) bool {
	switch c {
	case classifier.AtMostFloat32:
		return float64(float32(v)) <= t
	case classifier.BelowFloat32:
		return float64(float32(v)) < t
	case classifier.BelowFloat64:
		return v < t
	}
	return v <= t
}

// cost returns the cost of a move to a number.
func (in *Ruled) cost(j int, z float64) float64 {
	r, x := in.Rules[j], in.X[j]
	up, down := orOne(r.Up), orOne(r.Down)
	switch {
	case z == x:
		return 0
	case math.IsNaN(x), r.Categorical:
		return up
	case in.Norm == Changes && z > x:
		return up
	case in.Norm == Changes:
		return down
	case z > x:
		return up * (z - x)
	}
	return down * (x - z)
}

// join is the cost of moving two features, given what each costs.
func (in *Ruled) join(a, b float64) float64 {
	switch in.Norm {
	case polytope.LInf:
		return max(a, b)
	case polytope.L2:
		return math.Hypot(a, b)
	}
	return a + b
}

// Nearest returns the least cost of an input that is allowed and answers, +Inf if there is
// none, among those whose changed features pass.
func (in *Ruled) Nearest(pass func(changed []int) bool) float64 {
	features, choices := in.choicesOf()
	z, least := slices.Clone(in.X), math.Inf(1)
	var changed []int
	var visit func(i int, cost float64)
	visit = func(i int, cost float64) {
		if cost >= least {
			return
		}
		if i == len(features) {
			if in.Answers(z) && pass(changed) {
				least = cost
			}
			return
		}
		for _, c := range choices[i] {
			before := len(changed)
			for k, j := range features[i] {
				if z[j] = c.values[k]; len(changed) == before && !SameInput(z[j:j+1], in.X[j:j+1]) {
					changed = append(changed, features[i][0])
				}
			}
			visit(i+1, in.join(cost, c.cost))
			changed = changed[:before]
		}
		for _, j := range features[i] {
			z[j] = in.X[j]
		}
	}
	visit(0, 0)
	return least
}

// Radius returns the distance of the nearest input with a label that answers, by enumeration.
func (in Ensemble) Radius(norm polytope.Norm) float64 {
	trees := make([]*classifier.Tree, in.Ensemble.Len())
	for i := range trees {
		trees[i] = in.Ensemble.Tree(i)
	}
	return radius(norm, in.Ensemble, trees, in.Query, in.Target, in.Box)
}

// Radius is that of an Ensemble.
func (in Tree) Radius(norm polytope.Norm) float64 {
	return radius(norm, in.Tree, []*classifier.Tree{in.Tree}, in.Query, in.Target, in.Box)
}

func radius(
	norm polytope.Norm, c classifier.Classifier, trees []*classifier.Tree, x []float64, target *int,
	box polytope.Box,
) float64 {
	in := &Ruled{
		C: c, Trees: trees, X: x, From: c.Predict(x), Target: target, Norm: norm,
		Rules: make([]attack.Feature, len(x)), Domain: box,
	}
	return in.Nearest(func([]int) bool { return true })
}
