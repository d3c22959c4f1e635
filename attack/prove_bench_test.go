package attack_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// BenchmarkLargeProof searches large forests with and without a proof, and checks it: the seconds
// of the points that are proven in 10 s, and the bytes of a leaf of a proof.
func BenchmarkLargeProof(b *testing.B) {
	for _, size := range [][2]int{{200, 8}, {200, 10}, {500, 10}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			forest, points := largeForest(b, size[0], size[1])
			a := &attack.RegionBased{
				Classifier: forest,
				Options:    attack.Options{Workers: 1, Timeout: 10 * time.Second},
			}
			for b.Loop() {
				proveLarge(b, a, forest, points)
			}
		})
	}
}

func proveLarge(
	b *testing.B, a *attack.RegionBased, forest *classifier.Ensemble, points [][]float64,
) {
	var file bytes.Buffer
	if err := classifier.Save(&file, forest); err != nil {
		b.Fatal(err)
	}
	m, err := proof.ReadModel(bytes.NewReader(file.Bytes()))
	if err != nil {
		b.Fatal(err)
	}
	// What the search and its proof take is measured after a first search, which warms up, and
	// tells.
	proven, size, leaves, seconds := 0, 0, 0, map[string]float64{}
	timed := func(step string, do func() error) {
		start := time.Now()
		if err := do(); err != nil {
			b.Fatal(err)
		}
		seconds[step] += time.Since(start).Seconds()
	}
	for _, x := range points {
		if r, err := a.Perturb(b.Context(), x); err != nil || !r.Optimal() {
			continue
		}
		var text bytes.Buffer
		proof.NewWriter(&text, sha256.Sum256(file.Bytes())).Write(nil)
		before := text.Len()
		timed("search-s", func() error { _, err := a.Perturb(b.Context(), x); return err })
		timed("prove-s",
			func() error { _, err := instance.Prove(b.Context(), a, x, &text); return err })
		timed("check-s", func() error {
			return proof.Check(bytes.NewReader(text.Bytes()), m,
				func(proof.Claim) error { return nil })
		})
		_, body, _ := bytes.Cut(text.Bytes()[before:], []byte("\nlabel"))
		proven, size, leaves = proven+1, size+len(body), leaves+bytes.Count(body, []byte("."))
	}
	for step, s := range seconds {
		b.ReportMetric(s, step)
	}
	b.ReportMetric(float64(proven), "proven")
	b.ReportMetric(float64(size)/float64(leaves), "bytes/leaf")
	b.ReportMetric(float64(leaves), "leaves")
}
