package plotting

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// TestSteps: a share falls at each value, and ends where it is asked to.
func TestSteps(t *testing.T) {
	tests := []struct {
		name   string
		values []float64
		all    int
		end    float64
		want   plotter.XYs
	}{
		{"none", nil, 2, 1, plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 0}}},
		{"two of four", []float64{3, 1}, 4, 4,
			plotter.XYs{{X: 0, Y: 0.5}, {X: 1, Y: 0.5}, {X: 1, Y: 0.25}, {X: 3, Y: 0.25},
				{X: 3, Y: 0}, {X: 4, Y: 0}}},
		{"beyond the end", []float64{3, 1}, 2, 2,
			plotter.XYs{{X: 0, Y: 1}, {X: 1, Y: 1}, {X: 1, Y: 0.5}, {X: 2, Y: 0.5}}},
		{"at the end", []float64{2}, 1, 2,
			plotter.XYs{{X: 0, Y: 1}, {X: 2, Y: 1}, {X: 2, Y: 0}, {X: 2, Y: 0}}},
	}
	for _, tt := range tests {
		if got := Steps(tt.values, tt.all, tt.end); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Steps = %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestShares: a mark stands where the certified curve was asked for, before the curve falls.
func TestShares(t *testing.T) {
	values := []float64{0.2, 0.1, 0.3}
	if got, want := shareAt(values, []float64{0.05, 0.1, 0.3}, 4), (plotter.XYs{
		{X: 0.05, Y: 0.75}, {X: 0.1, Y: 0.5}, {X: 0.3, Y: 0},
	}); !slices.Equal(got, want) {
		t.Errorf("shareAt = %v, want %v", got, want)
	}
	panel := NewPanel("radius", "share", Frame{MaxX: 0.4, MaxY: 1})
	f := &Figure{
		Panels: []*Panel{panel},
		Key: panel.AddShares(values, []float64{0.3, 0.3, 0.4}, []float64{0.1, 0.3}, 4,
			"certified", "possible"),
	}
	path := filepath.Join(t.TempDir(), "shares.svg")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"certified", "possible", "radius", "0.4"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the figure lacks %q", want)
		}
	}
}
