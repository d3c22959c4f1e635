package baseline_test

import (
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// TestPapernotPaper compares with Table 1 and, without the peculiarities behind
// it, with an independent implementation. That one compares without rounding to
// float32, and so finds .459 on cancer.
func TestPapernotPaper(t *testing.T) {
	type cells struct {
		printed     float64
		printedFell int
		plain       float64
	}
	want := map[string]cells{
		"australian": {.140, 0, .140},
		"cancer":     {.459, 1, .450},
		"diabetes":   {.237, 35, .287},
		"fourclass":  {.288, 37, .322},
		"halfmoon":   {.098, 91, .193},
	}
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		tree, points, want := instance.ReadTree(t, c, "dt"), c.Points(t)["dt"].X, want[c.Set.Name]
		radii := c.Exact(t)["dt_inf"]
		printed := measure(t, tree, c.Set.Train, points,
			perturbAll(t, &baseline.Papernot{Classifier: tree, AsPrinted: true}, points), radii)
		checkCell(t, "as printed", printed, want.printed)
		if printed.fell != want.printedFell {
			t.Errorf("as printed: %d points without an example, want %d",
				printed.fell, want.printedFell)
		}
		plain := measure(t, tree, c.Set.Train, points,
			perturbAll(t, &baseline.Papernot{Classifier: tree}, points), radii)
		checkCell(t, "plain", plain, want.plain)
	})
}
