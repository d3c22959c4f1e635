package baseline_test

import (
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// TestPapernotPaper compares with an independent implementation. That one compares without rounding
// to float32, and so finds .459 on cancer. Table 1, which was made otherwise, is that of
// TestPapernotAsPrinted of examples/internal/experiment.
func TestPapernotPaper(t *testing.T) {
	want := map[string]float64{
		"australian": .140,
		"cancer":     .450,
		"diabetes":   .287,
		"fourclass":  .322,
		"halfmoon":   .193,
	}
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		tree, points := instance.ReadTree(t, c, "dt"), c.Points(t)["dt"].X
		results := perturbAll(t, &baseline.Papernot{Classifier: tree}, points)
		got := measure(t, tree, c.Set.Train, points, results, c.Exact(t)["dt_inf"])
		checkCell(t, "dt", got, want[c.Set.Name])
	})
}
