package robust

import (
	"math"
	"slices"
)

// choice says of rows which are right if they go left, and which if they go right.
type choice struct {
	rows            []uint32
	onLeft, onRight []bool // of all rows
}

// division is a split, and the weight of the rows that it gets right: negative of none.
type division struct {
	feature     int
	first, last int // thresholds that are as good
	weight      float64
}

// labelled returns the choice between two leaves.
func (p *passes) labelled(rows []uint32, alive []bool, labels [2]int) choice {
	of := choice{rows, make([]bool, len(alive)), make([]bool, len(alive))}
	for _, i := range rows {
		of.onLeft[i] = alive[i] && p.y[i] == labels[0]
		of.onRight[i] = alive[i] && p.y[i] == labels[1]
	}
	return of
}

// tally are rows up to a value: how many, and the weights of those that are right on a side, or on
// both.
type tally struct {
	count             int
	left, right, both float64
}

// of adds up the rows of a choice by the values of a feature, as scanner.add does.
func (p *passes) of(c *column, of choice) (upto []tally, low, high uint32) {
	low = math.MaxUint32
	for _, i := range of.rows {
		low, high = min(low, c.rank[i]), max(high, c.rank[i])
	}
	upto = make([]tally, int(high-low)+2)
	for _, i := range of.rows {
		t := &upto[c.rank[i]-low+1]
		t.count++
		if of.onLeft[i] {
			t.left += p.weight[i]
		}
		if of.onRight[i] {
			t.right += p.weight[i]
		}
		if of.onLeft[i] && of.onRight[i] {
			t.both += p.weight[i]
		}
	}
	for k, t := range upto[1:] {
		last := upto[k]
		upto[k+1] = tally{
			t.count + last.count, t.left + last.left, t.right + last.right, t.both + last.both,
		}
	}
	return upto, low, high
}

// rate returns the weight of the rows that a node's split gets right: less than none if it leaves
// too few rows on a side, or all.
func (p *passes) rate(of choice, n *node) division {
	c, t := &p.columns[n.feature], p.place(n)
	upto, low, high := p.of(c, of)
	at := func(rank uint32) tally { return upto[min(max(rank, low), high+1)-low] }
	return division{feature: n.feature, weight: p.right(at(c.must[t]), at(c.may[t]), upto)}
}

// right returns the weight of the rows that are right, of those up to the last that must and may go
// left, and of all.
func (p *passes) right(must, may tally, upto []tally) float64 {
	all := upto[len(upto)-1]
	if least := max(p.options.MinLeaf, 1); must.count == 0 || may.count == all.count ||
		may.count < least || all.count-must.count < least {
		return -1
	}
	return must.left + (may.both - must.both) + (all.right - may.right)
}

// search looks for a split that gets more rows right, by more than rounding.
func (p *passes) search(of choice, best *division) (found bool) {
	for _, feature := range p.order {
		c := &p.columns[feature]
		if len(c.thresholds) == 0 {
			continue
		}
		upto, low, high := p.of(c, of)
		first, _ := slices.BinarySearch(c.must, low+1)
		running := false
		for t := first; t < len(c.thresholds) && c.may[t] <= high; t++ {
			weight := p.right(upto[c.must[t]-low], upto[c.may[t]-low], upto)
			switch rounding := gain * max(1, weight); {
			case weight > best.weight+rounding:
				*best = division{feature: feature, first: t, last: t, weight: weight}
				running, found = true, true
			case running && weight >= best.weight-rounding:
				best.last = t
			default:
				running = false
			}
		}
	}
	return found
}
