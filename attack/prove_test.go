package attack_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// notary holds the files that proofs about a classifier are checked against.
type notary struct {
	c     classifier.Classifier
	model *proof.Model
	head  []byte // the first two lines of a file
}

// newNotary reads the model as its own library has written it.
func newNotary(t testing.TB, c classifier.Classifier, file []byte) *notary {
	t.Helper()
	m, err := proof.ReadModel(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var head bytes.Buffer
	if _, err := proof.NewWriter(&head, sha256.Sum256(file)).Write(nil); err != nil {
		t.Fatal(err)
	}
	return &notary{c, m, head.Bytes()}
}

// saved reads the model as facet writes it.
func saved(t testing.TB, c classifier.Classifier) *notary {
	t.Helper()
	var file bytes.Buffer
	if err := classifier.Save(&file, c); err != nil {
		t.Fatal(err)
	}
	return newNotary(t, c, file.Bytes())
}

// prove attacks x, compares the result with that of Perturb, and checks the proof. It returns
// the proof.
func (n *notary) prove(t testing.TB, o attack.Options, x []float64) (r attack.Result, text []byte) {
	t.Helper()
	a := &attack.RegionBased{Classifier: n.c, Options: o}
	var w bytes.Buffer
	r, err := instance.Prove(t.Context(), a, x, &w)
	if err != nil {
		t.Fatalf("norm %v, x = %v: %v", o.Norm, x, err)
	}
	if o.Timeout == 0 && (o.Workers == 1 || (o.MaxNodes == 0 && o.MaxMemory == 0 && o.Gap == 0)) {
		plain, err := a.Perturb(t.Context(), x)
		if o.Workers != 1 {
			plain.Nodes, plain.Solves = r.Nodes, r.Solves
		}
		if err != nil || (!reflect.DeepEqual(plain, r) && !n.relaxed(o, plain, r)) {
			t.Fatalf("norm %v, x = %v: Prove = %+v, Perturb = %+v, %v", o.Norm, x, r, plain, err)
		}
	}
	if (w.Len() == 0) != (r.Bound == 0) {
		t.Fatalf("norm %v, x = %v: %d bytes of proof for the bound %v", o.Norm, x, w.Len(), r.Bound)
	}
	if w.Len() > 0 {
		n.check(t, o, x, r, w.Bytes())
	}
	return r, w.Bytes()
}

// relaxed reports whether results may differ because Perturb opens other nodes, in ℓ1 and ℓ2 by
// potentials, of ensembles of several classes without the trees of others: at a limit, or in their
// last digits.
func (n *notary) relaxed(o attack.Options, plain, r attack.Result) bool {
	e, ensemble := n.c.(*classifier.Ensemble)
	limited := o.MaxNodes != 0 && !(plain.Optimal() && r.Optimal())
	near := func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-12 }
	same := plain.Optimal() && r.Optimal() && near(plain.Distance, r.Distance) &&
		near(plain.Bound, r.Bound)
	return (o.Norm != polytope.LInf || ensemble && e.Classes() > 2) && (limited || same)
}

// check checks the proof of a result.
func (n *notary) check(t testing.TB, o attack.Options, x []float64, r attack.Result, text []byte) {
	t.Helper()
	claims := 0
	err := proof.Check(io.MultiReader(bytes.NewReader(n.head), bytes.NewReader(text)),
		n.model, func(c proof.Claim) error {
			claims++
			switch {
			case !reflect.DeepEqual(c.X, x), c.Norm != o.Norm.String(), c.From != n.c.Predict(x),
				(c.Domain == nil) != (o.Domain == nil):
				return fmt.Errorf("another question: %+v", c)
			case (o.Target == nil && c.Target >= 0) || (o.Target != nil && c.Target != *o.Target):
				return fmt.Errorf("target %d, want %v", c.Target, o.Target)
			case !(c.Bound <= r.Bound && c.Bound >= r.Bound*(1-1e-12)):
				return fmt.Errorf("claims %v, want %v", c.Bound, r.Bound)
			case r.Optimal() && r.Example != nil && c.Example != nil && !c.Settled:
				return fmt.Errorf("an optimal result is not settled: %+v", c)
			}
			return nil
		})
	if err != nil || claims != 1 {
		t.Fatalf("norm %v, x = %v, %+v: %d claims: %v\n%s",
			o.Norm, x, r, claims, err, text[:min(len(text), 2000)])
	}
}

// TestProveFixtures proves the known bounds of the paper's trees and forests.
func TestProveFixtures(t *testing.T) {
	t.Parallel()
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		t.Parallel()
		for _, name := range []string{"dt", "dt.pruned30", "rf", "rf.pruned30"} {
			file, err := io.ReadAll(c.Model(t, name))
			if err != nil {
				t.Fatal(err)
			}
			e := instance.ReadForest(t, c, name)
			n := newNotary(t, e, file)
			points := c.Points(t)[strings.TrimSuffix(name, ".pruned30")].X
			for _, norm := range instance.Norms() {
				for _, x := range points[:instance.Count(1, len(points))] {
					if r, _ := n.prove(t, attack.Options{Norm: norm, Workers: 1}, x); !r.Optimal() {
						t.Errorf("%s, norm %v, x = %v: %+v, want a proof", name, norm, x, r)
					}
				}
			}
			tree := saved(t, e.Tree(0))
			for i := range instance.Count(3, len(points)) {
				tree.prove(t, attack.Options{Norm: instance.Norms()[i%3], Workers: 1}, points[i])
			}
		}
	})
}

// TestProveModels proves bounds for the models of other libraries, at a limit if need be.
func TestProveModels(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("..", "internal", "modelfile", "testdata")
	files, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c, err := classifier.Read[classifier.Classifier](bytes.NewReader(file),
			classifier.ReadOptions{})
		if err != nil {
			continue // predictions are not a model
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			n, rng := newNotary(t, c, file), rand.New(rand.NewPCG(12, 1))
			for _, norm := range instance.Norms() {
				for range instance.Count(2, 20) {
					x := make([]float64, c.Dim())
					for j := range x {
						x[j] = rng.NormFloat64()
					}
					n.proveOrNot(t, attack.Options{Norm: norm, Workers: 1, MaxNodes: 3000}, x)
				}
			}
		})
	}
}

// TestProveOblique proves bounds for oblique trees that are trained on data.
func TestProveOblique(t *testing.T) {
	t.Parallel()
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		for _, trees := range []int{1, 4} {
			o := classifier.ObliqueOptions{Trees: trees, MaxDepth: 3, Restarts: 1, Jumps: 1}
			e, err := classifier.TrainOblique(t.Context(), c.Set.Train, c.Set.TrainY, o)
			if err != nil {
				t.Fatal(err)
			}
			one := saved(t, instance.ObliqueTree(t, e.Dim(), e.Tree(0)...))
			all, points := saved(t, e), c.Points(t)["1nn"].X
			for _, norm := range instance.Norms() {
				for _, x := range points[:instance.Count(1, 40)] {
					all.prove(t, attack.Options{Norm: norm, Workers: 1}, x)
					one.prove(t, attack.Options{Norm: norm, Workers: 1}, x)
				}
			}
		}
	})
}

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

// proveOrNot is prove for bounds that may have no proof: a target that x has already, domains
// without a float64 or with open ends, softmax votes that differ by exponentials alone.
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

// TestProveRobustAt: a radius that RobustAt affirms has a proof beyond it, one that it denies none.
// Of several radii the largest that it affirms has.
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
			radii := []float64{
				0, 0.01, r.Bound / 2, math.Nextafter(r.Bound, 0), r.Bound, 2 * r.Bound,
			}
			n.checkLargest(t, a, x, radii)
			for _, radius := range radii {
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

// checkLargest checks the proof of several radii, of which some hold.
func (n *notary) checkLargest(t *testing.T, a *attack.RegionBased, x, radii []float64) {
	t.Helper()
	var w bytes.Buffer
	all := *a
	all.Proof = proof.NewWriter(&w)
	r, err := all.RobustAt(t.Context(), x, radii...)
	largest := 0.0
	for _, radius := range radii {
		if r.Verdict(radius) == attack.Holds {
			largest = max(largest, radius)
		}
	}
	if err != nil || (w.Len() > 0) != (largest > 0) {
		t.Fatalf("radii %v: %v, %+v, %d bytes of proof", radii, err, r, w.Len())
	}
	if w.Len() > 0 {
		n.check(t, a.Options, x, attack.Result{Bound: math.Nextafter(largest, 1)}, w.Bytes())
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
