package attack_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

// explainedModel is one that tools/reason_models.py makes, and its rows.
type explainedModel struct {
	name string
	c    classifier.Classifier
	rows [][]float64
}

// explainedModels reads those of the folder FACET_REASONS.
func explainedModels(b *testing.B) (list []explainedModel) {
	folder := os.Getenv("FACET_REASONS")
	if folder == "" {
		b.Skip("FACET_REASONS is not set: tools/reason_models.py makes the folder it names")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) == 0 {
		b.Fatalf("%s: %d models, %v", folder, len(files), err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		m := explainedModel{name: strings.TrimSuffix(filepath.Base(path), ".json")}
		if m.c, err = classifier.Read[classifier.Classifier](bytes.NewReader(text),
			classifier.ReadOptions{}); err != nil {
			b.Fatal(err)
		}
		if text, err = os.ReadFile(strings.TrimSuffix(path, "json") + "csv"); err != nil {
			b.Fatal(err)
		}
		lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			b.Fatal(err)
		}
		for _, line := range lines {
			row := make([]float64, len(line))
			for j, cell := range line {
				if row[j], err = strconv.ParseFloat(cell, 64); err != nil {
					b.Fatal(err)
				}
			}
			m.rows = append(m.rows, row)
		}
		list = append(list, m)
	}
	return list
}

// BenchmarkReasons asks boosted trees for a reason of each row, beside plain deletion: one feature
// after the other is freed, and RobustAt asked with the others frozen, for a second at most. That
// is done for every fourth row, as it takes so long.
func BenchmarkReasons(b *testing.B) {
	for _, m := range explainedModels(b) {
		b.Run(fmt.Sprintf("%s/%dx%d", m.name, m.c.Dim(), m.c.Classes()), func(b *testing.B) {
			a := attack.RegionBased{Classifier: m.c, Options: attack.Options{Workers: 1}}
			var took, deleting []time.Duration
			size, deleted := 0, 0
			for b.Loop() {
				for i, x := range m.rows {
					begin := time.Now()
					explainer := &explain.Explainer{Classifier: a.Classifier, Options: a.Options}
					found, err := explainer.Reasons(b.Context(), x)
					if err != nil || found.Found[0].Status != attack.StatusOptimal {
						b.Fatalf("%+v, %v", found, err)
					}
					took, size = append(took, time.Since(begin)), size+len(found.Found[0].Features)
					if i%4 > 0 {
						continue
					}
					begin = time.Now()
					deleted += deletion(b, a, x)
					deleting = append(deleting, time.Since(begin))
				}
			}
			b.ReportMetric(medianMS(took), "median-ms")
			b.ReportMetric(medianMS(deleting), "deletion-ms")
			b.ReportMetric(float64(size)/float64(len(took)), "features")
			b.ReportMetric(float64(deleted)/float64(len(deleting)), "deletion-features")
		})
	}
}

// deletion returns how many features are left.
func deletion(b *testing.B, a attack.RegionBased, x []float64) (left int) {
	a.Timeout = time.Second
	a.Features = make([]attack.Feature, len(x))
	for j := range x {
		a.Features[j].Frozen = true
	}
	for j := range x {
		a.Features[j].Frozen = false
		verdict, err := verdictAt(b.Context(), &a, x, 1e15)
		if err != nil {
			b.Fatal(err)
		}
		if verdict != attack.Holds {
			a.Features[j].Frozen = true
			left++
		}
	}
	return left
}

// BenchmarkSmallestReasons asks for the smallest reason within ten seconds.
func BenchmarkSmallestReasons(b *testing.B) {
	for _, m := range explainedModels(b) {
		b.Run(fmt.Sprintf("%s/%dx%d", m.name, m.c.Dim(), m.c.Classes()), func(b *testing.B) {
			a := attack.RegionBased{Classifier: m.c, Options: attack.Options{
				Workers: 1, Timeout: 10 * time.Second,
			}}
			var took []time.Duration
			smallest, size := 0, 0
			for b.Loop() {
				for _, x := range m.rows[:min(20, len(m.rows))] {
					begin := time.Now()
					explainer := &explain.Explainer{
						Classifier: a.Classifier, Options: a.Options, Smallest: true,
					}
					found, err := explainer.Reasons(b.Context(), x)
					if err != nil {
						b.Fatal(err)
					}
					if found.Found[0].Smallest() {
						smallest++
					}
					took, size = append(took, time.Since(begin)), size+len(found.Found[0].Features)
				}
			}
			b.ReportMetric(float64(smallest)/float64(len(took)), "proven")
			b.ReportMetric(medianMS(took), "median-ms")
			b.ReportMetric(float64(size)/float64(len(took)), "features")
		})
	}
}

func medianMS(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2].Microseconds()) / 1000
}
