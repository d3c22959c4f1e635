package plotting

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// height returns the curve's value just before x.
func height(xys plotter.XYs, x float64) float64 {
	h := math.NaN()
	for i := 1; i < len(xys); i++ {
		if xys[i-1].X < x && x <= xys[i].X {
			h = xys[i].Y
		}
	}
	return h
}

// TestSteps: a share falls at each value, as counting says, and ends where it is asked to.
func TestSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		values := make([]float64, rng.IntN(12))
		for i := range values {
			if values[i] = float64(rng.IntN(9)) / 8; rng.IntN(8) == 0 {
				values[i] = math.Inf(1)
			}
		}
		all, end := len(values)+1+rng.IntN(3), float64(4+rng.IntN(5))/8
		share := func(of func(v float64) bool) float64 {
			return float64(len(slices.DeleteFunc(slices.Clone(values),
				func(v float64) bool { return !of(v) }))) / float64(all)
		}
		xys := Steps(values, all, end)
		for i := 1; i < len(xys); i++ {
			if p, q := xys[i-1], xys[i]; p.X != q.X && p.Y != q.Y || q.X < p.X || q.Y > p.Y {
				t.Fatalf("%v leads from %v to %v", values, p, q)
			}
		}
		for x := 1.0 / 16; x < end; x += 1.0 / 16 {
			want := share(func(v float64) bool { return v >= x })
			if got := height(xys, x); math.Abs(got-want) > 1e-12 {
				t.Fatalf("%v of %d: %v just before %v, want %v", values, all, got, x, want)
			}
		}
		first := plotter.XY{Y: share(func(float64) bool { return true })}
		last := plotter.XY{X: end, Y: share(func(v float64) bool { return v > end })}
		if got := xys[len(xys)-1]; xys[0] != first || got != last {
			t.Fatalf("%v of %d: from %v to %v, want from %v to %v", values, all, xys[0], got,
				first, last)
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
