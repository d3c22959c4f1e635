package libraries

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestONNX: onnxruntime's labels and sums with one thread, to the last bit, are those of the
// file; sums of more threads lie within the slack that docs/use/models.md states; and it confirms
// exact adversarial examples.
func TestONNX(t *testing.T) {
	t.Parallel()
	for seed := range racetest.Count(1, 20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { checkONNX(t, seed+2) })
	}
}

func checkONNX(t *testing.T, seed int) {
	const script = "../../../tools/libraries/make_onnx.py"
	folder, all := made(t, script, ".onnx", seed)
	rows := make(map[string][][]float64)
	for _, m := range all {
		rows[m.name] = m.rows(racetest.Count(300, 2000))
	}
	answers := ask(t, script, folder, rows)
	for _, m := range all {
		want, slack := answers[m.name], m.slack()
		for i, x := range rows[m.name] {
			got := m.margins(x)
			for c, v := range got {
				got[c] = float64(float32(v)) // onnxruntime returns no more of sums in double
			}
			if m.votes.Predict(x) != m.label(want, i) || !m.alike(got, want.Margins[i]) {
				t.Fatalf("%s: %v has label %d and sums %v, onnxruntime says %d and %v",
					m.name, x, m.votes.Predict(x), got, m.label(want, i), want.Margins[i])
			}
			if i >= len(want.Threads) {
				continue
			}
			for c, v := range want.Threads[i] {
				if math.Abs(v-got[c]) > slack {
					t.Errorf("%s: %v has the sum %v, and %v with four threads, more than %v off",
						m.name, x, got[c], v, slack)
				}
			}
		}
	}
	confirm(t, script, folder, all, racetest.Count(3, 34))
}

// alike reports whether sums are onnxruntime's, to the last bit. It rounds the logarithms of an
// isolation forest otherwise for four rows at once than for one, and sums that differ by as little
// as in another order are the same there.
func (m *model) alike(got, want []float64) bool {
	if m.name != "isolation" {
		return slices.Equal(got, want)
	}
	return floats.EqualApprox(got, want, m.slack())
}

// slack returns by how much the sum of a class can differ in another order.
func (m *model) slack() float64 {
	size := make([]float64, m.votes.Classes())
	for i := range m.votes.Len() {
		most := make([]float64, len(size))
		for _, n := range m.votes.Tree(i).Nodes() {
			for c, v := range n.Value {
				most[c] = max(most[c], math.Abs(v))
			}
		}
		for c := range size {
			size[c] += most[c]
		}
	}
	return slices.Max(size) * float64(m.votes.Len()+2) * 0x1p-23
}
