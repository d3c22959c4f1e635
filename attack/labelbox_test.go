package attack_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestLabelBoxAgainstEnumeration checks that boxes of trees hold, by enumeration of the inputs in
// them, and that each end, moved by a float64 or to the next grid value, lets another label in.
func TestLabelBoxAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for k, kind := range instance.RuleKinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			grown := 0
			n := instance.Count(100, 4000)
			for number := range uint64(n) {
				rng := rand.New(rand.NewPCG(number, uint64(200+k)))
				in := instance.DrawRuled(t, rng, kind, polytope.L1)
				a := attack.RegionBased{Classifier: in.C, Options: in.Options()}
				explainer := &explain.Explainer{Classifier: a.Classifier, Options: a.Options}
				if in.Domain != nil {
					explainer.Tries = rng.IntN(3)
				}
				b, err := explainer.LabelBox(t.Context(), in.X)
				if err == nil {
					err = checkRuledBox(in, b)
				}
				if err != nil {
					t.Fatalf("instance %d: %v\n%+v\nx %v, from %d, target %v, domain %v\nrules %+v",
						number, err, b, in.X, in.From, in.Target, in.Domain, in.Rules)
				}
				if b.Box != nil {
					grown++
				}
			}
			if grown < n/4 {
				t.Errorf("%d boxes of %d instances", grown, n)
			}
		})
	}
}

func checkRuledBox(in *instance.Ruled, b explain.LabelBox) error {
	any := func([]int) bool { return true }
	none := math.Inf(1)
	if b.Box == nil {
		if f := ruledForces(in); f.sets[len(f.sets)-1] {
			return fmt.Errorf("no box")
		}
		return nil
	}
	within := func(box polytope.Box, fixed []int) float64 {
		w := *in
		w.Domain, w.Rules = box, slices.Clone(in.Rules)
		for _, j := range fixed {
			w.Rules[j].Frozen = true
		}
		return w.Nearest(any)
	}
	if at := within(b.Box, b.Fixed); at < none || len(b.Undecided) > 0 {
		return fmt.Errorf("another label at %v", at)
	}
	for _, members := range in.Units() {
		j := members[0]
		if slices.Contains(b.Fixed, j) {
			others := slices.DeleteFunc(slices.Clone(b.Fixed),
				func(i int) bool { return slices.Contains(members, i) })
			if within(b.Box, others) == none {
				return fmt.Errorf("feature %d is fixed", j)
			}
			continue
		}
		for _, sign := range [...]float64{1, -1} {
			wide, ok := wider(in, b.Box, j, sign)
			if ok && within(wide, b.Fixed) == none {
				return fmt.Errorf("feature %d could be wider: %v", j, wide[j])
			}
		}
	}
	return nil
}

// wider returns a box with an end moved by as little as there are inputs between; false where the
// domain ends.
func wider(in *instance.Ruled, box polytope.Box, j int, sign float64) (polytope.Box, bool) {
	box = slices.Clone(box)
	end := &box[j].Hi
	if sign < 0 {
		end = &box[j].Lo
	}
	f := in.Rules[j]
	if math.IsInf(*end, 0) {
		return nil, false
	}
	next := math.Nextafter(*end, math.Inf(int(sign)))
	if f.Step > 0 {
		at := math.Round((*end - f.Origin) / f.Step)
		for next = *end; sign*next <= sign**end+1e-6*f.Step; at += sign {
			next = f.Origin + at*f.Step
		}
	}
	if f.Group > 0 || f.Categorical ||
		in.Domain != nil && !in.Domain[j].Contains(next) {
		return nil, false
	}
	*end = next
	return box, true
}

// TestLabelBoxOfNeighbors checks boxes of k-NN by exact arithmetic: they hold, and a little
// beyond each end there is another label.
func TestLabelBoxOfNeighbors(t *testing.T) { testLabelBoxOfNeighbors(t, false) }

// TestLabelBoxOfShares does the same where the label is that a class has a share of the neighbours.
func TestLabelBoxOfShares(t *testing.T) { testLabelBoxOfNeighbors(t, true) }

func testLabelBoxOfNeighbors(t *testing.T, above bool) {
	t.Helper()
	t.Parallel()
	for number := range uint64(instance.Count(15, 2000)) {
		rng := rand.New(rand.NewPCG(number, 5))
		k := 1 + 2*rng.IntN(2)
		in := instance.DrawNeighbors(rng)
		for len(in.X) < k || len(in.X) > 9-k || len(in.Query) > 2 {
			in = instance.DrawNeighbors(rng)
		}
		if in.Box != nil && !in.Box.Contains(in.Query) {
			continue
		}
		c, vote := in.KNN(t, k), oracle.Plurality(in.Y)
		if above {
			c, vote = in.Above(t, rng, k)
		}
		goal := oracle.Except(c.Predict(in.Query))
		a := attack.RegionBased{Classifier: c, Options: attack.Options{Domain: in.Box}}
		explainer := &explain.Explainer{Classifier: a.Classifier, Options: a.Options}
		b, err := explainer.LabelBox(t.Context(), in.Query)
		if err != nil {
			t.Fatalf("instance %d: %v", number, err)
		}
		answers := func(box polytope.Box) bool {
			q := oracle.Ruled{Norm: oracle.Inf, X: in.Query}
			for _, i := range box {
				q.Lo, q.Hi = append(q.Lo, i.Lo), append(q.Hi, i.Hi)
				q.Up, q.Down = append(q.Up, 1), append(q.Down, 1)
			}
			return q.Vote(in.X, vote, k, goal) != nil
		}
		if answers(b.Box) {
			t.Fatalf("instance %d: another label in %v\n%+v", number, b.Box, in)
		}
		for j, i := range b.Box {
			if slices.Contains(b.Undecided, j) { // cells beyond it are too thin for an example
				continue
			}
			for _, wide := range []polytope.Interval{
				{Lo: i.Lo, Hi: i.Hi + 1e-5*max(1, i.Hi-in.Query[j])},
				{Lo: i.Lo - 1e-5*max(1, in.Query[j]-i.Lo), Hi: i.Hi},
			} {
				box := slices.Clone(b.Box)
				if box[j] = wide; in.Box != nil {
					box[j] = geometry.Intersect(wide, in.Box[j])
				}
				if box[j] != i && !answers(box) {
					t.Fatalf("instance %d: %v could be wider: %v\n%+v", number, i, box[j], in)
				}
			}
		}
	}
}

// TestProofOfABoxOutsideTheDomain: a frozen feature stays where it is, in the domain or not, so the
// box of a row that lies outside the domain there is proven like any other.
func TestProofOfABoxOutsideTheDomain(t *testing.T) {
	leaf := func(label int) classifier.TreeNode {
		n := classifier.TreeNode{Feature: -1, Left: -1, Right: -1, Value: []float64{0, 0}}
		n.Value[label] = 1
		return n
	}
	c, err := classifier.NewTree(2, classifier.AtMostFloat64, []classifier.TreeNode{
		{Feature: 0, Threshold: 1, Left: 1, Right: 2, Value: []float64{1, 1}}, leaf(0), leaf(1),
	})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	a := attack.RegionBased{Classifier: c, Options: attack.Options{
		Domain:   polytope.Cube(2, 0, 4),
		Features: []attack.Feature{{}, {Frozen: true}},
		Proof:    proof.NewWriter(&text),
	}}
	explainer := &explain.Explainer{Classifier: a.Classifier, Options: a.Options}
	box, err := explainer.LabelBox(t.Context(), []float64{0.5, 9})
	if err != nil || box.Box == nil || text.Len() == 0 {
		t.Errorf("%d bytes, %v: the box is %v", text.Len(), err, box.Box)
	}
}

// TestLabelBoxBesideTheGrid: a box may end between two values of a feature with steps, so close to
// the one outside that a domain which ended there would hold it. That is no value of the box.
func TestLabelBoxBesideTheGrid(t *testing.T) {
	leaf := func(lead float64) classifier.TreeNode {
		return classifier.TreeNode{Feature: -1, Left: -1, Right: -1, Value: []float64{0, lead}}
	}
	test := func(threshold float64, left, right int) classifier.TreeNode {
		return classifier.TreeNode{
			Threshold: threshold, Left: left, Right: right, Value: []float64{1, 1},
		}
	}
	before := math.Nextafter(3, 0)
	tree, err := classifier.NewTree(1, classifier.AtMostFloat64, []classifier.TreeNode{
		test(-1.5, 1, 2), leaf(0), // a tie, which rounding may hide
		test(math.Nextafter(2, 3), 3, 4), leaf(-1),
		test(before, 5, 6), leaf(1), leaf(1),
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := classifier.NewEnsemble([]*classifier.Tree{tree},
		classifier.EnsembleOptions{Vote: classifier.SumVote})
	if err != nil {
		t.Fatal(err)
	}
	a := attack.RegionBased{Classifier: c, Options: attack.Options{
		Features: []attack.Feature{{Step: 1}}, Domain: polytope.Cube(1, -5, 5),
	}}
	explainer := &explain.Explainer{Classifier: a.Classifier, Options: a.Options}
	b, err := explainer.LabelBox(t.Context(), []float64{0})
	want := polytope.Box{{Lo: -5, Hi: before}}
	if err != nil || !slices.Equal(b.Box, want) || len(b.Undecided) > 0 {
		t.Errorf("%+v, %v, want %v", b, err, want)
	}
}

// wide is a vote of 50 trees of depth 6 over 784 features, as pictures have, and an input.
func wide(tb testing.TB) (*classifier.Ensemble, []float64) {
	rng := rand.New(rand.NewPCG(40, 8))
	const dim = 784
	var trees []*classifier.Tree
	for range 50 {
		var nodes []classifier.TreeNode
		var branch func(depth int) int
		branch = func(depth int) int {
			at := len(nodes)
			nodes = append(nodes, classifier.TreeNode{
				Feature: -1, Left: -1, Right: -1, Value: []float64{rng.NormFloat64(), 0},
			})
			if depth > 0 {
				n := classifier.TreeNode{
					Feature: rng.IntN(dim), Threshold: rng.Float64(), Value: nodes[at].Value,
				}
				n.Left = branch(depth - 1)
				n.Right = branch(depth - 1)
				nodes[at] = n
			}
			return at
		}
		branch(6)
		t, err := classifier.NewTree(dim, classifier.AtMostFloat64, nodes)
		if err != nil {
			tb.Fatal(err)
		}
		trees = append(trees, t)
	}
	e, err := classifier.NewEnsemble(trees, classifier.EnsembleOptions{Vote: classifier.SumVote})
	if err != nil {
		tb.Fatal(err)
	}
	x := make([]float64, dim)
	for j := range x {
		x[j] = rng.Float64()
	}
	return e, x
}

// TestLabelBoxCompilesOnce: a box of many features takes the memory of its questions, not that of
// compiling the rules of all features for each of them, which was 58 GB.
func TestLabelBoxCompilesOnce(t *testing.T) {
	e, x := wide(t)
	a := attack.RegionBased{Classifier: e, Options: attack.Options{Workers: 1}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	explainer := &explain.Explainer{Classifier: a.Classifier, Options: a.Options}
	if _, err := explainer.LabelBox(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 200<<20 {
		t.Errorf("%d MB", took>>20)
	}
}
