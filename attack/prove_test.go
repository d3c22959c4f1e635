package attack_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// notary holds what proofs about a classifier are checked against.
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

// TestProveFixtures proves what is known about the paper's trees and forests.
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
			continue // not a model: what one predicts
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
