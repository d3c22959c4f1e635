package robustsplit

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// scan scores the thresholds of a sorted column in increasing order. What the authors'
// code counts anew for each threshold it takes from running sums, and of the adversary's
// choices it looks only at those that can be the closest; the results are the same to the
// last bit.
type scan struct {
	g *grower
	n [2]float64 // rows of each class that the node is taken to have

	values []float32
	before [2][]float64 // by position, the rows of each class before it, as often as drawn
	ones   []int        // likewise, those of class 1, each once
	zeros  []int        // positions of the rows of class 0
	first  []int        // by position, which of zeros is the first from there on
	lo, hi int          // the rows near the threshold

	// What is left of n[1]·m divided by n[0], and n[0] less that.
	rest, lack remainders
}

// remainders are numbers by m, 0 where the division has none.
type remainders struct {
	of    []int
	order []int // the m of others than 0, the largest first, of equal ones the least m
}

// sort completes remainders.
func (r *remainders) sort() {
	for m, v := range r.of {
		if v > 0 {
			r.order = append(r.order, m)
		}
	}
	slices.SortFunc(r.order, func(a, b int) int { return cmp.Or(r.of[b]-r.of[a], a-b) })
}

func (g *grower) newScan(rows int, n [2]float64) *scan {
	s := &scan{g: g, n: n, ones: make([]int, rows+1), first: make([]int, rows+1)}
	for label := range s.before {
		s.before[label] = make([]float64, rows+1)
	}
	if n[0] == 0 {
		return s
	}
	// The adversary asks for m of up to all rows as often as drawn, and the rows near to it.
	most := len(g.weights) + rows + 1
	s.rest.of, s.lack.of = make([]int, most), make([]int, most)
	for m := range most {
		if r := int(n[1]) * m % int(n[0]); r > 0 {
			s.rest.of[m], s.lack.of[m] = r, int(n[0])-r
		}
	}
	s.rest.sort()
	s.lack.sort()
	return s
}

// begin takes up a sorted column.
func (s *scan) begin(c column) {
	s.values, s.lo, s.hi, s.zeros = c.values, 0, 0, s.zeros[:0]
	for k, i := range c.rows {
		label := s.g.y[i]
		s.first[k] = len(s.zeros)
		if label == 0 {
			s.zeros = append(s.zeros, k)
		}
		s.before[label][k+1] = s.before[label][k] + s.g.weights[i]
		s.before[1-label][k+1] = s.before[1-label][k]
		s.ones[k+1] = s.ones[k] + label
	}
	s.first[len(c.rows)] = len(s.zeros)
}

// score is the impurity that a threshold removes, less that of the node, when the
// adversary has moved the rows near to it.
func (s *scan) score(threshold float32) float64 {
	low, high := float64(threshold)-s.g.options.Epsilon, float64(threshold)+s.g.options.Epsilon
	rows := len(s.values)
	for s.lo < rows && float64(s.values[s.lo]) <= low {
		s.lo++
	}
	for s.hi = max(s.hi, s.lo); s.hi < rows && float64(s.values[s.hi]) < high; s.hi++ {
	}
	var left, right, near [2]float64
	for label, before := range s.before {
		left[label] = before[s.lo]
		near[label] = before[s.hi] - before[s.lo]
		right[label] = before[rows] - before[s.hi]
	}
	for label, d := range s.adversary(left, near) {
		left[label] += d
		right[label] += near[label] - d
	}
	return -remaining(left, right, s.n[0]+s.n[1])
}

// choice is the closest that the adversary has come, and the rows of each class that it
// then sends left.
type choice struct {
	apart float64
	moved [2]float64
}

// adversary returns how many rows near the threshold it sends left. For d₀, each position
// among these of a row of class 0, with m = d₀ + left₀, the authors' code tries the whole
// number below n₁·m/n₀, and the rows of class 1 on the left added to it, but at most near₁;
// none if n₁·m/n₀ is whole. The difference then is, times n₀·n₁, the rest of that division from a
// multiple of n₀, and where near₁ limits it, n₁·m from a number. So the closest have the largest
// rest, or, with no row of class 1 on the left, the smallest; or the m next to that number. Others
// are farther by 1/(n₀·n₁), more than the rounding error.
func (s *scan) adversary(left, near [2]float64) [2]float64 {
	best := choice{apart: math.Inf(1)}
	if s.n[0] == 0 || s.n[1] == 0 {
		return best.moved
	}
	zeros := s.zeros[s.first[s.lo]:s.first[s.hi]]
	shift := int(left[0]) - s.lo // m is the position and this
	ones := s.ones[s.lo]
	limited := sort.Search(len(zeros), func(i int) bool {
		return int(s.n[1])*(zeros[i]+shift) >= int(s.n[0])*(int(near[1])-ones)
	})
	table := &s.rest
	if ones == 0 && left[1] == 0 {
		table = &s.lack
	}
	try := func(p int) { s.try(&best, p, left, near) }
	if limited > 0 && !s.ranked(table, zeros[:limited], shift, try) {
		largest := 1
		for _, p := range zeros[:limited] {
			switch r := table.of[p+shift]; {
			case r < largest:
			case r > largest:
				largest, best.apart = r, math.Inf(1)
				fallthrough
			default:
				try(p)
			}
		}
	}
	zeros = zeros[limited:]
	above := sort.Search(len(zeros), func(i int) bool {
		return int(s.n[1])*(zeros[i]+shift) >= int(s.n[0])*int(near[1]+left[1])
	})
	below := above - 1
	for below >= 0 && s.rest.of[zeros[below]+shift] == 0 {
		below--
	}
	for above < len(zeros) && s.rest.of[zeros[above]+shift] == 0 {
		above++
	}
	if below >= 0 {
		try(zeros[below])
	}
	if above < len(zeros) {
		try(zeros[above])
	}
	return best.moved
}

// ranked tries those of the positions that have the largest remainder, by going through
// the remainders from the largest on. It gives up, and reports so, when that takes longer
// than to look at each position.
func (s *scan) ranked(r *remainders, zeros []int, shift int, try func(position int)) bool {
	tries, found := len(zeros), 0
	for _, m := range r.order {
		if r.of[m] < found {
			return true
		}
		if p := m - shift; p >= zeros[0] && p <= zeros[len(zeros)-1] && s.first[p] < s.first[p+1] {
			found = r.of[m]
			try(p)
		} else if tries--; tries < 0 && found == 0 {
			return false
		}
	}
	return true
}

// try takes the choice at a position if it is closer than the best so far.
func (s *scan) try(best *choice, position int, left, near [2]float64) {
	d0 := float64(position - s.lo)
	goal := s.n[1] * (left[0] + d0) / s.n[0]
	d1 := min(math.Floor(goal)+float64(s.ones[s.lo]), near[1])
	apart := math.Abs((d0+left[0])/s.n[0] - (d1+left[1])/s.n[1])
	if apart < best.apart {
		*best = choice{apart, [2]float64{d0, d1}}
	}
}
