package checkers

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// subject is a classifier, its file, and proofs about it.
type subject struct {
	name   string
	c      classifier.Classifier
	file   []byte
	model  *proof.Model
	proofs [][]byte // from their lines "proof" on

	properties bool // they are about all inputs, and there is no c
}

func newSubject(t *testing.T, name string, c classifier.Classifier, file []byte) *subject {
	t.Helper()
	if file == nil {
		var b bytes.Buffer
		if err := classifier.Save(&b, c); err != nil {
			t.Fatal(err)
		}
		file = b.Bytes()
	}
	m, err := proof.ReadModel(bytes.NewReader(file))
	if err != nil {
		t.Fatalf("%s: %v\n%.2000s", name, err, file)
	}
	return &subject{name: name, c: c, file: file, model: m}
}

// prove attacks the subject, and keeps the proof. Answers without a proof do not matter here.
func (s *subject) prove(t *testing.T, x []float64, o attack.Options) {
	t.Helper()
	var b bytes.Buffer
	a := &attack.RegionBased{Classifier: s.c, Options: o}
	if _, err := instance.Prove(t.Context(), a, x, &b); err != nil {
		if !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, attack.ErrTarget) &&
			!errors.Is(err, classifier.ErrOption) {
			t.Logf("%s: no proof: %v", s.name, err)
		}
		return
	}
	if b.Len() > 0 {
		s.proofs = append(s.proofs, b.Bytes())
	}
}

// explain proves a reason and a box of the subject.
func (s *subject) explain(t *testing.T, x []float64, o attack.Options) {
	t.Helper()
	o.MaxNodes = 0
	s.keep(t, o, func(a *attack.RegionBased) (found bool, err error) {
		explainer := &explain.Explainer{Classifier: a.Classifier, Options: a.Options}
		reasons, err := explainer.Reasons(t.Context(), x)
		return len(reasons.Found) > 0, err
	})
	s.keep(t, o, func(a *attack.RegionBased) (found bool, err error) {
		explainer := &explain.Explainer{Classifier: a.Classifier, Options: a.Options}
		box, err := explainer.LabelBox(t.Context(), x)
		return box.Box != nil, err
	})
}

// keep keeps the proof of an answer.
func (s *subject) keep(
	t *testing.T, o attack.Options, ask func(a *attack.RegionBased) (found bool, err error),
) {
	t.Helper()
	var b bytes.Buffer
	o.Proof = proof.NewWriter(&b)
	found, err := ask(&attack.RegionBased{Classifier: s.c, Options: o})
	switch {
	case errors.Is(err, attack.ErrTarget), errors.Is(err, classifier.ErrOption),
		errors.Is(err, errors.ErrUnsupported), errors.Is(err, attack.ErrUnproven):
	case err != nil || found != (b.Len() > 0):
		t.Fatalf("%s: found: %v, %v, %d bytes", s.name, found, err, b.Len())
	case found:
		s.proofs = append(s.proofs, b.Bytes())
	}
}

// header begins a file of proofs about a model's file.
func header(file []byte) []byte {
	return fmt.Appendf(nil, "facet-proofs 1\nmodel sha256 %x\n", sha256.Sum256(file))
}

// drawSubjects makes random small classifiers, with a proof or so of each.
func drawSubjects(t *testing.T, rng *rand.Rand) (all []*subject) {
	norm := instance.Norms()[rng.IntN(3)]
	e := instance.DrawEnsemble(t, rng)
	s := newSubject(t, "ensemble", e.Ensemble, nil)
	s.prove(t, e.Query, attack.Options{
		Norm:     norm,
		Target:   e.Target,
		Domain:   e.Box,
		MaxNodes: rng.IntN(2) * rng.IntN(9),
	})
	s.explain(t, e.Query, attack.Options{Target: e.Target, Domain: e.Box})
	tree := instance.DrawTree(t, rng)
	s2 := newSubject(t, "tree", tree.Tree, nil)
	s2.prove(t, tree.Query, attack.Options{Norm: norm, Target: tree.Target, Domain: tree.Box})
	s2.explain(t, tree.Query, attack.Options{Target: tree.Target, Domain: tree.Box})
	return append(all, s, s2, drawRuled(t, rng, norm), drawOblique(t, rng, norm),
		drawNeighbors(t, rng, norm))
}

// drawRuled makes trees with rules of moves that proofs know: limits and prices of real numbers,
// and categories.
func drawRuled(t *testing.T, rng *rand.Rand, norm polytope.Norm) *subject {
	kind := []string{"prices", "directions", "frozen", "limits", "category", "sets"}[rng.IntN(6)]
	in := instance.DrawRuled(t, rng, kind, norm)
	limitCodes(rng, in)
	s := newSubject(t, kind, in.C, nil)
	s.prove(t, in.X, in.Options())
	s.explain(t, in.X, in.Options())
	return s
}

func drawOblique(t *testing.T, rng *rand.Rand, norm polytope.Norm) *subject {
	dim, classes, smooth := 1+rng.IntN(3), 2+rng.IntN(2), rng.IntN(2) == 0
	trees := make([]*classifier.ObliqueEnsemble, 1+rng.IntN(4))
	for i := range trees {
		nodes := instance.ObliqueNodes(rng, dim, classes, 1+rng.IntN(3))
		for _, node := range nodes {
			for j := range node.Weights {
				if smooth {
					node.Weights[j] = rng.NormFloat64()
				}
			}
		}
		trees[i] = instance.ObliqueTree(t, dim, nodes...)
	}
	x := make([]float64, dim)
	for j := range x {
		x[j] = float64(rng.IntN(9)-4) / 2
	}
	o := attack.Options{Norm: norm}
	if rng.IntN(3) == 0 {
		o.Domain = polytope.Cube(dim, -2.5, 2+rng.Float64())
	}
	s := newSubject(t, "oblique",
		instance.ObliqueVote(t, instance.DrawVote(rng, classes), trees...), nil)
	s.prove(t, x, o)
	return s
}

func drawNeighbors(t *testing.T, rng *rand.Rand, norm polytope.Norm) *subject {
	in := instance.DrawNeighbors(rng)
	s := newSubject(t, "neighbors", in.KNN(t, 1+rng.IntN(min(5, len(in.Y)))), nil)
	s.prove(t, in.Query, attack.Options{Norm: norm, Target: in.Target, Domain: in.Box})
	s.explain(t, in.Query, attack.Options{Target: in.Target, Domain: in.Box})
	return s
}

// fixtureSubjects are the paper's forests, trees and neighbours, with proofs of some points.
func fixtureSubjects(t *testing.T, c fixture.Case, points int) (all []*subject) {
	for _, name := range []string{"dt", "dt.pruned30", "rf", "rf.pruned30"} {
		f := c.Model(t, name)
		file, err := io.ReadAll(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, newSubject(t, c.Set.Name+" "+name, read(t, file), file))
	}
	for _, k := range []int{1, 3, 5} {
		all = append(all,
			newSubject(t, fmt.Sprintf("%s %d-NN", c.Set.Name, k), instance.Voters(t, c, k), nil))
	}
	for i, s := range all {
		norms := instance.Norms()
		if instance.Count(1, 3) == 1 {
			norms = norms[i%3 : i%3+1]
		}
		s.proveAll(t, c.Points(t)["rf"].X[:points], instance.Count(500, 20_000), norms...)
	}
	return all
}

func (s *subject) proveAll(t *testing.T, points [][]float64, nodes int, norms ...polytope.Norm) {
	for _, x := range points {
		for _, norm := range norms {
			s.prove(t, x, attack.Options{Norm: norm, Workers: 1, MaxNodes: nodes})
		}
	}
}

func read(t *testing.T, file []byte) classifier.Classifier {
	t.Helper()
	c, err := classifier.Read[classifier.Classifier](bytes.NewReader(file),
		classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// largeSubjects are votes of many trees, whose proofs have sweeps.
func largeSubjects(t *testing.T, rng *rand.Rand, count int) (all []*subject) {
	for len(all) < count {
		in := instance.DrawLarge(t, rng)
		s := newSubject(t, "large", in.Ensemble, nil)
		s.prove(t, in.Query, attack.Options{Target: in.Target, Workers: 1, MaxNodes: 2000})
		if len(s.proofs) > 0 && bytes.Contains(s.proofs[0], []byte("*")) {
			all = append(all, s)
		}
	}
	return all
}

// recordedSubjects are models that other libraries trained, attacked at points around 0. (Nothing
// can be proven where all classes are as near each other as exponentials are rounded:
// tied_softmax.)
func recordedSubjects(t *testing.T, rng *rand.Rand, points int) (all []*subject) {
	for _, name := range []string{
		"xgboost/depth3.json", "xgboost/depth6.json", "xgboost/early.json",
		"xgboost/lossguide.json", "xgboost/missing.json",
		"xgboost/parallel2.json", "xgboost/pruned.json", "xgboost/softmax4.json",
		"xgboost/softprob3.json", "xgboost/tied.json",
		"lightgbm/binary.txt", "lightgbm/multiclass.txt", "lightgbm/zeros.txt",
		"boosting/binary.json",
		"boosting/exponential.json", "boosting/extra_tree.json", "boosting/extra_trees.json",
		"boosting/forest.json", "boosting/four.json",
		"boosting/three.json", "boosting/tied_probability.json", "boosting/tied_sum.json",
		"boosting/tied_three.json", "boosting/tree.json", "boosting/zero.json",
	} {
		file, err := os.ReadFile("../../modelfile/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		s := newSubject(t, name, read(t, file), file)
		x := make([][]float64, points)
		for i := range x {
			x[i] = make([]float64, s.c.Dim())
			for j := range x[i] {
				x[i][j] = rng.NormFloat64()
			}
		}
		s.proveAll(t, x, 300, instance.Norms()...)
		all = append(all, s)
	}
	return all
}
