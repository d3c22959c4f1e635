package robust

import (
	"math/bits"
	"slices"
)

// pieces are the intervals between the thresholds of a feature, with the sum of its stumps on each.
type pieces struct {
	*column
	first, last []int // pieces that a value of each rank may be moved to
	count       []int // of the rows below each rank
	sums        ranges
	// Up to which piece sums never fall from each on, and never rise; nil while all are 0.
	rises, falls []int
}

func newPieces(c *column) pieces {
	values := c.values
	p := pieces{
		column: c, first: make([]int, values), last: make([]int, values),
		count: make([]int, values+1),
	}
	for rank := range uint32(values) {
		p.first[rank], _ = slices.BinarySearch(c.may, rank+1)
		p.last[rank], _ = slices.BinarySearch(c.must, rank+1)
	}
	for _, rank := range c.rank {
		p.count[rank+1]++
	}
	for k := range values {
		p.count[k+1] += p.count[k]
	}
	return p
}

// add adds a stump of the feature.
func (p *pieces) add(s stump) {
	sums := make([]float64, len(p.thresholds)+1)
	for k := range sums {
		sums[k] = s.left + p.sums.of(k, k).least
		if k > s.threshold {
			sums[k] += s.right - s.left
		}
	}
	p.sums = newRanges(sums)
	p.rises, p.falls = make([]int, len(sums)), make([]int, len(sums))
	for k := len(sums) - 1; k >= 0; k-- {
		p.rises[k], p.falls[k] = k, k
		if k+1 < len(sums) && sums[k] <= sums[k+1] {
			p.rises[k] = p.rises[k+1]
		}
		if k+1 < len(sums) && sums[k] >= sums[k+1] {
			p.falls[k] = p.falls[k+1]
		}
	}
}

// trend reports whether sums never fall, and never rise, where values of the ranks from first to
// before end may be moved to.
func (p *pieces) trend(first, end uint32) (rises, falls bool) {
	if p.rises == nil || first == end {
		return true, true
	}
	from, to := p.first[first], p.last[end-1]
	return p.rises[from] >= to, p.falls[from] >= to
}

// ranges answer for the least and the most of numbers that are next to each other. They hold those
// of 1, 2, 4, … numbers from each on. Without numbers all are 0.
type ranges [][]extremes

// extremes are the least and the most of numbers.
type extremes struct{ least, most float64 }

func newRanges(numbers []float64) ranges {
	level := make([]extremes, len(numbers))
	for i, v := range numbers {
		level[i] = extremes{v, v}
	}
	r := ranges{level}
	for length := 1; 2*length <= len(numbers); length *= 2 {
		next := make([]extremes, len(level)-length)
		for i := range next {
			next[i] = level[i].and(level[i+length])
		}
		r, level = append(r, next), next
	}
	return r
}

// of returns the extremes of the numbers from first to last.
func (r ranges) of(first, last int) extremes {
	if r == nil {
		return extremes{}
	}
	level := bits.Len(uint(last-first+1)) - 1
	return r[level][first].and(r[level][last+1-1<<level])
}

func (e extremes) and(f extremes) extremes {
	return extremes{min(e.least, f.least), max(e.most, f.most)}
}

// worst returns the least that they can add to the margin of a label.
func (e extremes) worst(label int) float64 {
	if label == 0 {
		return -e.most
	}
	return e.least
}
