package proof_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// saved is a classifier that has a file.
type saved interface {
	classifier.Classifier
	Save(w io.Writer) error
}

// reread returns what the checker reads of a classifier.
func reread(t testing.TB, c saved) *proof.Model {
	t.Helper()
	var file bytes.Buffer
	if err := c.Save(&file); err != nil {
		t.Fatal(err)
	}
	m, err := proof.ReadModel(&file)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// proven attacks points and writes proofs, and returns the results and the file.
func proven(t testing.TB, c saved, m *proof.Model, points [][]float64, o attack.Options) (results []attack.Result, file []byte) {
	t.Helper()
	var text bytes.Buffer
	if err := proof.Begin(&text, m.SHA256); err != nil {
		t.Fatal(err)
	}
	a := &attack.RegionBased{Classifier: c, Options: o}
	for i, x := range points {
		r, err := a.Prove(t.Context(), x, &text)
		if err != nil {
			t.Fatalf("point %d: %v", i, err)
		}
		results = append(results, r)
	}
	return results, text.Bytes()
}

// TestPaper checks proofs about the fixtures' models, in all norms.
func TestPaper(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		points := c.Points(t)["1nn"].X[:instance.Count(5, 100)]
		for _, name := range []string{"dt", "dt.pruned30", "rf", "rf.pruned30", "1nn", "3nn", "5nn"} {
			var model saved
			if strings.HasSuffix(name, "nn") {
				model = instance.Voters(t, c, int(name[0]-'0'))
			} else if model = instance.ReadForest(t, c, name); strings.HasPrefix(name, "dt") {
				model = instance.ReadTree(t, c, name)
			}
			m := reread(t, model)
			for _, norm := range instance.Norms() {
				begin := time.Now()
				results, file := proven(t, model, m, points, attack.Options{Norm: norm, Workers: 1})
				search := time.Since(begin)
				begin = time.Now()
				i := 0
				err := proof.Check(bytes.NewReader(file), m, func(c proof.Claim) error {
					if r := results[i]; !(c.Bound <= r.Bound && c.Bound >= r.Bound*(1-1e-12)) || (r.Optimal && !c.Settled) {
						return fmt.Errorf("point %d: bound %v, settled %t; the attack: %v, optimal %t", i, c.Bound, c.Settled, r.Bound, r.Optimal)
					}
					i++
					return nil
				})
				t.Logf("%s %v: %d bytes, prove %v, check %v", name, norm, len(file), search, time.Since(begin))
				if err != nil || i != len(points) {
					t.Errorf("%s, norm %v, %d proofs: %v", name, norm, i, err)
				}
			}
		}
	})
}

