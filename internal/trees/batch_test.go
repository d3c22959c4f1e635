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
		if members[i], err = NewAxis(dim, comparison, Nodes(nodes)); err != nil {
			t.Fatal(err)
		}
	}
	e, err := NewEnsemble(members, Vote{Rule: Rule(rng.IntN(5)), Single: rng.IntN(2) == 0})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// changed returns an ensemble with other tests of the first features.
func changed(
	t testing.TB, e *Ensemble[*Axis], features int, change func(n *Node),
) *Ensemble[*Axis] {
	t.Helper()
	members := make([]*Axis, e.Len())
	for i, tree := range e.Trees {
		nodes := make(Nodes, tree.Len())
		for k := range nodes {
			if tree.Read(k, &nodes[k]); nodes[k].Left >= 0 && nodes[k].Feature < features {
				change(&nodes[k])
			}
		}
		var err error
		if members[i], err = NewAxis(e.Dim(), tree.Comparison, nodes); err != nil {
			t.Fatal(err)
		}
	}
	made, err := NewEnsemble(members, Vote{Rule: e.Vote.Rule, Single: e.Vote.Single})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// withSets returns an ensemble whose tests of the first features are of sets.
func withSets(t testing.TB, rng *rand.Rand, e *Ensemble[*Axis], features int) *Ensemble[*Axis] {
	t.Helper()
	return changed(t, e, features, func(n *Node) {
		first := int(10*n.Threshold) - 10
		for v := first; v < first+20; v += 1 + rng.IntN(10) {
			n.Thresholds = append(n.Thresholds, float64(v)/10)
		}
		n.Thresholds = append(n.Thresholds, float64(first+30)/10)
	})
}

// TestBatch compares labels with those of single rows: on thresholds and beside them, with
// missing values, in blocks of all sizes.
func TestBatch(t *testing.T) {
	masked, large := 0, 0
	for number := range uint64(200) {
		rng := rand.New(rand.NewPCG(number, 31))
		const dim = 3
		count := 1 + rng.IntN(9)
		if number%6 == 0 {
			count += 40 // whose sets have many ends together
		}
		e := drawGrown(t, rng, count, dim, rng.IntN(6))
		if number%3 == 0 {
			e = withSets(t, rng, e, 1+rng.IntN(dim))
		}
		batch := NewBatch(e)
		if w := batch.double; w != nil && w.masks != nil {
			masked++
		} else if w != nil && w.bits != nil {
			large++
		}
		rows := make([]float64, dim*(1+rng.IntN(70)))
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
	if masked == 0 || large == 0 {
		t.Errorf("%d ensembles with masks, %d with words of bits: want both", masked, large)
	}
}

// TestBatchOfLargeSets: where the bits of sets would take too much memory, rows are predicted one
// by one.
func TestBatchOfLargeSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 33))
	const count = 2000
	members := make([]*Axis, count)
	for i := range members {
		thresholds := make([]float64, 100)
		for k := range thresholds {
			thresholds[k] = float64(i*len(thresholds) + k)
		}
		nodes := []Node{{Thresholds: thresholds, Left: 1, Right: 2, Value: []float64{0, 0}},
			{Left: -1, Right: -1, Value: []float64{rng.Float64(), 0}},
			{Left: -1, Right: -1, Value: []float64{0, count * rng.Float64()}}}
		var err error
		members[i], err = NewAxis(1, AtMostFloat64, Nodes(nodes))
		if err != nil {
			t.Fatal(err)
		}
	}
	e, err := NewEnsemble(members, Vote{Rule: Sum})
	if err != nil {
		t.Fatal(err)
	}
	batch := NewBatch(e)
	rows := []float64{-1, 0, 0.5, 1.5, 77, 154_000.5, math.NaN(), 1e6}
	labels := make([]int, len(rows))
	batch.Predict(rows, labels)
	for i, label := range labels {
		if want := e.Predict(rows[i : i+1]); label != want {
			t.Errorf("%v has label %d, want %d", rows[i], label, want)
		}
	}
	if batch.double != nil || !slices.Contains(labels, 0) || !slices.Contains(labels, 1) {
		t.Errorf("labels %v of bits: want both, one by one", labels)
	}
}

// BenchmarkBatch predicts with 100 trees of depth 6, row by row and in blocks.
func BenchmarkBatch(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 32))
	const dim, count = 20, 512
	e := drawGrown(b, rng, 100, dim, 6)
	sets := withSets(b, rng, e, dim/2)
	rows, labels := make([]float64, dim*count), make([]int, count)
	for j := range rows {
		rows[j] = rng.NormFloat64()
	}
	missing := slices.Clone(rows)
	for j := range missing {
		if rng.IntN(10) == 0 {
			missing[j] = math.NaN()
		}
	}
	run := func(name string, e *Ensemble[*Axis], rows []float64) {
		batch := NewBatch(e)
		b.Run("rows/"+name, func(b *testing.B) {
			for b.Loop() {
				for i := range labels {
					labels[i] = e.Predict(rows[i*dim : (i+1)*dim])
				}
			}
			b.ReportMetric(float64(b.N*count)/b.Elapsed().Seconds(), "rows/s")
		})
		b.Run("blocks/"+name, func(b *testing.B) {
			for b.Loop() {
				batch.Predict(rows, labels)
			}
			b.ReportMetric(float64(b.N*count)/b.Elapsed().Seconds(), "rows/s")
		})
	}
	run("numbers", e, rows)
	run("missing", e, missing)
	run("sets", sets, rows)
	codes := slices.Clone(rows)
	for j := range codes {
		if j%dim < dim/2 {
			codes[j] = float64(rng.IntN(28))
		}
	}
	run("codes", changed(b, e, dim/2, func(n *Node) {
		n.Threshold = float64(rng.IntN(28)) + .5
	}), codes)
	run("sets of codes", changed(b, e, dim/2, func(n *Node) {
		n.Thresholds = []float64{28, 29}
		for c := 27; c >= 0; c-- {
			if rng.IntN(2) == 0 { // c goes another way than c+1
				n.Thresholds = slices.Insert(n.Thresholds, 0, float64(c)+.5)
			}
		}
	}), codes)
}
