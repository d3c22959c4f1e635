package oblique_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestCountsAsDocumented compares the nodes and programs that docs/inside/performance.md says
// bagged oblique trees take with the counted ones; with -full those of thirty trees too.
func TestCountsAsDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "inside", "performance.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text),
		"| trees, d | nodes a point | programs a point | points/s |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	compared := 0
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[1:] {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		var trees, dim int
		if _, err := fmt.Sscanf(cells[0], "%d, d=%d", &trees, &dim); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if trees > racetest.Count(10, 30) {
			continue
		}
		compared++
		e, points := bagged(t, dim, trees)
		var nodes, programs []string
		for _, norm := range instance.Norms() {
			var opened, solved int
			for _, x := range points {
				r, err := (&attack.RegionBased{
					Classifier: e,
					Options:    attack.Options{Norm: norm, Workers: 1},
				}).Perturb(t.Context(), x)
				if err != nil {
					t.Fatal(err)
				}
				opened, solved = opened+r.Nodes, solved+r.Solves
			}
			nodes, programs = append(nodes, each(opened, points)), append(programs,
				each(solved, points))
		}
		if got := strings.Join(nodes, " / ") + " | " + strings.Join(
			programs, " / ",
		); got != cells[1]+" | "+cells[2] {
			t.Errorf("%s: %s, docs/inside/performance.md says %s | %s",
				cells[0], got, cells[1], cells[2])
		}
	}
	if compared == 0 {
		t.Error("no line was compared")
	}
}

// each is a number a point, with a decimal where that is small.
func each(total int, points [][]float64) string {
	per := float64(total) / float64(len(points))
	if per < 10 {
		return fmt.Sprintf("%.1f", per)
	}
	return fmt.Sprintf("%.0f", per)
}
