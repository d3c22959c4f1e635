package trees

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawGrown makes an ensemble of trees of all shapes over a few thresholds.
func drawGrown(t testing.TB, rng *rand.Rand, count, dim, depth int) *Ensemble[*Axis] {
	t.Helper()
	comparison, both := Comparison(rng.IntN(4)), float64(rng.IntN(2))
	members := make([]*Axis, count)
	for i := range members {
		var nodes []Node
		var grow func(depth int) int
		grow = func(depth int) int {
			at := len(nodes)
			nodes = append(nodes, Node{
				Left:  -1,
				Right: -1,
				Value: []float64{rng.NormFloat64() * both, rng.NormFloat64()},
			})
			if depth > 0 && rng.IntN(8) > 0 {
				nodes[at].Feature, nodes[at].Threshold, nodes[at].MissingLeft = rng.IntN(
					dim,
				), math.Trunc(20*rng.NormFloat64())/20, rng.IntN(2) == 0
				nodes[at].Left = grow(depth - 1)
				nodes[at].Right = grow(depth - 1)
			}
			return at
		}
		grow(depth)
		var err error
		if members[i], err = NewAxis(
			dim, comparison, len(nodes), func(k int) Node { return nodes[k] },
		); err != nil {
			t.Fatal(err)
		}
	}
	e, err := NewEnsemble(members, Vote{Rule: Rule(rng.IntN(5)), Single: rng.IntN(2) == 0})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestBatch compares labels with those of single rows: on thresholds and beside them, with
// missing values, in blocks of all sizes.
func TestBatch(t *testing.T) {
	for number := range uint64(200) {
		rng := rand.New(rand.NewPCG(number, 31))
		const dim = 3
		e := drawGrown(t, rng, 1+rng.IntN(9), dim, rng.IntN(6))
		batch := NewBatch(e)
		rows := make([]float64, dim*(1+rng.IntN(BatchRows)))
		for j := range rows {
			switch v := math.Trunc(20*rng.NormFloat64()) / 20; rng.IntN(4) {
			case 0:
				rows[j] = v
			case 1:
				rows[j] = math.Nextafter(v, math.Inf(rng.IntN(2)*2-1))
			case 2:
				rows[j] = v + 1e-9*rng.NormFloat64()
			default:
				if rows[j] = rng.NormFloat64(); rng.IntN(20) == 0 {
					rows[j] = math.NaN()
				}
			}
		}
		want := make([]int, len(rows)/dim)
		for i := range want {
			want[i] = e.Predict(rows[i*dim : (i+1)*dim])
		}
		got := make([]int, len(want))
		if batch.Predict(slices.Clone(rows), got); !slices.Equal(got, want) {
			t.Fatalf("instance %d: %v, want %v", number, got, want)
		}
	}
}

// BenchmarkBatch predicts with 100 trees of depth 6, row by row and in blocks.
func BenchmarkBatch(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 32))
	const dim = 20
	e := drawGrown(b, rng, 100, dim, 6)
	batch := NewBatch(e)
	rows := make([]float64, dim*BatchRows)
	for j := range rows {
		rows[j] = rng.NormFloat64()
	}
	labels := make([]int, BatchRows)
	b.Run("rows", func(b *testing.B) {
		for b.Loop() {
			for i := range labels {
				labels[i] = e.Predict(rows[i*dim : (i+1)*dim])
			}
		}
		b.ReportMetric(float64(b.N*BatchRows)/b.Elapsed().Seconds(), "rows/s")
	})
	b.Run("blocks", func(b *testing.B) {
		for b.Loop() {
			batch.Predict(rows, labels)
		}
		b.ReportMetric(float64(b.N*BatchRows)/b.Elapsed().Seconds(), "rows/s")
	})
}
