package robust

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// instance is a small training set with many ties, and how far features may be moved.
type instance struct {
	table   *rows.Table
	y       []int
	classes int
	reach   []Reach
}

func draw(rng *rand.Rand, classes int) instance {
	n, d := 2+rng.IntN(14), 1+rng.IntN(3)
	in := instance{table: &rows.Table{Len: n, Dim: d}, classes: classes}
	for range n {
		in.y = append(in.y, rng.IntN(classes))
		for range d {
			in.table.Data = append(in.table.Data, float64(rng.IntN(8))/8)
		}
	}
	sizes := []float64{0, 0.03, 0.125, 0.2, 0.3}
	for range d {
		in.reach = append(in.reach, Reach{sizes[rng.IntN(5)], sizes[rng.IntN(5)]})
	}
	return in
}

func (in *instance) data(t *testing.T, workers int) *Data {
	d, err := NewData(t.Context(), in.table, in.y, in.classes, in.reach, workers)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// sidesOf says where row i may be at a threshold.
func (in *instance) sidesOf(i, feature int, threshold float64) (left, right bool) {
	v, r := in.table.Row(i)[feature], in.reach[feature]
	return v-r.Down < threshold, v+r.Up >= threshold
}

// everyThreshold returns thresholds between all ends of reaches.
func (in *instance) everyThreshold(feature int) (all []float64) {
	var ends []float64
	for i := range in.table.Len {
		v := in.table.Row(i)[feature]
		ends = append(ends, v-in.reach[feature].Down, v+in.reach[feature].Up)
	}
	slices.Sort(ends)
	for i := 1; i < len(ends); i++ {
		if ends[i]-ends[i-1] > 1e-6 {
			all = append(all, (ends[i]+ends[i-1])/2)
		}
	}
	return all
}

// extreme returns the largest value of a concave function between two numbers, by golden section.
func extreme(low, high float64, f func(float64) float64) float64 {
	const golden = 0.6180339887498949
	for range 36 {
		a, b := high-golden*(high-low), low+golden*(high-low)
		if f(a) < f(b) {
			low = a
		} else {
			high = b
		}
	}
	return f((low + high) / 2)
}

func giniOf(counts ...float64) float64 {
	all, squares := 0.0, 0.0
	for _, k := range counts {
		all += k
		squares += k * k
	}
	if all == 0 {
		return 0
	}
	return all - squares/all
}

// worstGini tries all ways in which the adversary may divide the rows between, and all shares of
// them. It returns the largest Gini index of whole rows, and of shares.
func (in *instance) worstGini(of []int, feature int, threshold float64) (whole, shares float64) {
	var must [2][2]float64 // by class and side
	var between [2]float64
	for _, i := range of {
		switch left, right := in.sidesOf(i, feature, threshold); {
		case left && right:
			between[in.y[i]]++
		case left:
			must[in.y[i]][0]++
		default:
			must[in.y[i]][1]++
		}
	}
	at := func(a, b float64) float64 {
		return giniOf(must[0][0]+a, must[1][0]+b) +
			giniOf(must[0][1]+between[0]-a, must[1][1]+between[1]-b)
	}
	for a := range int(between[0]) + 1 {
		for b := range int(between[1]) + 1 {
			whole = max(whole, at(float64(a), float64(b)))
		}
	}
	return whole, extreme(0, between[0], func(a float64) float64 {
		return extreme(0, between[1], func(b float64) float64 { return at(a, b) })
	})
}

// worstLoss returns the least exponential loss of two values, in which each row is where its loss
// is largest.
func (in *instance) worstLoss(
	of []int, weight []float64, prior float64, feature int, threshold float64,
) float64 {
	at := func(l, r float64) float64 {
		loss := prior * (math.Exp(l) + math.Exp(-l) + math.Exp(r) + math.Exp(-r))
		for _, i := range of {
			sign := float64(1 - 2*in.y[i]) // exp(sign·value)
			left, right := in.sidesOf(i, feature, threshold)
			worst := 0.0
			if left {
				worst = math.Exp(sign * l)
			}
			if right {
				worst = max(worst, math.Exp(sign*r))
			}
			loss += weight[i] * worst
		}
		return loss
	}
	return -extreme(-4, 4, func(l float64) float64 {
		return extreme(-4, 4, func(r float64) float64 { return -at(l, r) })
	})
}

// TestSplitsAreTheBest compares every node of a tree with all splits of the rows that may reach it,
// each judged by enumeration of the adversary's moves.
func TestSplitsAreTheBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	splits, boosted := 0, 0
	for trial := range racetest.Scale(40) {
		in := draw(rng, 2)
		o := Options{Depth: 1 + rng.IntN(3), MinSplit: 2 + rng.IntN(3), MinLeaf: 1 + rng.IntN(3),
			MaxFeatures: in.table.Dim, Workers: 1}
		times := make([]int32, in.table.Len)
		for i := range times {
			times[i] = 1
		}
		tree, err := Tree(t.Context(), in.data(t, 1), times, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		check := oracle{&in, o, func(of []int, feature int, threshold float64) float64 {
			whole, shares := in.worstGini(of, feature, threshold)
			if whole > shares+1e-6 {
				t.Fatalf("whole rows are worse than shares: %v, %v", whole, shares)
			}
			return shares
		}, func(of []int) float64 {
			counts := in.counts(of)
			return giniOf(counts[0], counts[1])
		}}
		if err := check.tree(tree); err != nil {
			t.Fatalf("trial %d, %+v, %+v: %v", trial, in, o, err)
		}
		splits += len(tree) / 2
		boosted += boostedOracle(t, in, o)
	}
	if splits < racetest.Scale(12) || boosted < racetest.Scale(40) {
		t.Errorf("%d and %d splits were compared, want more", splits, boosted)
	}
}

func (in *instance) counts(of []int) (counts [2]float64) {
	for _, i := range of {
		counts[in.y[i]]++
	}
	return counts
}

// boostedOracle does the same for boosted trees, with the weights that the margins of the trees
// before give, and returns how many splits it compared.
func boostedOracle(t *testing.T, in instance, o Options) (splits int) {
	const rate = 0.5
	ensemble, err := Boost(t.Context(), in.data(t, 1), 1,
		Boosting{Options: o, Rounds: 3, Rate: rate})
	if err != nil {
		t.Fatal(err)
	}
	margins := make([]float64, in.table.Len)
	for round, tree := range ensemble {
		weight, sum := make([]float64, len(margins)), 0.0
		for i, m := range margins {
			weight[i] = 1 / (1 + math.Exp(m))
			sum += weight[i]
		}
		for i := range weight {
			weight[i] /= sum
		}
		each := prior * float64(o.MinLeaf) / float64(len(margins))
		check := oracle{&in, o, func(of []int, feature int, threshold float64) float64 {
			return in.worstLoss(of, weight, each, feature, threshold)
		}, func(of []int) float64 {
			p, n := each, each
			for _, i := range of {
				if in.y[i] == 1 {
					p += weight[i]
				} else {
					n += weight[i]
				}
			}
			return 2 * math.Sqrt(p*n)
		}}
		if err := check.tree(tree); err != nil {
			t.Fatalf("round %d, %+v, %+v: %v", round, in, o, err)
		}
		splits += len(tree) / 2
		for i := range margins {
			worst := math.Inf(1)
			for _, leaf := range in.leaves(tree, i) {
				worst = min(worst, float64(2*in.y[i]-1)*tree[leaf].Value[1])
			}
			margins[i] += worst
		}
	}
	return splits
}

// leaves returns which leaves row i may reach.
func (in *instance) leaves(tree trees.Nodes, i int) (leaves []int) {
	open := []int{0}
	for len(open) > 0 {
		id := open[len(open)-1]
		open = open[:len(open)-1]
		n := tree[id]
		if n.Left < 0 {
			leaves = append(leaves, id)
			continue
		}
		left, right := in.sidesOf(i, n.Feature, n.Threshold)
		if left {
			open = append(open, n.Left)
		}
		if right {
			open = append(open, n.Right)
		}
	}
	return leaves
}

// oracle knows the worst loss of a split, and that of a leaf.
type oracle struct {
	*instance
	options Options
	split   func(of []int, feature int, threshold float64) float64
	leaf    func(of []int) float64
}

func (o *oracle) tree(tree trees.Nodes) error {
	all := make([]int, o.table.Len)
	for i := range all {
		all[i] = i
	}
	return o.node(tree, 0, 0, all)
}

func (o *oracle) node(tree trees.Nodes, id, depth int, of []int) error {
	const rounding = 1e-5
	least, n := o.leaf(of), tree[id]
	if depth < o.options.Depth && len(of) >= o.options.MinSplit {
		for feature := range o.table.Dim {
			for _, threshold := range o.everyThreshold(feature) {
				left, right := o.divide(of, feature, threshold)
				if min(len(left), len(right)) >= o.options.MinLeaf {
					least = min(least, o.split(of, feature, threshold))
				}
			}
		}
	}
	if n.Left < 0 {
		if least < o.leaf(of)-rounding {
			return fmt.Errorf("leaf %d: a split has the loss %v, the leaf %v",
				id, least, o.leaf(of))
		}
		return nil
	}
	if got := o.split(of, n.Feature, n.Threshold); math.Abs(got-least) > rounding {
		return fmt.Errorf("node %d: feature %d at %v has the loss %v, the best split %v",
			id, n.Feature, n.Threshold, got, least)
	}
	left, right := o.divide(of, n.Feature, n.Threshold)
	if min(len(left), len(right)) < o.options.MinLeaf || max(len(left), len(right)) == len(of) {
		return fmt.Errorf("node %d of %d rows has children of %d and %d",
			id, len(of), len(left), len(right))
	}
	if err := o.node(tree, n.Left, depth+1, left); err != nil {
		return err
	}
	return o.node(tree, n.Right, depth+1, right)
}

func (o *oracle) divide(of []int, feature int, threshold float64) (left, right []int) {
	for _, i := range of {
		l, r := o.sidesOf(i, feature, threshold)
		if l {
			left = append(left, i)
		}
		if r {
			right = append(right, i)
		}
	}
	return left, right
}

// TestRounding: 153/255 apart and moved by 0.3, two values meet but for rounding. No threshold
// sends one left and the other right for sure, wherever values are moved and then rounded.
func TestRounding(t *testing.T) {
	const reach = 0.3
	var values []float64
	var feature []float32
	for k := range 256 {
		values = append(values, float64(k)/255)
		feature = append(feature, float32(values[k]))
	}
	c := newColumn(feature, Reach{reach, reach})
	if len(c.thresholds) < 200 {
		t.Errorf("%d thresholds", len(c.thresholds))
	}
	for k, threshold := range c.thresholds {
		for i, v := range values {
			low, high := v-reach*(1+1e-15), v+reach*(1+1e-15)
			if float32(low) < threshold && c.rank[i] >= c.may[k] {
				t.Errorf("%d/255 may go left of %v", i, threshold)
			}
			if float32(high) >= threshold && c.rank[i] < c.must[k] {
				t.Errorf("%d/255 may go right of %v", i, threshold)
			}
			if i >= 153 && c.rank[i-153] < c.must[k] && c.rank[i] >= c.may[k] {
				t.Errorf("%v parts %d/255 and %d/255", threshold, i-153, i)
			}
		}
	}
}

// TestMiddle: of thresholds that divide the rows of a node alike the one in the middle is taken.
func TestMiddle(t *testing.T) {
	in := instance{table: &rows.Table{Len: 8, Dim: 2, Data: []float64{
		0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1, 8, 1, 8, 1,
	}}, y: []int{1, 1, 1, 1, 1, 0, 1, 1}, classes: 2, reach: make([]Reach, 2)}
	tree, err := Tree(t.Context(), in.data(t, 1), slices.Repeat([]int32{1}, 8), nil,
		Options{Depth: 2, MinSplit: 2, MinLeaf: 1, MaxFeatures: 2, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range tree {
		// The node of the last three rows has the values 0 and 8, others 1 and 2 between.
		if n.Feature == 0 && n.Threshold != 5 {
			t.Errorf("the rows at 0 and 8 are divided at %v", n.Threshold)
		}
	}
	if len(tree) != 5 {
		t.Errorf("%d nodes: %v", len(tree), tree)
	}
}

const testPrior = 1e-3

// TestLeafValues: no values in the same order have a smaller loss than those of the leaves.
func TestLeafValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	compared := 0
	for range racetest.Scale(300) {
		in := draw(rng, 2)
		g := newGrower(in.data(t, 1),
			Options{Depth: 3, MinLeaf: 1, MaxFeatures: in.table.Dim}, exponential{testPrior})
		all := make([]uint32, in.table.Len)
		for i := range all {
			all[i], g.weight[i] = uint32(i), 1/float64(len(all))
		}
		if err := g.grow(t.Context(), all); err != nil {
			t.Fatal(err)
		}
		values := g.values(testPrior)
		least := g.loss(values)
		if most := slices.Max(values); most == mostValue || slices.Min(values) == -mostValue {
			continue // values beyond would be better
		}
		for range 50 {
			moved := slices.Clone(values)
			for id := range moved {
				moved[id] += (rng.Float64() - 0.5) / 10
			}
			if loss := g.loss(inOrderOf(g.nodes, values, moved)); loss < least-1e-12 {
				t.Fatalf("%+v: the loss %v of %v, and %v of %v", in, least, values, loss, moved)
			}
		}
		compared++
	}
	if compared < racetest.Scale(30) {
		t.Errorf("%d trees were compared, want more", compared)
	}
}

// inOrderOf sorts the values that leaves were moved to as their values are sorted.
func inOrderOf(nodes []node, values, moved []float64) []float64 {
	var leaves []int
	var to []float64
	for id, n := range nodes {
		if n.feature < 0 {
			leaves, to = append(leaves, id), append(to, moved[id])
		}
	}
	slices.SortStableFunc(leaves, func(a, b int) int {
		return int(math.Copysign(1, values[a]-values[b]))
	})
	slices.Sort(to)
	for k, id := range leaves {
		moved[id] = to[k]
	}
	return moved
}

// loss returns the exponential loss of leaf values, each row in its worst leaf.
func (g *grower) loss(values []float64) (loss float64) {
	worst := make([]float64, len(g.y))
	for id, n := range g.nodes {
		if n.feature >= 0 {
			continue
		}
		loss += testPrior * (math.Exp(values[id]) + math.Exp(-values[id]))
		for _, i := range n.rows {
			worst[i] = max(worst[i], math.Exp(float64(1-2*g.y[i])*values[id]))
		}
	}
	for i, w := range worst {
		loss += g.weight[i] * w
	}
	return loss
}

// TestSeveralClasses: the adversary who answers for each class apart is at least as bad as all that
// can be done, and no worse of two classes.
func TestSeveralClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range racetest.Scale(3000) {
		left, between, right := make([]float64, 3), make([]float64, 3), make([]float64, 3)
		for c := range left {
			left[c], right[c] = float64(rng.IntN(4)), float64(rng.IntN(4))
			between[c] = float64(rng.IntN(3))
		}
		bound := 2 * gini{}.split(left, between, right)
		for k := range 27 {
			a, b := slices.Clone(left), slices.Clone(right)
			for c, moved := range []int{k % 3, k / 3 % 3, k / 9} {
				go_ := min(float64(moved), between[c])
				a[c] += go_
				b[c] += between[c] - go_
			}
			if got := giniOf(a...) + giniOf(b...); got > bound+1e-9 {
				t.Fatalf("%v %v %v: %v is worse than %v", left, between, right, got, bound)
			}
		}
	}
}

// TestWorkers: trees do not depend on the number of goroutines.
func TestWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	in := instance{table: &rows.Table{Len: 20000, Dim: 8}, classes: 3}
	for range in.table.Len {
		in.y = append(in.y, rng.IntN(3))
		for range in.table.Dim {
			in.table.Data = append(in.table.Data, float64(rng.IntN(50))/50)
		}
	}
	for range in.table.Dim {
		in.reach = append(in.reach, Reach{0.05, 0.1})
	}
	var want string
	for _, workers := range []int{1, 2, 5} {
		d := in.data(t, workers)
		times := slices.Repeat([]int32{1}, in.table.Len)
		o := Options{Depth: 3, MinSplit: 2, MinLeaf: 1, MaxFeatures: 5, Workers: workers}
		tree, err := Tree(t.Context(), d, times, numpyrand.New(1), o)
		if err != nil {
			t.Fatal(err)
		}
		o.MaxFeatures = 8
		boosted, err := Boost(t.Context(), d, 2, Boosting{Options: o, Rounds: 2, Rate: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		o.Depth = 1
		stumps, err := Boost(t.Context(), d, 2, Boosting{Options: o, Rounds: 3, Rate: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(tree, boosted, stumps)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%d workers grow other trees than one", workers)
		}
	}
}
