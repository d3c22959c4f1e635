package proof_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// reread returns what the checker reads of a classifier.
func reread(t testing.TB, c classifier.Classifier) *proof.Model {
	t.Helper()
	var file bytes.Buffer
	if err := classifier.Save(&file, c); err != nil {
		t.Fatal(err)
	}
	m, err := proof.ReadModel(&file)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// proven attacks points and writes proofs, and returns the results and the file. What cannot be
// proven, because classes are too near each other, is left out.
func proven(
	t testing.TB, c classifier.Classifier, m *proof.Model, points [][]float64, o attack.Options,
) (results []attack.Result, file []byte) {
	t.Helper()
	var text bytes.Buffer
	if _, err := proof.NewWriter(&text, m.SHA256).Write(nil); err != nil {
		t.Fatal(err)
	}
	a := &attack.RegionBased{Classifier: c, Options: o}
	for i, x := range points {
		r, err := instance.Prove(t.Context(), a, x, &text)
		if errors.Is(err, prooftext.ErrBound) {
			continue
		}
		if err != nil {
			t.Fatalf("point %d: %v", i, err)
		}
		results = append(results, r)
	}
	return results, text.Bytes()
}

// paperModel returns a model of the fixtures, or one trained on their rows.
func paperModel(t *testing.T, c fixture.Case, name string) classifier.Classifier {
	switch {
	case strings.HasSuffix(name, "nn"):
		return instance.Voters(t, c, int(name[0]-'0'))
	case strings.HasPrefix(name, "dt"):
		return instance.ReadTree(t, c, name)
	case name == "oblique":
		o := classifier.ObliqueOptions{Trees: 3, MaxDepth: 3, Seed: 1, Restarts: 1, Jumps: 1}
		e, err := classifier.TrainOblique(t.Context(), c.Set.Train, c.Set.TrainY, o)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	return instance.ReadForest(t, c, name)
}

// TestPaper checks proofs about the fixtures' models, in all norms.
func TestPaper(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		points := c.Points(t)["1nn"].X[:instance.Count(1, 100)]
		for _, name := range []string{
			"dt", "dt.pruned30", "rf", "rf.pruned30", "1nn", "3nn", "5nn", "oblique",
		} {
			model := paperModel(t, c, name)
			m := reread(t, model)
			for _, norm := range instance.Norms() {
				results, file := proven(t, model, m, points, attack.Options{Norm: norm, Workers: 1})
				i := 0
				err := proof.Check(bytes.NewReader(file), m, func(c proof.Claim) error {
					if r := results[i]; !(c.Bound <= r.Bound && c.Bound >= r.Bound*(1-1e-12)) ||
						(r.Optimal() && !c.Settled) {
						return fmt.Errorf(
							"point %d: bound %v, settled %t; the attack: %v, optimal %t",
							i, c.Bound, c.Settled, r.Bound, r.Optimal(),
						)
					}
					i++
					return nil
				})
				t.Logf("%s, norm %v: %d proofs, %d bytes", name, norm, len(results), len(file))
				if err != nil || i != len(points) {
					t.Errorf("%s, norm %v, %d proofs: %v", name, norm, i, err)
				}
			}
		}
	})
}

// TestLibraries: what other libraries wrote is read as the classifier's readers read it, though by
// other code: proofs that the searches make of their reading hold by this one's.
func TestLibraries(t *testing.T) {
	folder := filepath.Join("..", "..", "internal", "modelfile", "testdata")
	files := 0
	for _, pattern := range []string{"boosting/*.json", "xgboost/*.json", "lightgbm/*.txt"} {
		paths, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if filepath.Base(path) == "recorded.json" {
				continue
			}
			files++
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c, err := classifier.Read[classifier.Classifier](bytes.NewReader(text),
				classifier.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			m, err := proof.ReadModel(bytes.NewReader(text))
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			rng := rand.New(rand.NewPCG(12, 1))
			points := make([][]float64, instance.Count(3, 20))
			for i := range points {
				for range c.(*classifier.Ensemble).Dim() {
					points[i] = append(points[i], rng.NormFloat64())
				}
			}
			for _, norm := range instance.Norms() {
				checked := 0
				results, file := proven(t, c, m, points, attack.Options{Norm: norm, MaxNodes: 2000})
				err := proof.Check(bytes.NewReader(file), m,
					func(proof.Claim) error { checked++; return nil })
				if few := checked < len(points) && !strings.Contains(path, "tied_soft"); few ||
					(err != nil && checked > 0) || checked != len(results) {
					t.Errorf("%s, norm %v, %d of %d proofs: %v",
						path, norm, checked, len(points), err)
				}
			}
		}
	}
	if files < 24 {
		t.Errorf("%d files", files)
	}
}
