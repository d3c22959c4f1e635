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
	for feature := range g.dim {
		for k, i := range c.rows {
			c.values[k] = g.x[i*g.dim+feature]
		}
		c.sort()
		for k := 1; k < len(c.values)-1; k++ {
			threshold := (c.values[k] + c.values[k+1]) / 2
			if score := g.score(c, threshold, n); score > best.score {
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

// score is the impurity that a threshold removes, less that of the node, when the
// adversary has moved the rows near to it. The node's rows are counted as given.
func (g *grower) score(c column, threshold float32, n [2]float64) float64 {
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
	moved := g.adversary(band, n, left, near, leftRows)
	for label, d := range moved {
		left[label] += d
		right[label] += near[label] - d
	}
	return -remaining(left, right, n[0]+n[1])
}

// adversary returns how many rows of the band it sends left.
func (g *grower) adversary(band []int, n, left, near [2]float64, leftRows float64) (moved [2]float64) {
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
