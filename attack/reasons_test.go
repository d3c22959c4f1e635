package attack_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// forces says of each set of units whether it forces the label: the knowledge of reasons by
// enumeration. Units are named by their first feature; of those that may be in a reason there are
// few.
type forces struct {
	units [][]int
	sets  []bool // by the bits of the units in it
}

// set returns the bits of features; false if they are not whole units.
func (f *forces) set(features []int) (bits int, ok bool) {
	n := 0
	for u, members := range f.units {
		if slices.Contains(features, members[0]) {
			bits |= 1 << u
			n += len(members)
			for _, j := range members {
				if !slices.Contains(features, j) {
					return 0, false
				}
			}
		}
	}
	return bits, n == len(features)
}

func (f *forces) weight(bits int, weights []float64) (sum float64) {
	for u, members := range f.units {
		if bits>>u&1 == 1 {
			sum++
			if weights != nil {
				sum += weights[members[0]] - 1
			}
		}
	}
	return sum
}

// minimal lists the sets that force the label, contain all of with and none of without, and of
// which none of the others can be left out.
func (f *forces) minimal(with, without int) (sets []int) {
	for s, forced := range f.sets {
		if !forced || s&with != with || s&without != 0 {
			continue
		}
		least := true
		for u := range f.units {
			if bit := 1 << u; s&bit&^with != 0 && f.sets[s&^bit] {
				least = false
			}
		}
		if least {
			sets = append(sets, s)
		}
	}
	return sets
}

// check compares the reasons of an attack with enumeration.
func (f *forces) check(
	t *testing.T, a attack.RegionBased, x []float64, rng *rand.Rand, fail func(string, ...any),
) {
	t.Helper()
	e := &explain.Explainer{
		Classifier: a.Classifier, Options: a.Options,
		Count: 1 + rng.IntN(4), Smallest: rng.IntN(2) == 0,
	}
	with, without := 0, 0
	for u, members := range f.units {
		switch rng.IntN(12) {
		case 0:
			e.With, with = append(e.With, members[rng.IntN(len(members))]), with|1<<u
		case 1:
			e.Without, without = append(e.Without, members[0]), without|1<<u
		}
	}
	if rng.IntN(3) == 0 {
		for range x {
			e.Weights = append(e.Weights, float64(1+rng.IntN(3))/2)
		}
	}
	reasons, err := e.Reasons(t.Context(), x)
	if err != nil {
		fail("%v", err)
	}
	left := f.minimal(with, without)
	for i, r := range reasons.Found {
		set, ok := f.set(r.Features)
		at := slices.Index(left, set)
		if !ok || at < 0 || r.Status != attack.StatusOptimal ||
			r.Weight != f.weight(set, e.Weights) {
			fail("%+v: reason %d is %+v, %b of %b", e, i, r, set, left)
		}
		lightest := slices.MinFunc(left, func(a, b int) int {
			return int(2*f.weight(a, e.Weights) - 2*f.weight(b, e.Weights))
		})
		if least := f.weight(lightest, e.Weights); r.Bound > least ||
			(e.Smallest && (r.Weight != least || !r.Smallest())) {
			fail("%+v: reason %d is %+v, the lightest weighs %v", e, i, r, least)
		}
		left = slices.Delete(left, at, at+1)
	}
	if all := len(reasons.Found) == e.Count; !all &&
		(len(left) > 0 || reasons.Status != attack.StatusNone || !math.IsInf(reasons.Bound, 1)) {
		fail("%+v: %+v, left are %b", e, reasons, left)
	}
}

// TestReasonsAgainstEnumeration compares reasons with all sets of features, for trees and ensembles
// with rules of all kinds.
func TestReasonsAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for k, kind := range instance.RuleKinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for number := range uint64(instance.Count(150, 8000)) {
				rng := rand.New(rand.NewPCG(number, uint64(100+k)))
				in := instance.DrawRuled(t, rng, kind, polytope.L1)
				a := attack.RegionBased{Classifier: in.C, Options: in.Options()}
				ruledForces(in).check(t, a, in.X, rng, func(format string, args ...any) {
					t.Helper()
					t.Fatalf("instance %d: %s\nx %v, from %d, target %v, domain %v\nrules %+v",
						number, fmt.Sprintf(format, args...), in.X, in.From, in.Target,
						in.Domain, in.Rules)
				})
			}
		})
	}
}

// ruledForces enumerates all inputs that the rules tell apart.
func ruledForces(in *instance.Ruled) *forces {
	var conflicts [][]int // first features of the units that an input of another label changes
	in.Nearest(func(changed []int) bool {
		conflicts = append(conflicts, slices.Clone(changed))
		return false
	})
	f := &forces{units: in.Units()}
	for s := range 1 << len(f.units) {
		forced := true
		for _, c := range conflicts {
			forced = forced && slices.ContainsFunc(c, func(j int) bool {
				u := slices.IndexFunc(f.units, func(m []int) bool { return m[0] == j })
				return u >= 0 && s>>u&1 == 1
			})
		}
		f.sets = append(f.sets, forced)
	}
	return f
}

// realForces asks of each set of real features whether it forces the label.
func realForces(x []float64, domain polytope.Box, answer func(q oracle.Ruled) bool) *forces {
	f := &forces{}
	for j := range x {
		f.units = append(f.units, []int{j})
	}
	for s := range 1 << len(x) {
		q := oracle.Ruled{Norm: oracle.Inf, X: x}
		for j, v := range x {
			side := polytope.Line()
			if domain != nil {
				side = domain[j]
			}
			if s>>j&1 == 1 {
				side = polytope.Interval{Lo: v, Hi: v}
			}
			q.Lo, q.Hi = append(q.Lo, side.Lo), append(q.Hi, side.Hi)
			q.Up, q.Down = append(q.Up, 1), append(q.Down, 1)
		}
		f.sets = append(f.sets, !answer(q))
	}
	return f
}

// TestReasonsOfNeighbors compares reasons of k-NN with exact arithmetic over all cells, of the
// searches of k-NN and of cells that are listed.
func TestReasonsOfNeighbors(t *testing.T) {
	t.Parallel()
	testReasonsOfNeighbors(t, 1, false)
	testReasonsOfNeighbors(t, 3, false)
}

// TestReasonsOfShares does the same where the label is that a class has a share of the neighbours.
func TestReasonsOfShares(t *testing.T) {
	t.Parallel()
	for k := 1; k < 5; k++ {
		testReasonsOfNeighbors(t, k, true)
	}
}

func testReasonsOfNeighbors(t *testing.T, k int, above bool) {
	t.Helper()
	t.Run(fmt.Sprint("k=", k), func(t *testing.T) {
		t.Parallel()
		for number := range uint64(instance.Count(25, 7000)) {
			rng := rand.New(rand.NewPCG(number, uint64(k)))
			in := instance.DrawNeighbors(rng)
			for len(in.X) < k || len(in.X) > 9-k || len(in.Query) > 3 { // the oracle takes long
				in = instance.DrawNeighbors(rng)
			}
			knn, vote := in.KNN(t, k), oracle.Plurality(in.Y)
			if above {
				knn, vote = in.Above(t, rng, k)
			}
			goal, ok := in.Goal(knn)
			if !ok || in.Box != nil && !in.Box.Contains(in.Query) {
				continue
			}
			var c classifier.Classifier = knn
			if rng.IntN(2) == 0 {
				c = instance.Listed{Decomposable: knn}
			}
			f := realForces(in.Query, in.Box, func(q oracle.Ruled) bool {
				return q.Vote(in.X, vote, k, goal) != nil
			})
			a := attack.RegionBased{Classifier: c, Options: attack.Options{
				Domain: in.Box, Target: in.Target,
			}}
			f.check(t, a, in.Query, rng, func(format string, args ...any) {
				t.Helper()
				t.Fatalf("instance %d, %T: %s\n%+v",
					number, c, fmt.Sprintf(format, args...), in)
			})
		}
	})
}

// TestReasonsOfOblique does the same for votes of oblique trees.
func TestReasonsOfOblique(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(40, 7000)) {
		rng := rand.New(rand.NewPCG(number, 7))
		dim, classes := 1+rng.IntN(3), 2+rng.IntN(2)
		var members []*classifier.ObliqueEnsemble
		var nodes [][]classifier.ObliqueNode
		for range 1 + rng.IntN(2) {
			own := instance.ObliqueNodes(rng, dim, classes, 2)
			for i := range own { // no two tests leave a single value: the oracle wants interiors
				own[i].Threshold += rng.Float64() / 8
			}
			nodes = append(nodes, own)
			members = append(members, instance.ObliqueTree(t, dim, nodes[len(nodes)-1]...))
		}
		x := make([]float64, dim)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		var c classifier.Classifier = members[0]
		if len(members) > 1 {
			c = instance.ObliqueVote(t, classifier.EnsembleOptions{}, members...)
		} else if rng.IntN(2) == 0 {
			c = instance.Listed{Decomposable: members[0]}
		}
		from := c.Predict(x)
		f := realForces(x, nil, func(q oracle.Ruled) bool {
			return reachesOblique(q, nodes, func(z []float64) bool { return c.Predict(z) != from })
		})
		f.check(t, attack.RegionBased{Classifier: c}, x, rng, func(format string, args ...any) {
			t.Helper()
			t.Fatalf("instance %d, %T: %s\nx %v, %+v",
				number, c, fmt.Sprintf(format, args...), x, nodes)
		})
	}
}

// reachesOblique goes through all tuples of leaves, one of each tree.
func reachesOblique(
	q oracle.Ruled, nodes [][]classifier.ObliqueNode, answers func(z []float64) bool,
) bool {
	var halves []oracle.Half
	var visit func(tree, node int) bool
	visit = func(tree, node int) bool {
		inside := q.Inside(halves)
		switch {
		case inside == nil:
			return false
		case tree == len(nodes):
			return answers(inside)
		}
		n := nodes[tree][node]
		if n.Left < 0 {
			return visit(tree+1, 0)
		}
		opposite := slices.Clone(n.Weights)
		for j := range opposite {
			opposite[j] = -opposite[j]
		}
		depth := len(halves)
		halves = append(halves, oracle.HalfOf(n.Weights, n.Threshold, true))
		found := visit(tree, n.Left)
		halves = append(halves[:depth], oracle.HalfOf(opposite, -n.Threshold, false))
		found = found || visit(tree, n.Right)
		halves = halves[:depth]
		return found
	}
	return visit(0, 0)
}

// TestReasonsOfWeightedNeighbors checks reasons of weighted k-NN, which has no cells, against
// many inputs.
func TestReasonsOfWeightedNeighbors(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(10, 1000)) {
		rng := rand.New(rand.NewPCG(number, 9))
		in := instance.DrawPoints(rng, 6, 2)
		c, err := classifier.TrainWeightedKNN(t.Context(), instance.Dense(in.X), in.Y,
			classifier.KNNOptions{K: 3})
		if err != nil {
			t.Fatal(err)
		}
		a := &attack.RegionBased{Classifier: c, Options: attack.Options{
			Domain: polytope.Cube(2, -1, 7), MaxNodes: 3000,
		}}
		explainer := &explain.Explainer{Classifier: a.Classifier, Options: a.Options}
		found, err := explainer.Reasons(t.Context(), in.Query)
		if err != nil {
			t.Fatalf("instance %d: %v", number, err)
		}
		from := c.Predict(in.Query)
		for range 300 {
			z := []float64{8*rng.Float64() - 1, 8*rng.Float64() - 1}
			for _, j := range found.Found[0].Features {
				z[j] = in.Query[j]
			}
			if got := c.Predict(z); got != from {
				t.Fatalf("instance %d: %+v forces %d at %v, and %v has %d",
					number, found.Found[0], from, in.Query, z, got)
			}
		}
		if math.IsNaN(found.Found[0].Weight) || found.Found[0].Features == nil {
			t.Fatalf("instance %d: %+v", number, found)
		}
	}
}

// TestExplainersAreChecked: options without a meaning are refused by a sentence.
func TestExplainersAreChecked(t *testing.T) {
	t.Parallel()
	ctx, c := t.Context(), instance.Line(t, 0, 1)
	for name, e := range map[string]explain.Explainer{
		"count":    {Count: -1},
		"weights":  {Weights: []float64{1, 1}},
		"weight":   {Weights: []float64{0}},
		"with":     {With: []int{1}},
		"without":  {Without: []int{-1}},
		"both":     {With: []int{0}, Without: []int{0}},
		"timeout":  {Options: attack.Options{Timeout: -1}},
		"features": {Options: attack.Options{Features: make([]attack.Feature, 2)}},
	} {
		e.Classifier = c
		if _, err := e.Reasons(ctx, []float64{0}); !errors.Is(err, classifier.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
	e := &explain.Explainer{Classifier: c, Tries: 1}
	if _, err := e.LabelBox(ctx, []float64{0}); !errors.Is(err, classifier.ErrOption) {
		t.Errorf("tries: %v", err)
	}
	if _, err := e.Reasons(ctx, []float64{math.NaN()}); !errors.Is(err, polytope.ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
}

// TestReasonsAtLimits: a limit leaves a set that forces the label, and names the features that it
// left open.
func TestReasonsAtLimits(t *testing.T) {
	t.Parallel()
	open := 0
	for number := range uint64(instance.Count(100, 3000)) {
		rng := rand.New(rand.NewPCG(number, 11))
		in := instance.DrawRuled(t, rng, "integer", polytope.L1)
		f := ruledForces(in)
		a := attack.RegionBased{Classifier: in.C, Options: in.Options()}
		a.MaxNodes = 1
		explainer := &explain.Explainer{
			Classifier: a.Classifier, Options: a.Options, Count: 2, Smallest: rng.IntN(2) == 0,
		}
		reasons, err := explainer.Reasons(t.Context(), in.X)
		if err != nil {
			t.Fatal(err)
		}
		least := math.Inf(1)
		for s, forced := range f.sets {
			if forced {
				least = min(least, f.weight(s, nil))
			}
		}
		if reasons.Status == attack.StatusLimit {
			open++
		}
		if len(reasons.Found) == 0 &&
			(reasons.Bound > least || reasons.Status == attack.StatusNone && least < math.Inf(1)) {
			t.Fatalf("instance %d: %+v, the lightest weighs %v", number, reasons, least)
		}
		for _, r := range reasons.Found[:min(1, len(reasons.Found))] {
			set, ok := f.set(r.Features)
			switch {
			case r.Bound > least:
				t.Fatalf("instance %d: %+v, the lightest weighs %v", number, r, least)
			case !ok || !f.sets[set]:
				t.Fatalf("instance %d: %+v does not force the label", number, r)
			case r.Status == attack.StatusOptimal && !slices.Contains(f.minimal(0, 0), set):
				t.Fatalf("instance %d: %+v is not minimal", number, r)
			}
			if r.Status == attack.StatusLimit {
				open++
			}
		}
	}
	if open == 0 {
		t.Error("no limit was met")
	}
}

// TestReasonsEnd: a context that is cancelled is an error, a deadline is none.
func TestReasonsEnd(t *testing.T) {
	t.Parallel()
	c := instance.DrawPoints(rand.New(rand.NewPCG(1, 1)), 30, 2).KNN(t, 3)
	x := []float64{2.3, 3.1}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := &explain.Explainer{Classifier: c}
	if _, err := e.Reasons(ctx, x); !errors.Is(err, context.Canceled) {
		t.Errorf("Reasons: %v", err)
	}
	if _, err := e.LabelBox(ctx, x); !errors.Is(err, context.Canceled) {
		t.Errorf("LabelBox: %v", err)
	}
	e.Timeout, e.Smallest = time.Nanosecond, true
	found, err := e.Reasons(t.Context(), x)
	if err != nil || found.Found[0].Status != attack.StatusLimit {
		t.Errorf("%+v, %v, want a limit", found, err)
	}
	box, err := e.LabelBox(t.Context(), x)
	if err != nil || len(box.Undecided) != 2 || !box.Box.Contains(x) {
		t.Errorf("%+v, %v, want a limit", box, err)
	}
}
