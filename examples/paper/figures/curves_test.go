package figures

import (
	"math"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

func at(distances ...float64) []metrics.Point {
	var points []metrics.Point
	for _, d := range distances {
		points = append(points, metrics.Point{Result: attack.Result{Distance: d}})
	}
	return points
}

func TestReach(t *testing.T) {
	inf := math.Inf(1)
	many := make([]float64, 100)
	for i := range many {
		many[i] = float64(i+1) / 100
	}
	for _, c := range []struct {
		distances []float64
		want      float64
	}{
		{nil, 0.05},
		{[]float64{0, 0}, 0.05},
		{[]float64{inf, inf}, 0.05},
		{many, 1},
		{many[:33], 0.35},
		{[]float64{0.01, 0.32, inf}, 0.35},
	} {
		if got := reach(at(c.distances...)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("reach of %v = %v, want %v", c.distances, got, c.want)
		}
	}
}

// TestInAll: a line that is missing is not missing silently.
func TestInAll(t *testing.T) {
	at := curves()[2].short()
	for _, c := range []struct {
		counts  []int
		without []string
		want    string
	}{
		{[]int{100, 100}, nil, "100 attacked points"},
		{[]int{100, 90}, nil, "90 to 100 attacked points"},
		{[]int{100}, []string{at}, "100 attacked points, none for AT"},
		{nil, []string{"regular", at}, "no attacked points, none for regular, AT"},
	} {
		if got := inAll(c.counts, c.without); got != c.want {
			t.Errorf("%v, %v: %q, want %q", c.counts, c.without, got, c.want)
		}
	}
}

// TestAccuracyPanel: a set made of test images alone is named as such.
func TestAccuracyPanel(t *testing.T) {
	for _, c := range []struct {
		testOnly bool
		want     []string
	}{
		{false, []string{"mnist17: 3-NN"}},
		{true, []string{"mnist17: 3-NN", "after PCA, t10k images only"}},
	} {
		p := accuracyPanel(&protocol.Set{Name: "mnist17", TestOnly: c.testOnly}, experiment.ThreeNN,
			0.4)
		if !slices.Equal(p.Heading, c.want) {
			t.Errorf("heading %q, want %q", p.Heading, c.want)
		}
	}
}
