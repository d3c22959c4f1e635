package attack_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestProveSmall proves bounds of small random ensembles and trees: targets, domains, ties,
// float32 sums, thresholds beside each other, limits.
func TestProveSmall(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(400, 20000)) {
		rng := rand.New(rand.NewPCG(number, 301))
		in := instance.DrawEnsemble(t, rng)
		o := attack.Options{
			Norm:    instance.Norms()[number%3],
			Target:  in.Target,
			Domain:  in.Box,
			Workers: 1 + rng.IntN(2),
		}
		switch rng.IntN(5) {
		case 0:
			o.MaxNodes = 1 + rng.IntN(6)
		case 1:
			o.MaxMemory = 512 * (1 + rng.IntN(3))
		case 2:
			o.Gap = 0.1
		case 3:
			o.MaxNodes, o.MaxMemory = 3, 2*512
		}
		saved(t, in.Ensemble).proveOrNot(t, o, in.Query)
		tree := instance.DrawTree(t, rng)
		o = attack.Options{Norm: o.Norm, Target: tree.Target, Domain: tree.Box, Workers: 1}
		saved(t, tree.Tree).proveOrNot(t, o, tree.Query)
	}
}

// proveOrNot is prove for what may have no proof: a target that x has already, domains without
// a float64 or with open ends, softmax votes that differ by nothing but exponentials.
func (n *notary) proveOrNot(t *testing.T, o attack.Options, x []float64) {
	t.Helper()
	a := &attack.RegionBased{Classifier: n.c, Options: o}
	r, err := instance.Prove(t.Context(), a, x, io.Discard)
	switch open := !closed(o.Domain); {
	case errors.Is(err, attack.ErrTarget), errors.Is(err, classifier.ErrOption):
	case open || err != nil:
		if open != errors.Is(err, errors.ErrUnsupported) ||
			(!open && (!softmax(n.c) || !errors.Is(err, attack.ErrUnproven) || r.Bound == 0)) {
			t.Fatalf("norm %v, domain %v, x = %v: %+v, %v", o.Norm, o.Domain, x, r, err)
		}
	default:
		n.prove(t, o, x)
	}
}

// closed reports whether all finite ends of a box are.
func closed(domain polytope.Box) bool {
	for _, i := range domain {
		if (i.LoOpen && !math.IsInf(i.Lo, 0)) || (i.HiOpen && !math.IsInf(i.Hi, 0)) {
			return false
		}
	}
	return true
}

func softmax(c classifier.Classifier) bool {
	e, ok := c.(interface {
		Options() classifier.EnsembleOptions
	})
	return ok && e.Options().Vote == classifier.SoftmaxVote
}

// TestProveSmallOblique does the same for oblique trees, whose weights round or do not.
func TestProveSmallOblique(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(300, 10000)) {
		rng := rand.New(rand.NewPCG(number, 302))
		dim, classes, rounds := 1+rng.IntN(3), 2+rng.IntN(2), number%2 == 0
		draw := func(whole float64) float64 {
			if rounds {
				return rng.NormFloat64()
			}
			return whole
		}
		var members []*classifier.ObliqueEnsemble
		for range 1 + rng.IntN(4) {
			nodes := instance.ObliqueNodes(rng, dim, classes, 1+rng.IntN(3))
			for i := range nodes {
				for j, w := range nodes[i].Weights {
					nodes[i].Weights[j] = draw(w)
				}
			}
			members = append(members, instance.ObliqueTree(t, dim, nodes...))
		}
		x := make([]float64, dim)
		for j := range x {
			x[j] = draw(float64(rng.IntN(9)-4) / 2)
		}
		o := attack.Options{Norm: instance.Norms()[number%3], Workers: 1 + rng.IntN(2)}
		switch rng.IntN(4) {
		case 0:
			o.Domain = polytope.Cube(dim, -2.5, 2+rng.Float64())
		case 1:
			o.MaxNodes = 1 + rng.IntN(4)
		case 2:
			o.Target = new(rng.IntN(classes))
		}
		saved(t, instance.ObliqueVote(t, instance.DrawVote(rng, classes), members...)).proveOrNot(t,
			o, x)
		saved(t, members[0]).proveOrNot(t, o, x)
	}
}

// TestProveRobustAt: what RobustAt affirms has a proof beyond the radius, what it denies none.
func TestProveRobustAt(t *testing.T) {
	c := fixture.Halfmoon(t)
	forest, tree := saved(t, instance.ReadForest(t, c, "rf")), saved(t,
		instance.ReadTree(t, c, "dt"))
	for _, n := range []*notary{forest, tree} {
		robust := 0
		for i, x := range c.Points(t)["rf"].X[:20] {
			o := attack.Options{Norm: instance.Norms()[i%3]}
			a := &attack.RegionBased{Classifier: n.c, Options: o}
			r, err := a.Perturb(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			for _, radius := range []float64{
				0, 0.01, r.Bound / 2, math.Nextafter(r.Bound, 0), r.Bound, 2 * r.Bound,
			} {
				var w bytes.Buffer
				got, err := instance.ProveRobustAt(t.Context(), a, x, radius, &w)
				want, plain := verdictAt(t.Context(), a, x, radius)
				if got != want || err != nil || plain != nil ||
					(w.Len() > 0) != (got == attack.Holds && radius > 0) {
					t.Fatalf("radius %v of %v: %v, %v, RobustAt %v, %v, %d bytes of proof",
						radius, r.Bound, got, err, want, plain, w.Len())
				}
				if w.Len() > 0 {
					robust++
					n.check(t, o, x, attack.Result{Bound: math.Nextafter(radius, 1)}, w.Bytes())
				}
			}
		}
		if robust < 30 {
			t.Errorf("%d proofs, want more", robust)
		}
	}
}

// TestProveLimits: a limit, and a deadline that has passed, leave a proof of the bound that was
// reached.
func TestProveLimits(t *testing.T) {
	c := fixture.Halfmoon(t)
	n, points := saved(t, instance.ReadForest(t, c, "rf")), c.Points(t)["rf"].X
	proven := 0
	for i, x := range points[:6] {
		o := attack.Options{Norm: instance.Norms()[i%3], Workers: 1}
		for nodes := 1; nodes < 40; nodes += 6 {
			o.MaxNodes = nodes
			if r, text := n.prove(t, o, x); !r.Optimal() && len(text) > 0 {
				proven++
			}
		}
		for _, timeout := range []time.Duration{1, 200 * time.Microsecond, time.Millisecond} {
			n.prove(t, attack.Options{Norm: o.Norm, Timeout: timeout}, x)
		}
	}
	if proven < 5 {
		t.Errorf("%d proofs of bounds at limits, want more", proven)
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(2*time.Millisecond))
	defer cancel()
	var w bytes.Buffer
	r, err := instance.Prove(ctx, &attack.RegionBased{Classifier: n.c}, points[0], &w)
	if err != nil {
		t.Fatal(err)
	}
	if w.Len() > 0 {
		n.check(t, attack.Options{}, points[0], r, w.Bytes())
	}
}

// failing is a writer that fails.
type failing struct{ err error }

func (b failing) Write([]byte) (int, error) { return 0, b.err }

func TestProveErrors(t *testing.T) {
	knn := instance.Line(t, 0, 1)
	in := instance.DrawTree(t, rand.New(rand.NewPCG(1, 1)))
	tree, err := classifier.NewTree(1, classifier.AtMostFloat64, []classifier.TreeNode{
		{Threshold: 0.5, Left: 1, Right: 2, Value: []float64{1, 1}},
		{Left: -1, Right: -1, Value: []float64{1, 0}}, {
			Left:  -1,
			Right: -1,
			Value: []float64{0, 1},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	tests := []struct {
		name string
		a    *attack.RegionBased
		x    []float64
		w    io.Writer
		want error
	}{
		{"cells", &attack.RegionBased{Classifier: instance.Listed{Decomposable: knn}}, []float64{0},
			io.Discard, errors.ErrUnsupported},
		{"an open domain",
			&attack.RegionBased{
				Classifier: tree,
				Options:    attack.Options{Domain: polytope.Box{{Lo: 0, Hi: 0.5, HiOpen: true}}},
			}, []float64{0}, io.Discard, errors.ErrUnsupported},
		{
			"approx", &attack.RegionBased{
				Classifier: knn,
				Options:    attack.Options{Mode: attack.Approx},
			}, []float64{0}, io.Discard, classifier.ErrOption,
		},
		{"a point of another dimension", &attack.RegionBased{Classifier: in.Tree}, nil, io.Discard,
			polytope.ErrDimension},
		{"a writer that fails", &attack.RegionBased{Classifier: tree}, []float64{0}, failing{full},
			full},
	}
	for _, test := range tests {
		r, err := instance.Prove(t.Context(), test.a, test.x, test.w)
		_, robust := instance.ProveRobustAt(t.Context(), test.a, test.x, 0.25, test.w)
		if !errors.Is(err, test.want) || !errors.Is(robust, test.want) {
			t.Errorf("%s: error = %v, %v, want %v", test.name, err, robust, test.want)
		}
		if test.want != full && !instance.IsNothing(r) {
			t.Errorf("%s: result = %+v, want one that claims nothing", test.name, r)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var w strings.Builder
	a := &attack.RegionBased{Classifier: tree}
	if _, err := instance.Prove(ctx, a, []float64{0}, &w); !errors.Is(err, context.Canceled) ||
		w.Len() > 0 {
		t.Errorf("cancelled: error = %v, and %q", err, w.String())
	}
}
