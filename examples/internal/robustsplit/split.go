package robustsplit

import "math"

// split is a way to divide a node.
type split struct {
	found     bool
	feature   int
	threshold float32
	left      int // rows that go left, one less than are on that side
	score     float64
}

// bestSplit scores all splits of the rows first ≤ i < end and leaves them sorted by the
// last feature.
func (g *grower) bestSplit(first, end int) split {
	best := split{score: math.Inf(-1)}
	c := column{make([]float32, end-first), g.rows[first:end]}
	n, both := g.positions(first, end)
	if !both {
		return best
	}
	s := g.newScan(end-first, n)
	for feature := range g.dim {
		for k, i := range c.rows {
			c.values[k] = g.x[i*g.dim+feature]
		}
		c.sort()
		s.begin(c)
		for k := 1; k < len(c.values)-1; k++ {
			threshold := (c.values[k] + c.values[k+1]) / 2
			if score := s.score(threshold); score > best.score {
				best = split{true, feature, threshold, k, score}
			}
		}
	}
	return best
}

// positions counts the rows whose numbers are the positions first ≤ i < end, as often as
// drawn, and reports whether they are of both classes. Without that no split has a score.
func (g *grower) positions(first, end int) (of [2]float64, both bool) {
	for i := first; i < end; i++ {
		of[g.y[i]] += g.weights[i]
		both = both || g.y[i] != g.y[first]
	}
	return of, both
}

// remaining is the entropy of the two sides of a node of so many rows, in proportion to
// their sizes; of one side alone where the other one is empty.
func remaining(left, right [2]float64, rows float64) float64 {
	sum := 0.0
	l, r := left[0]+left[1], right[0]+right[1]
	for _, k := range left {
		switch {
		case r == 0:
			sum += part(k, l)
		case l != 0:
			sum += l / rows * part(k, l)
		}
	}
	for _, k := range right {
		switch {
		case r == 0:
		case l == 0:
			sum += part(k, r)
		default:
			sum += r / rows * part(k, r)
		}
	}
	return sum
}
