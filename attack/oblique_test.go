package attack_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// obliqueInstance is an attack on a random small ensemble of oblique trees, or on its only tree.
type obliqueInstance struct {
	c interface {
		classifier.Searcher
		classifier.Decomposable
	}
	trees  [][]classifier.ObliqueNode
	query  []float64
	target *int
	box    polytope.Box
}

// obliqueTests draws tests biased to trouble: small integers for weights, thresholds on a
// grid, tests of one feature, of none, and tests equal or parallel to one drawn before.
type obliqueTests struct {
	rng  *rand.Rand
	dim  int
	real bool // normally distributed weights
	old  []classifier.ObliqueNode
}

func (d *obliqueTests) draw() classifier.ObliqueNode {
	rng := d.rng
	n := classifier.ObliqueNode{Weights: make([]float64, d.dim), Threshold: float64(rng.IntN(9)-4) / 2}
	switch kind := rng.IntN(8); {
	case kind < 2 && len(d.old) > 0:
		before := d.old[rng.IntN(len(d.old))]
		factor := []float64{1, -1, 2, -4, 3}[rng.IntN(5)]
		if d.real && factor == 3 {
			factor = 0.5 // without rounding
		}
		for j, w := range before.Weights {
			n.Weights[j] = factor * w
		}
		if n.Threshold *= math.Abs(factor); rng.IntN(2) == 0 {
			n.Threshold = factor * before.Threshold
		}
	case kind < 4:
		n.Weights[rng.IntN(d.dim)] = []float64{1, -1, 2, 0}[rng.IntN(4)]
	default:
		for j := range n.Weights {
			if n.Weights[j] = float64(rng.IntN(5) - 2); d.real {
				n.Weights[j] = rng.NormFloat64()
			}
		}
	}
	if w := single(n.Weights); w != 0 {
		// x ≤ t and x ≥ t have one value of the feature in common, which is a cell
		// though it has no interior: there is to be no such t.
		end := math.Floor(4*n.Threshold/w) / 4
		if w < 0 {
			end += 0.125
		}
		n.Threshold = w * end
	}
	d.old = append(d.old, n)
	return n
}

// single returns the only weight that is not zero, 0 if there are more or none.
func single(w []float64) (only float64) {
	for _, v := range w {
		if v != 0 && only != 0 {
			return 0
		}
		only += v
	}
	return only
}

// growOblique draws the nodes of a tree of at most this depth.
func (d *obliqueTests) grow(depth int, value func() []float64) []classifier.ObliqueNode {
	var nodes []classifier.ObliqueNode
	var grow func(depth int) int
	grow = func(depth int) int {
		id := len(nodes)
		nodes = append(nodes, classifier.ObliqueNode{Left: -1, Right: -1, Value: value()})
		if depth > 0 && d.rng.IntN(6) > 0 {
			n := d.draw()
			n.Value = nodes[id].Value
			n.Left = grow(depth - 1)
			n.Right = grow(depth - 1)
			nodes[id] = n
		}
		return id
	}
	grow(depth)
	return nodes
}

// drawOblique makes an ensemble of 1 to 4 trees, or a single one.
func drawOblique(t *testing.T, rng *rand.Rand) obliqueInstance {
	t.Helper()
	dim, classes, most := 1+rng.IntN(4), 2+rng.IntN(3), 1+rng.IntN(4)
	tests := &obliqueTests{rng: rng, dim: dim, real: dim > 1 && rng.IntN(4) == 0}
	value := func() []float64 {
		v := make([]float64, classes)
		for c := range v {
			v[c] = float64(rng.IntN(4)) / 3
		}
		return v
	}
	var in obliqueInstance
	var trees []*classifier.ObliqueTree
	for range most {
		nodes := tests.grow(rng.IntN(4-most/3), value)
		tree, err := classifier.NewObliqueTree(dim, nodes)
		if err != nil {
			t.Fatal(err)
		}
		trees, in.trees = append(trees, tree), append(in.trees, nodes)
	}
	e, err := classifier.NewObliqueEnsemble(trees, instance.DrawVote(rng, classes))
	if err != nil {
		t.Fatal(err)
	}
	if in.c = e; most == 1 && rng.IntN(2) == 0 {
		in.c = trees[0]
	}
	for range dim {
		in.query = append(in.query, float64(rng.IntN(13)-6)/4)
	}
	if rng.IntN(3) == 0 {
		in.target = new(rng.IntN(classes))
	}
	if rng.IntN(3) == 0 {
		in.box = polytope.Cube(dim, -1.71, 1.33)
		switch j := rng.IntN(dim); rng.IntN(4) {
		case 0:
			in.box[j] = polytope.Interval{Lo: 0.27, Hi: 0.27}
		case 1:
			in.box[j] = polytope.Interval{Lo: math.Inf(-1), Hi: 1.33, HiOpen: true}
		}
	}
	return in
}

// radius goes through all tuples of leaves, one of each tree, and has the oracle
// project on those whose interior meets the domain.
func (in obliqueInstance) radius(norm polytope.Norm) float64 {
	from, least := in.c.Predict(in.query), math.Inf(1)
	rows := &obliqueRows{in: in}
	for j, i := range in.box {
		rows.side(j, 1, i.Hi)
		rows.side(j, -1, -i.Lo)
	}
	rows.fixed = len(rows.b)
	var visit func(tree, node int)
	visit = func(tree, node int) {
		if tree == len(in.trees) {
			inside := rows.inside()
			if label := in.c.Predict(inside); label == from || (in.target != nil && label != *in.target) {
				return
			}
			d, _, _ := oracle.Closest(oracle.Norm(norm), in.query, rows.a, rows.b)
			least = min(least, d)
			return
		}
		n := in.trees[tree][node]
		if n.Left < 0 {
			visit(tree+1, 0)
			return
		}
		for _, child := range []int{n.Left, n.Right} {
			sign := 1.0
			if child == n.Right {
				sign = -1
			}
			if !slices.ContainsFunc(n.Weights, func(w float64) bool { return w != 0 }) {
				if (child == n.Left) == (0 <= n.Threshold) {
					visit(tree, child)
				}
				continue
			}
			rows.push(n.Weights, n.Threshold, sign)
			d, _, ok := oracle.Closest(oracle.Norm(norm), in.query, rows.a, rows.b)
			if ok && d < least && rows.inside() != nil {
				visit(tree, child)
			}
			rows.pop()
		}
	}
	visit(0, 0)
	return least
}

// obliqueRows are the rows a·z ≤ b of a cell, those of the domain first.
type obliqueRows struct {
	in    obliqueInstance
	a     [][]float64
	b     []float64
	fixed int
}

func (r *obliqueRows) side(j int, sign, bound float64) {
	if math.IsInf(bound, 1) {
		return
	}
	row := make([]float64, len(r.in.query))
	row[j] = sign
	r.a, r.b = append(r.a, row), append(r.b, bound)
}

func (r *obliqueRows) push(w []float64, threshold, sign float64) {
	row := make([]float64, len(w))
	for j, v := range w {
		row[j] = sign * v
	}
	r.a, r.b = append(r.a, row), append(r.b, sign*threshold)
}

func (r *obliqueRows) pop() {
	r.a, r.b = r.a[:len(r.a)-1], r.b[:len(r.b)-1]
}

// inside returns a point deep enough inside the cell that rounding does not matter, nil
// when there is none.
func (r *obliqueRows) inside() []float64 {
	const margin = 1e-6
	b := append([]float64(nil), r.b...)
	for i := r.fixed; i < len(b); i++ {
		length := 0.0
		for _, v := range r.a[i] {
			length += math.Abs(v)
		}
		b[i] -= margin * length
	}
	_, z, _ := oracle.Closest(oracle.Inf, r.in.query, r.a, b)
	return z
}

func TestExactObliqueAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for _, norm := range norms {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			want := instance.Count(600, 3000)
			compared, found := 0, 0
			for number := uint64(0); compared < want; number++ {
				rng := rand.New(rand.NewPCG(number, 1700+uint64(norm)))
				in := drawOblique(t, rng)
				if in.target != nil && *in.target == in.c.Predict(in.query) {
					continue
				}
				compared++
				a := &attack.RegionBased{
					Classifier: in.c,
					Options:    attack.Options{Norm: norm, Target: in.target, Domain: in.box, Workers: 1},
				}
				switch number % 5 {
				case 0:
					a.Workers = 3
				case 1:
					a.Classifier = listed{in.c}
				}
				truth := in.radius(norm)
				r, err := a.Perturb(t.Context(), in.query)
				if err == nil {
					err = checkExact(t, in.c, norm, in.query, r, truth)
				}
				if err == nil && r.Example != nil && !in.box.Contains(r.Example) {
					err = fmt.Errorf("example %v lies outside the domain", r.Example)
				}
				if err != nil {
					t.Fatalf("instance %d, %T: %v\nquery %v, target %v, box %v, trees %+v", number, a.Classifier, err, in.query, in.target, in.box, in.trees)
				}
				if r.Example != nil {
					found++
				}
			}
			if found < compared/4 {
				t.Errorf("%d examples in %d instances, want half of them", found, compared)
			}
		})
	}
}

// TestExactObliqueByHand attacks the origin.
func TestExactObliqueByHand(t *testing.T) {
	leaf := func(v ...float64) classifier.ObliqueNode {
		return classifier.ObliqueNode{Left: -1, Right: -1, Value: v}
	}
	stump := func(threshold float64, w ...float64) []classifier.ObliqueNode {
		return []classifier.ObliqueNode{
			{Weights: w, Threshold: threshold, Left: 1, Right: 2, Value: []float64{1, 1}}, leaf(1, 0), leaf(0, 1),
		}
	}
	inf := math.Inf(1)
	tests := []struct {
		name  string
		trees [][]classifier.ObliqueNode
		vote  classifier.Vote
		box   polytope.Box
		want  [3]float64 // in ℓ∞, ℓ1, ℓ2
	}{
		{"one test", [][]classifier.ObliqueNode{stump(1, 1, 1)}, 0, nil, [3]float64{0.5, 1, math.Sqrt(0.5)}},
		{"on the border", [][]classifier.ObliqueNode{stump(0, 1, 1)}, 0, nil, [3]float64{0, 0, 0}},
		{"one feature", [][]classifier.ObliqueNode{stump(1, 2, 0)}, 0, nil, [3]float64{0.5, 0.5, 0.5}},
		{"no weight", [][]classifier.ObliqueNode{stump(1, 0, 0)}, 0, nil, [3]float64{inf, inf, inf}},
		{"a domain in the way", [][]classifier.ObliqueNode{stump(2, 1, 1)}, 0, polytope.Cube(2, -1, 1.5), [3]float64{1, 2, math.Sqrt2}},
		{"a domain that cuts the cell off", [][]classifier.ObliqueNode{stump(2, 1, 1)}, 0, polytope.Cube(2, -1, 1), [3]float64{inf, inf, inf}},
		{"a domain that leaves no choice", [][]classifier.ObliqueNode{stump(2, 1, 1)}, 0, polytope.Box{{Lo: -1, Hi: 0.5}, polytope.Line()}, [3]float64{1.5, 2, math.Sqrt(2.5)}},
		{"both are needed", [][]classifier.ObliqueNode{stump(1, 1, 1), stump(1, 1, -1)}, classifier.HardVote, nil, [3]float64{1, 1, 1}},
		{"a majority", [][]classifier.ObliqueNode{stump(1, 1, 1), stump(1, 1, -1), stump(3, 0, 1)}, classifier.HardVote, nil, [3]float64{1, 1, 1}},
		{"opposite ones", [][]classifier.ObliqueNode{stump(1, 1, 1), stump(1, -1, -1)}, classifier.HardVote, nil, [3]float64{inf, inf, inf}},
		{"a negated test", [][]classifier.ObliqueNode{stump(1, 1, 2), stump(-1, -1, -2)}, classifier.HardVote, nil, [3]float64{inf, inf, inf}},
		{"either of two", [][]classifier.ObliqueNode{stump(1, -1, 4), stump(1, 1, 4), stump(-1, 0, -1)}, 0, nil, [3]float64{0.2, 0.25, 1 / math.Sqrt(17)}},
	}
	for _, test := range tests {
		var trees []*classifier.ObliqueTree
		for _, nodes := range test.trees {
			tree, err := classifier.NewObliqueTree(2, nodes)
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, tree)
		}
		e, err := classifier.NewObliqueEnsemble(trees, classifier.EnsembleOptions{Vote: test.vote})
		if err != nil {
			t.Fatal(err)
		}
		subjects := []classifier.Classifier{e, listed{e}}
		if len(trees) == 1 {
			subjects = append(subjects, trees[0], listed{trees[0]})
		}
		for _, c := range subjects {
			for _, norm := range norms {
				x := []float64{0, 0}
				r, err := (&attack.RegionBased{Classifier: c, Options: attack.Options{Norm: norm, Domain: test.box}}).Perturb(t.Context(), x)
				if err == nil {
					err = checkExact(t, c, norm, x, r, test.want[norm])
				}
				if err != nil {
					t.Errorf("%s, %T, norm %v: %v", test.name, c, norm, err)
				}
			}
		}
	}
}

// TestObliqueNothingAdversarial proves that no example exists.
func TestObliqueNothingAdversarial(t *testing.T) {
	tests := []struct {
		name  string
		nodes []classifier.ObliqueNode
	}{
		{"one class", []classifier.ObliqueNode{
			{Weights: []float64{1, 1}, Threshold: 1, Left: 1, Right: 2, Value: []float64{1}},
			{Left: -1, Right: -1, Value: []float64{1}}, {Left: -1, Right: -1, Value: []float64{1}},
		}},
		{"a tree without tests", []classifier.ObliqueNode{{Left: -1, Right: -1, Value: []float64{0, 1}}}},
		{"leaves of one label", []classifier.ObliqueNode{
			{Weights: []float64{1, 1}, Threshold: 1, Left: 1, Right: 2, Value: []float64{0, 1}},
			{Left: -1, Right: -1, Value: []float64{0, 1}}, {Left: -1, Right: -1, Value: []float64{1, 2}},
		}},
	}
	for _, test := range tests {
		tree, err := classifier.NewObliqueTree(2, test.nodes)
		if err != nil {
			t.Fatal(err)
		}
		e, err := classifier.NewObliqueEnsemble([]*classifier.ObliqueTree{tree, tree}, classifier.EnsembleOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []classifier.Classifier{tree, e, listed{tree}, listed{e}} {
			r, err := (&attack.RegionBased{Classifier: c}).Perturb(t.Context(), []float64{0, 0})
			if err == nil {
				err = checkExact(t, c, polytope.LInf, []float64{0, 0}, r, math.Inf(1))
			}
			if err != nil {
				t.Errorf("%s, %T: %v", test.name, c, err)
			}
		}
	}
}

// TestExactObliqueAgainstAxisParallel writes axis-parallel ensembles as oblique ones, with weights
// of either sign: their cells are the same to the last bit.
func TestExactObliqueAgainstAxisParallel(t *testing.T) {
	compared, found := 0, 0
	for number := uint64(0); compared < instance.Count(1000, 4000); number++ {
		rng := rand.New(rand.NewPCG(number, 1800))
		dim, classes := 1+rng.IntN(4), 2+rng.IntN(3)
		draw := func() float64 {
			v := float64(2*rng.IntN(7)-5) / 20 // not 0, whose neighbours underflow
			if rng.IntN(5) == 0 {
				v = math.Nextafter(v, 1)
			}
			return v
		}
		var trees []*classifier.Tree
		var oblique []*classifier.ObliqueTree
		for range 1 + rng.IntN(5) {
			tree := instance.GrowTree(t, rng, classifier.AtMostFloat64, dim, classes, rng.IntN(4), draw, func() float64 { return float64(rng.IntN(4)) / 3 })
			trees, oblique = append(trees, tree), append(oblique, obliqueFrom(t, rng, tree))
		}
		vote := instance.DrawVote(rng, classes)
		parallel, err := classifier.NewEnsemble(trees, vote)
		if err != nil {
			t.Fatal(err)
		}
		e, err := classifier.NewObliqueEnsemble(oblique, vote)
		if err != nil {
			t.Fatal(err)
		}
		var x []float64
		for range dim {
			x = append(x, draw())
		}
		o := attack.Options{Norm: norms[number%3], Workers: 1}
		if rng.IntN(3) == 0 {
			o.Domain = polytope.Cube(dim, -0.25, 0.2)
		}
		if rng.IntN(3) == 0 {
			o.Target = new(rng.IntN(classes))
		}
		if e.Predict(x) != parallel.Predict(x) {
			t.Fatalf("instance %d: %v is predicted %d, want %d", number, x, e.Predict(x), parallel.Predict(x))
		}
		if o.Target != nil && *o.Target == e.Predict(x) {
			continue
		}
		want, err := (&attack.RegionBased{Classifier: parallel, Options: o}).Perturb(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		r, err := (&attack.RegionBased{Classifier: e, Options: o}).Perturb(t.Context(), x)
		if err == nil {
			err = checkExact(t, e, o.Norm, x, r, want.Distance)
		}
		if err != nil || (r.Example != nil && math.Abs(r.Distance-want.Distance) > 1e-12) {
			t.Fatalf("instance %d: %+v, want %+v: %v", number, r, want, err)
		}
		if compared++; r.Example != nil {
			found++
		}
	}
	if found < compared/2 {
		t.Errorf("%d examples in %d instances, want half of them", found, compared)
	}
}

// obliqueFrom writes x ≤ t as a·x ≤ a·t, or x > t as −x ≤ −(the next float64 after t) with the
// children exchanged, for weights that round nothing.
func obliqueFrom(t *testing.T, rng *rand.Rand, tree *classifier.Tree) *classifier.ObliqueTree {
	t.Helper()
	var nodes []classifier.ObliqueNode
	for _, n := range tree.Nodes() {
		node := classifier.ObliqueNode{Left: n.Left, Right: n.Right, Value: n.Value}
		if n.Left >= 0 {
			node.Weights = make([]float64, tree.Dim())
			if node.Weights[n.Feature], node.Threshold = 1, n.Threshold; rng.IntN(2) == 0 {
				node.Weights[n.Feature], node.Threshold = -1, -math.Nextafter(n.Threshold, math.Inf(1))
				node.Left, node.Right = n.Right, n.Left
			}
			factor := math.Ldexp(1, rng.IntN(5)-2)
			node.Weights[n.Feature] *= factor
			node.Threshold *= factor
		}
		nodes = append(nodes, node)
	}
	out, err := classifier.NewObliqueTree(tree.Dim(), nodes)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestObliqueWorkersAgree repeats attacks with several workers and compares everything but
// the counters.
func TestObliqueWorkersAgree(t *testing.T) {
	for number := range uint64(racetest.Scale(600)) {
		in := drawOblique(t, rand.New(rand.NewPCG(number, 1900)))
		if in.target != nil && *in.target == in.c.Predict(in.query) {
			continue
		}
		var first attack.Result
		for run, workers := range []int{1, 1, 2, 8} {
			o := attack.Options{Norm: norms[number%3], Target: in.target, Domain: in.box, Workers: workers}
			r, err := (&attack.RegionBased{Classifier: in.c, Options: o}).Perturb(t.Context(), in.query)
			if err != nil {
				t.Fatalf("instance %d, %d workers: %v", number, workers, err)
			}
			r.Nodes, r.Solves = 0, 0
			if run == 0 {
				first = r
			}
			if !reflect.DeepEqual(r, first) {
				t.Fatalf("instance %d, %d workers: %+v, with one %+v", number, workers, r, first)
			}
		}
	}
}

// bagged is a vote of trained oblique trees, and a point that takes some searching.
func bagged(t testing.TB, dim, trees int) (*classifier.ObliqueEnsemble, [][]float64) {
	t.Helper()
	x, y := blobs(rand.New(rand.NewPCG(2, uint64(dim))), 600, dim)
	o := classifier.ObliqueOptions{Trees: trees, MaxDepth: 4, Seed: 1, Restarts: 2, Jumps: 2}
	e, err := classifier.TrainOblique(t.Context(), x, y, o)
	if err != nil {
		t.Fatal(err)
	}
	var points [][]float64
	for i := range 50 {
		points = append(points, x.RawRowView(i))
	}
	return e, points
}

// TestObliqueWork keeps the search as small as it is: of the 16¹⁰ tuples of leaves it opens a
// few nodes. Points drawn within the bound keep their label.
func TestObliqueWork(t *testing.T) {
	e, points := bagged(t, 8, 10)
	for _, norm := range norms {
		var nodes, solves int
		for i, x := range points {
			r, err := (&attack.RegionBased{Classifier: e, Options: attack.Options{Norm: norm, Workers: 1}}).Perturb(t.Context(), x)
			if err != nil || !r.Optimal {
				t.Fatalf("point %d: %+v, %v", i, r, err)
			}
			nodes += r.Nodes
			solves += r.Solves
			rng := rand.New(rand.NewPCG(uint64(i), 1600))
			for range racetest.Scale(500) {
				step := normals(rng, len(x), 1)
				length := norm.Length(step) / (r.Bound * math.Sqrt(rng.Float64()) * (1 - 1e-9))
				z := make([]float64, len(x))
				for j, v := range x {
					z[j] = v + step[j]/length
				}
				if e.Predict(z) != e.Predict(x) {
					t.Fatalf("norm %v, point %d: %v flips at %v, the bound is %v", norm, i, z, norm.Distance(x, z), r.Bound)
				}
			}
		}
		if nodes > 30*len(points) || solves > 165*len(points) {
			t.Errorf("norm %v: %d nodes and %d programs for %d points, want at most 30 and 165 a point", norm, nodes, solves, len(points))
		}
	}
}

func TestObliqueLimitsGiveValidIntervals(t *testing.T) {
	t.Parallel()
	e, points := bagged(t, 8, 10)
	x := points[0]
	for _, p := range points { // the one that takes most
		r, err := (&attack.RegionBased{Classifier: e, Options: attack.Options{Workers: 1, MaxNodes: 60}}).Perturb(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if r.Nodes == 60 {
			x = p
			break
		}
	}
	truth := hard(t, e, x)
	for _, workers := range []int{1, 4} {
		perturb := func(o attack.Options) attack.Result {
			t.Helper()
			o.Workers = workers
			r, err := (&attack.RegionBased{Classifier: e, Options: o}).Perturb(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			checkInterval(t, e, x, r, truth)
			return r
		}
		early, last := 0, attack.Result{Distance: math.Inf(1)}
		for nodes := 1; !last.Optimal; nodes++ {
			r := perturb(attack.Options{MaxNodes: nodes})
			if workers == 1 && (r.Bound < last.Bound || r.Distance > last.Distance) {
				t.Errorf("%d nodes: %v ≤ radius ≤ %v, worse than %v, %v", nodes, r.Bound, r.Distance, last.Bound, last.Distance)
			}
			if r.Example == nil {
				t.Errorf("%d nodes: no example, though a first one comes with the root", nodes)
			}
			if !r.Optimal {
				early++
			}
			last = r
		}
		if early < 3 {
			t.Errorf("%d workers: only %d limits ended the search early", workers, early)
		}
		for _, timeout := range []time.Duration{1, 100 * time.Microsecond, time.Millisecond, time.Hour} {
			if r := perturb(attack.Options{Timeout: timeout}); r.Optimal != (timeout == time.Hour) && timeout < 1000 {
				t.Errorf("timeout %v: %+v", timeout, r)
			}
		}
		for gap := truth * 2; gap > truth/100; gap /= 2 {
			if r := perturb(attack.Options{Gap: gap}); r.Distance-r.Bound > gap*(1+1e-9) {
				t.Errorf("gap %v: %v ≤ radius ≤ %v", gap, r.Bound, r.Distance)
			}
		}
	}
}

// TestObliqueSolverTrouble has every n-th program refused, undecided, or given up: the attack
// fails or claims nothing wrong.
func TestObliqueSolverTrouble(t *testing.T) {
	e, points := bagged(t, 4, 5)
	refusal := errors.New("refused")
	failed, answered, despite := 0, 0, 0
	for _, x := range points[:6] {
		for _, c := range []classifier.Classifier{e, e.Tree(0)} {
			truth := hard(t, c, x)
			for _, trouble := range []error{refusal, polytope.ErrNumerical, nil} {
				for _, k := range []int64{1, 2, 3, 7, 20} {
					native := &polytope.Native{}
					var calls atomic.Int64
					solver := solverFunc(func(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
						if calls.Add(1)%k == 0 {
							return polytope.Solution{Status: polytope.StatusStopped, Distance: math.Inf(1)}, trouble
						}
						return native.Closest(ctx, p)
					})
					o := attack.Options{Workers: 1, Solver: solver, MaxNodes: 3000}
					r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), x)
					if err != nil {
						if failed++; !isNothing(r) || (trouble != nil && !errors.Is(err, trouble)) {
							t.Fatalf("%T, every %d-th program: %+v, %v, want %v", c, k, r, err, trouble)
						}
						continue
					}
					if answered++; trouble != nil && calls.Load() >= k {
						despite++
					}
					checkInterval(t, c, x, r, truth)
				}
			}
		}
	}
	if failed < 50 || answered < 20 || despite < 14 {
		t.Errorf("%d attacks failed, %d did not, %d of them in spite of trouble: want more", failed, answered, despite)
	}
}

// TestObliqueCancelled cancels at the n-th program.
func TestObliqueCancelled(t *testing.T) {
	e, points := bagged(t, 8, 10)
	for _, c := range []classifier.Classifier{e, e.Tree(0)} {
		truth := hard(t, c, points[0])
		for _, n := range []int64{1, 2, 3, 5, 20, 100} {
			for _, workers := range []int{1, 4} {
				ctx, cancel := context.WithCancel(t.Context())
				native := &polytope.Native{}
				var calls atomic.Int64
				stopping := solverFunc(func(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
					if calls.Add(1) == n {
						cancel()
					}
					return native.Closest(ctx, p)
				})
				o := attack.Options{Workers: workers, Solver: stopping}
				r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(ctx, points[0])
				cancel()
				if calls.Load() < n {
					continue // it was over before
				}
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%T, cancelled at program %d: error = %v, want context.Canceled", c, n, err)
				}
				checkInterval(t, c, points[0], r, truth)
			}
		}
	}
}

// TestApproxOblique tries the cells around training points: its best answer is the nearest of
// them, flips, and is no nearer than the exact one.
func TestApproxOblique(t *testing.T) {
	e, points := bagged(t, 3, 5)
	rows := mat.NewDense(len(points), 3, nil)
	for i, p := range points {
		rows.SetRow(i, p)
	}
	for _, c := range []interface {
		classifier.Locator
		classifier.Decomposable
	}{e, e.Tree(0)} {
		for i, x := range points[:20] {
			norm := norms[i%3]
			truth := hard(t, c, x)
			if norm != polytope.LInf {
				truth = 0
			}
			least := math.Inf(1)
			for _, p := range points {
				if c.Predict(p) == c.Predict(x) {
					continue
				}
				cell, err := c.CellAt(p)
				if err != nil {
					t.Fatal(err)
				}
				sol, err := new(polytope.Native).Closest(t.Context(), polytope.Problem{Norm: norm, X: x, Region: cell.Region})
				if err != nil {
					t.Fatal(err)
				}
				least = min(least, sol.Distance)
			}
			a := &attack.RegionBased{Classifier: c, Points: rows, Options: attack.Options{Mode: attack.Approx, Norm: norm}}
			r, err := a.Perturb(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			if r.Example == nil || c.Predict(r.Example) == c.Predict(x) || math.Abs(r.Distance-least) > 1e-9 || r.Distance < truth-1e-9 {
				t.Errorf("%T, point %d: %+v, want an example at %v, exact %v", c, i, r, least, truth)
			}
		}
	}
}

// TestObliqueExamplesFlipInExactArithmetic: an example must not owe its label to the way in
// which Predict rounds sums.
func TestObliqueExamplesFlipInExactArithmetic(t *testing.T) {
	e, points := bagged(t, 8, 5)
	for i, x := range points {
		for _, norm := range norms {
			r, err := (&attack.RegionBased{Classifier: e, Options: attack.Options{Norm: norm, Workers: 1}}).Perturb(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			sum := make([]float64, 2)
			for k := range e.Len() {
				nodes := e.Tree(k).Nodes()
				n := nodes[0]
				for n.Left >= 0 {
					exact := new(big.Rat)
					for j, w := range n.Weights {
						exact.Add(exact, new(big.Rat).Mul(rat(w), rat(r.Example[j])))
					}
					if exact.Cmp(rat(n.Threshold)) <= 0 {
						n = nodes[n.Left]
					} else {
						n = nodes[n.Right]
					}
				}
				sum[0] += n.Value[0]
				sum[1] += n.Value[1]
			}
			if label := r.Label; sum[label] < sum[1-label] {
				t.Errorf("point %d, norm %v: exact sums %v, Predict says %d", i, norm, sum, label)
			}
		}
	}
}

// TestObliqueExtremes attacks trees made of numbers of any size, which may fail but not claim
// anything wrong.
func TestObliqueExtremes(t *testing.T) {
	t.Parallel()
	answered := 0
	for number := range uint64(instance.Count(500, 2000)) {
		rng := rand.New(rand.NewPCG(number, 2000))
		size := func() float64 { return math.Ldexp(float64(rng.IntN(5)-2), rng.IntN(2000)-1000) }
		d := &obliqueTests{rng: rng, dim: 1 + rng.IntN(3), real: true}
		var trees []*classifier.ObliqueTree
		for range 1 + rng.IntN(3) {
			nodes := d.grow(2, func() []float64 { return []float64{rng.Float64(), rng.Float64()} })
			for i := range nodes {
				factor := size()
				for j := range nodes[i].Weights {
					if nodes[i].Weights[j] *= factor; rng.IntN(4) == 0 || math.IsInf(nodes[i].Weights[j], 0) {
						nodes[i].Weights[j] = size()
					}
				}
				if nodes[i].Threshold *= factor; rng.IntN(4) == 0 {
					nodes[i].Threshold = math.Inf(rng.IntN(3) - 1)
				}
			}
			tree, err := classifier.NewObliqueTree(d.dim, nodes)
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, tree)
		}
		e, err := classifier.NewObliqueEnsemble(trees, classifier.EnsembleOptions{})
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, d.dim)
		for j := range x {
			x[j] = size()
		}
		for _, c := range []classifier.Classifier{e, trees[0], listed{e}} {
			o := attack.Options{Norm: norms[number%3], Workers: 1, MaxNodes: 1000}
			r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), x)
			if err != nil {
				if !isNothing(r) {
					t.Fatalf("instance %d, %T: %+v with the error %v", number, c, r, err)
				}
				continue
			}
			if answered++; r.Bound > r.Distance || (r.Example != nil && c.Predict(r.Example) != r.Label) {
				t.Fatalf("instance %d, %T: %+v", number, c, r)
			}
		}
	}
	if answered < instance.Count(500, 2000) {
		t.Errorf("%d attacks answered, want more", answered)
	}
}

func ExampleRegionBased_oblique() {
	// Label 1 where x₀ + 2·x₁ > 3.
	t, err := classifier.NewObliqueTree(2, []classifier.ObliqueNode{
		{Weights: []float64{1, 2}, Threshold: 3, Left: 1, Right: 2, Value: []float64{1, 1}},
		{Left: -1, Right: -1, Value: []float64{1, 0}},
		{Left: -1, Right: -1, Value: []float64{0, 1}},
	})
	if err != nil {
		log.Fatal(err)
	}
	a := &attack.RegionBased{Classifier: t, Options: attack.Options{Norm: polytope.L1}}
	r, err := a.Perturb(context.Background(), []float64{0, 0})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f %d %v\n", r.Distance, r.Label, r.Optimal)
	// Output: 1.500 1 true
}

// TestObliqueExamplesFlipInAnyOrder sums many products backwards and in pairs: an example lies so
// far inside its cell that its label is the same.
func TestObliqueExamplesFlipInAnyOrder(t *testing.T) {
	const dim = 64
	for number := range uint64(racetest.Scale(300)) {
		rng := rand.New(rand.NewPCG(number, 2100))
		w, x := normals(rng, dim, 1), normals(rng, dim, 1)
		tree, err := classifier.NewObliqueTree(dim, []classifier.ObliqueNode{
			{Weights: w, Threshold: rng.NormFloat64(), Left: 1, Right: 2, Value: []float64{1, 1}},
			{Left: -1, Right: -1, Value: []float64{1, 0}},
			{Left: -1, Right: -1, Value: []float64{0, 1}},
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := (&attack.RegionBased{Classifier: tree, Options: attack.Options{Norm: norms[number%3]}}).Perturb(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		var backward, even, odd, fused float64
		for j := range w {
			backward += w[dim-1-j] * r.Example[dim-1-j]
			fused = math.FMA(w[j], r.Example[j], fused)
			if j%2 == 0 {
				even += w[j] * r.Example[j]
			} else {
				odd += w[j] * r.Example[j]
			}
		}
		for _, sum := range []float64{backward, even + odd, fused} {
			label := 0
			if sum > tree.Nodes()[0].Threshold {
				label = 1
			}
			if label != r.Label {
				t.Errorf("instance %d: sum %v, threshold %v: label %d, Predict says %d", number, sum, tree.Nodes()[0].Threshold, label, r.Label)
			}
		}
	}
}
