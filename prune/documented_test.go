package prune_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// TestTenClassesAsDocumented compares the rows that docs/inside/figures.md says are kept of
// MNIST's ten classes: with -full, since the images take seconds before anything is pruned.
func TestTenClassesAsDocumented(t *testing.T) {
	t.Parallel()
	folder := fixture.TestImages(t)
	text, err := os.ReadFile(filepath.Join("..", "docs", "inside", "figures.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| separation | kept | at most | seconds |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	lines := strings.Split(strings.TrimSpace(table), "\n")[1:]
	if len(lines) < 8 {
		t.Fatalf("the table has %d lines", len(lines))
	}
	if racetest.Count(0, 1) == 0 {
		return
	}
	x, y := digits(t, folder)
	for _, line := range lines {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		separation, err := strconv.ParseFloat(cells[0], 64)
		if err != nil {
			t.Fatal(err)
		}
		r, err := prune.Adversarial{Radius: separation / 2}.Solve(t.Context(), x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.ReplaceAll(cells[1]+" of "+cells[2], ",", "")
		if got := fmt.Sprintf("%d of %d", len(r.Keep), r.Bound); got != want {
			t.Errorf("separation %v: %s, docs/inside/figures.md says %s", separation, got, want)
		}
	}
}

// digits are MNIST's test images in 25 principal components, scaled to [0, 1].
func digits(t *testing.T, folder string) (*mat.Dense, []int) {
	t.Helper()
	var classes []byte
	for class := range byte(10) {
		classes = append(classes, class)
	}
	images, labels := "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"
	for _, name := range []*string{&images, &labels} {
		found, err := filepath.Glob(filepath.Join(folder, *name+"*"))
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		*name = found[0]
	}
	s, err := dataset.LoadImages(t.Context(), images, labels, classes...)
	if err != nil {
		t.Fatal(err)
	}
	reduced, err := dataset.Reduce(t.Context(), s, 25, 0)
	if err != nil {
		t.Fatal(err)
	}
	x := mat.NewDense(reduced.Rows, reduced.Dim, reduced.Data)
	for j := range reduced.Dim {
		least, most := mat.Min(x.ColView(j)), mat.Max(x.ColView(j))
		for i := range reduced.Rows {
			x.Set(i, j, (x.At(i, j)-least)/(most-least))
		}
	}
	var y []int
	for _, label := range reduced.Labels {
		y = append(y, int(label))
	}
	return x, y
}
