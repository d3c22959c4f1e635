package subject

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestUnscale: examples in the units of the file are examples still, and what they leave alone is
// what the file says.
func TestUnscale(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, model := range [][]string{
		{"knn"}, {"tree"}, {"forest", "--trees", "5"}, {"oblique", "--trees", "1"},
	} {
		for range racetest.Scale(6) {
			const rows, dim = 40, 4
			var text strings.Builder
			for i := range rows {
				for j := range dim {
					// Units from thousandths to millions, some far from zero.
					fmt.Fprintf(&text, "%v,",
						1e3*float64(j/2)+math.Pow(10, float64(3*j-3))*rng.Float64())
				}
				fmt.Fprintln(&text, i%2)
			}
			path := filepath.Join(t.TempDir(), "rows.csv")
			if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
				t.Fatal(err)
			}
			s := load(t, nil,
				append([]string{"--train", path, "--test", path, "--scale", "minmax", "--model"},
					model...)...)
			a := &attack.RegionBased{Classifier: s.Classifier}
			for row := range rows {
				x, raw := s.Test.Row(row)
				r, err := a.Perturb(t.Context(), x)
				if err != nil {
					t.Fatal(err)
				}
				z := s.Unscale(row, r.Example, r.Label, nil)
				if got := s.labels(z); got != r.Label {
					t.Errorf("%s, row %d: label %d in the units of the file, want %d",
						model, row, got, r.Label)
				}
				for j := range dim {
					back := float64(z[j]*s.Scaling.Scale[j]) + s.Scaling.Shift[j]
					if r.Example[j] == x[j] && z[j] != raw[j] ||
						math.Abs(back-r.Example[j]) > 1e-9 {
						t.Errorf("%s, row %d, feature %d: %v from %v, scaled %v, want %v",
							model, row, j, z[j], raw[j], back, r.Example[j])
					}
				}
				if &z[0] == &r.Example[0] || slices.Equal(z, r.Example) {
					t.Errorf("%s, row %d: nothing was unscaled", model, row)
				}
			}
		}
	}
}
