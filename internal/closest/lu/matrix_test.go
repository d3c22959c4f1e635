package lu

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMatrix multiplies solutions back: of matrices with rows of a single number among others.
func TestMatrix(t *testing.T) {
	for number := range uint64(300) {
		rng := rand.New(rand.NewPCG(number, 7))
		n := 1 + rng.IntN(12)
		full, columns := make([]float64, n*n), rng.Perm(n)
		var m Matrix
		m.Reset(n)
		for i := range n {
			if row := full[i*n : (i+1)*n]; rng.IntN(2) == 0 {
				row[columns[i]] = 1 + rng.Float64()
				if !m.Single(columns[i], row[columns[i]]) {
					t.Fatalf("instance %d: column %d is taken", number, columns[i])
				}
			} else {
				for j := range row {
					row[j] = rng.NormFloat64()
				}
				copy(m.Row(), row)
			}
		}
		if !m.Factor() {
			t.Fatalf("instance %d: singular", number)
		}
		want := make([]float64, n)
		for i := range want {
			want[i] = rng.NormFloat64()
		}
		y, z := slices.Clone(want), slices.Clone(want)
		m.Solve(y)
		m.SolveT(z)
		for i := range n {
			across, down := 0.0, 0.0
			for j := range n {
				across += full[i*n+j] * y[j]
				down += full[j*n+i] * z[j]
			}
			if math.Abs(across-want[i]) > 1e-6 || math.Abs(down-want[i]) > 1e-6 {
				t.Fatalf("instance %d, n = %d: %v and %v, want %v",
					number, n, across, down, want[i])
			}
		}
	}
	var m Matrix
	m.Reset(2)
	if !m.Single(1, 1) || m.Single(1, 2) {
		t.Error("two rows have their only number in one column")
	}
}
