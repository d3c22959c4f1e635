package robustsplit

import (
	"math"
	"math/rand/v2"
	"testing"
)

// plainScore finds the score of scan.score as the authors' code does: anew for each threshold, with
// every choice of the adversary.
func plainScore(g *grower, c column, threshold float32, n [2]float64) float64 {
	var left, right, near [2]float64
	var leftRows float64 // of class 1, each once
	var band []int
	for k, v := range c.values {
		i := c.rows[k]
		switch label := g.y[i]; {
		case float64(v) <= float64(threshold)-g.options.Epsilon:
			left[label] += g.weights[i]
			leftRows += float64(label)
		case float64(v) >= float64(threshold)+g.options.Epsilon:
			right[label] += g.weights[i]
		default:
			near[label] += g.weights[i]
			band = append(band, i)
		}
	}
	for label, d := range plainAdversary(g, band, n, left, near, leftRows) {
		left[label] += d
		right[label] += near[label] - d
	}
	return -remaining(left, right, n[0]+n[1])
}

func plainAdversary(
	g *grower, band []int, n, left, near [2]float64, leftRows float64,
) (moved [2]float64) {
	if n[0] == 0 {
		return moved
	}
	closest := math.Inf(1)
	for d, i := range band {
		if g.y[i] == 1 {
			continue
		}
		d0 := float64(d)
		goal := n[1] * (left[0] + d0) / n[0]
		for k := math.Floor(goal) + leftRows; k < math.Ceil(goal)+leftRows; k++ {
			d1 := min(k, near[1])
			if apart := math.Abs((d0+left[0])/n[0] - (d1+left[1])/n[1]); apart < closest {
				closest, moved = apart, [2]float64{d0, d1}
			}
		}
	}
	return moved
}

// TestScan compares scores of random columns, with few and many ties, drawn rows and
// counts of other rows, to the last bit.
func TestScan(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	compared := 0
	for range 600 {
		rows := 3 + rng.IntN(60)
		g := &grower{
			options: Options{Epsilon: []float64{0, 0.1, 0.3, 0.6}[rng.IntN(4)]},
			y:       make([]int, rows), weights: make([]float64, rows),
		}
		c := column{make([]float32, rows), make([]int, rows)}
		distinct, share := 2+rng.IntN(100), rng.Float64()
		for i := range rows {
			if rng.Float64() < share {
				g.y[i] = 1
			}
			g.weights[i] = float64(1 + rng.IntN(1+rng.IntN(3)))
			c.values[i], c.rows[i] = float32(rng.IntN(distinct))/float32(distinct), i
		}
		c.sort()
		var n [2]float64
		for range rows {
			n[rng.IntN(2)] += float64(rng.IntN(2))
		}
		if n[0]+n[1] == 0 {
			continue
		}
		// of rows that are not in the node
		g.weights = append(g.weights, make([]float64, 4*rows)...)
		s := g.newScan(rows, n)
		s.begin(c)
		for k := 1; k < rows-1; k++ {
			threshold := (c.values[k] + c.values[k+1]) / 2
			want := plainScore(g, c, threshold, n)
			if got := s.score(threshold); math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("threshold %v of %v: score %v, want %v", threshold, c.values, got, want)
			}
			compared++
		}
	}
	if compared < 5000 {
		t.Errorf("%d scores were compared", compared)
	}
}
