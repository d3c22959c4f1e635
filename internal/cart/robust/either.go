package robust

import (
	"cmp"
	"math"
	"slices"
)

// stumpScanner scans features in memory of its own.
type stumpScanner struct {
	weight  [][2]float64 // of the rows of each value, by label
	below   [][2]float64 // of the rows of smaller values
	between []either
}

// either are rows of a label and a value between: the factor of their loss if their worst place is
// on the left, where equal values add 0, and if it is on the right.
type either struct {
	label       int
	left, right float64
	turn        float64 // the ratio e^(right value − left value) at which both are as bad
}

// scan looks for a better stump of a feature.
func (c *stumpScanner) scan(s *stumps, feature int, best *stump) {
	p := &s.features[feature]
	if len(p.thresholds) == 0 {
		return
	}
	total := c.add(s, p)
	for t := range p.thresholds {
		must, may := p.must[t], p.may[t]
		if p.count[may] < s.options.MinLeaf || len(s.y)-p.count[must] < s.options.MinLeaf {
			continue
		}
		sure := surely{left: c.below[must]}
		for label := range 2 {
			sure.left[label] += s.loss.prior
			sure.right[label] = total[label] - c.below[may][label] + s.loss.prior
		}
		found, known := c.plain(p, sure, t, best.loss)
		if !known {
			c.meet(p, t)
			found.loss = sure.bound(c.between)
			if found.loss < best.loss {
				found = sure.least(c.between)
			}
		}
		if found.loss < best.loss {
			*best, best.feature, best.threshold = found, feature, t
		}
	}
}

// plain returns the best stump of a threshold if that is known without a look at the rows between.
// Where the sums of the feature never fall, and the right value is not less than the left one,
// label 1 is worst off on the left, with the value that it has there already, and label 0 on the
// right. The best ratio then is the best of all if it is in that order. If not, its loss is a bound
// of the least. Where sums never rise it is the other way round.
func (c *stumpScanner) plain(
	p *pieces, sure surely, threshold int, most float64,
) (found stump, known bool) {
	must, may := p.must[threshold], p.may[threshold]
	var between [2]float64
	for label := range between {
		between[label] = c.below[may][label] - c.below[must][label]
	}
	rises, falls := p.trend(must, may)
	if rises {
		s := sure
		s.left[1] += between[1]
		s.right[0] += between[0]
		found = s.stump(s.ratio())
		if found.right >= found.left || found.loss >= most {
			return found, true
		}
	}
	if falls {
		s := sure
		s.right[1] += between[1]
		s.left[0] += between[0]
		found = s.stump(s.ratio())
		if found.right <= found.left || found.loss >= most {
			return found, true
		}
	}
	return found, false
}

// add adds up the weights of rows by values, and returns that of all.
func (c *stumpScanner) add(s *stumps, p *pieces) [2]float64 {
	values := len(p.first)
	c.weight = slices.Grow(c.weight[:0], values)[:values]
	c.below = append(c.below[:0], [2]float64{})
	clear(c.weight)
	for i, w := range s.weight {
		c.weight[p.rank[i]][s.y[i]] += w
	}
	for k, w := range c.weight {
		last := c.below[k]
		c.below = append(c.below, [2]float64{last[0] + w[0], last[1] + w[1]})
	}
	return c.below[values]
}

// meet collects the rows between at a threshold.
func (c *stumpScanner) meet(p *pieces, threshold int) {
	c.between = c.between[:0]
	for rank := p.must[threshold]; rank < p.may[threshold]; rank++ {
		left := p.sums.of(p.first[rank], threshold)
		right := p.sums.of(threshold+1, p.last[rank])
		for label, w := range c.weight[rank] {
			if w == 0 {
				continue
			}
			l, r := left.worst(label), right.worst(label)
			e := either{label: label, left: w, right: w}
			if now := min(l, r); l > now {
				e.left *= math.Exp(now - l)
			} else if r > now {
				e.right *= math.Exp(now - r)
			}
			e.turn = e.right / e.left
			if label == 0 {
				e.turn = e.left / e.right
			}
			c.between = append(c.between, e)
		}
	}
}

// surely are the weights, by label, of the rows whose worst place is on the left, or on the right.
type surely struct{ left, right [2]float64 }

// bound returns the least loss when the adversary chooses the places of the rows between first:
// no stump has less when it may choose them last.
func (s surely) bound(between []either) float64 {
	for _, e := range between {
		if e.left >= e.right {
			s.left[e.label] += e.left
		} else {
			s.right[e.label] += e.right
		}
	}
	return 2 * (math.Sqrt(s.left[0]*s.left[1]) + math.Sqrt(s.right[0]*s.right[1]))
}

// least returns the stump of least loss. As the ratio grows that the right value's exponential has
// to the left one's, rows between turn: of label 1 from right to left, of label 0 from left to
// right. While none turns the best ratio is a closed form, and the loss is convex: the first ratio
// that is best before the next turn is the best of all.
func (s surely) least(between []either) stump {
	slices.SortFunc(between, func(a, b either) int { return cmp.Compare(a.turn, b.turn) })
	for _, e := range between {
		if e.label == 1 {
			s.right[1] += e.right
		} else {
			s.left[0] += e.left
		}
	}
	low := 0.0
	for _, e := range append(between, either{turn: math.Inf(1)}) {
		if ratio := s.ratio(); ratio <= e.turn {
			return s.stump(max(ratio, low))
		}
		low = e.turn
		if e.label == 1 {
			s.right[1] -= e.right
			s.left[1] += e.left
		} else {
			s.left[0] -= e.left
			s.right[0] += e.right
		}
	}
	return stump{loss: math.Inf(1)} // no weight is a number
}

// ratio returns the best ratio if no row turns.
func (s surely) ratio() float64 {
	return math.Sqrt(s.right[1] / s.left[1] * (s.left[0] / s.right[0]))
}

// stump returns the best values in a ratio.
func (s surely) stump(ratio float64) stump {
	p, n := s.left[1]+s.right[1]/ratio, s.left[0]+s.right[0]*ratio
	left := pool{n, p, 1}.value()
	return stump{left: left, right: left + math.Log(ratio), loss: 2 * math.Sqrt(p*n)}
}
