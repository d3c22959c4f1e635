package soundness

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// choice is where some features go together: a feature into an interval, or the members of a group.
type choice struct {
	features, intervals []int
	kept                bool     // may be where it is
	cost                *big.Rat // the least that it costs
	rough               float64
}

// absent is the interval of a missing value.
const absent = -1

// choices returns those of each feature and group, the cheapest first: there are none if rules
// cannot be kept.
func (in *Trees) choices(borders [][]border) (all [][]choice) {
	q := &in.Query
	for j := range in.Dim {
		if q.rule(j).Group == 0 {
			all = append(all, q.choicesOf(j, borders[j]))
		}
	}
	for _, g := range q.groups() {
		all = append(all, in.choicesOfGroup(g, borders))
	}
	q.sort(all)
	return all
}

// sort puts the cheapest of each list of choices first.
func (q *Query) sort(all [][]choice) {
	for _, list := range all {
		for i := range list {
			list[i].rough = Infimum{
				Norm: q.Norm,
				Cost: costOf(q.Norm, []*big.Rat{list[i].cost}),
			}.Float()
		}
		slices.SortStableFunc(list, func(a, b choice) int { return cmp.Compare(a.rough, b.rough) })
	}
}

// choicesOf returns the choices of a feature that is no member of a group.
func (q *Query) choicesOf(j int, borders []border) (list []choice) {
	add := func(number int, cost *big.Rat, kept bool) {
		if cost != nil {
			list = append(list, choice{
				features:  []int{j},
				intervals: []int{number},
				kept:      kept,
				cost:      cost,
			})
		}
	}
	switch missing := math.IsNaN(q.X[j]); {
	case missing:
		add(absent, new(big.Rat), true)
	case !q.stays(j) && q.rule(j).Missing == attack.MayMiss:
		add(absent, finite1(q.rule(j).Up), false)
	}
	if q.stays(j) && math.IsNaN(q.X[j]) {
		return list
	}
	free := polytope.Line()
	if box := q.box(); box != nil {
		free = box[j]
	}
	for number := range len(borders) + 1 {
		if s := geometry.Intersect(interval(borders, number), free); !vacant(s) {
			add(number, q.cheapest(j, s), s.Contains(q.X[j]) && q.keeps(j))
		}
	}
	return list
}

// cheapest returns the least cost of the numbers of an interval within the box, nil if none is
// allowed. An end that is open is one.
func (q *Query) cheapest(j int, s polytope.Interval) (least *big.Rat) {
	x := q.X[j]
	if q.stays(j) {
		return new(big.Rat)
	}
	if q.rule(j).Categorical {
		return q.cheapestCode(j, s)
	}
	if q.rule(j).Step == 0 {
		if math.IsNaN(x) {
			return finite1(q.rule(j).Up)
		}
		to := rat(min(max(x, s.Lo), s.Hi))
		if !s.Contains(x) && (x == s.Lo || x == s.Hi) {
			return q.justBeside(j, x == s.Lo)
		}
		return q.moved(j, to)
	}
	for _, k := range q.numbers(j, s) {
		if v := q.gridValue(j, k); s.Contains(v) {
			if cost := q.moved(j, rat(v)); cost != nil && (least == nil || cost.Cmp(least) < 0) {
				least = cost
			}
		}
	}
	return least
}

// keeps tells whether a number that lies where it may be may stay: on its grid, if it has one.
func (q *Query) keeps(j int) bool {
	return q.stays(j) || q.rule(j).Step == 0 || q.onGrid(j, q.X[j])
}

// cheapestCode returns the least cost of the values that a category may have in an interval.
func (q *Query) cheapestCode(j int, s polytope.Interval) *big.Rat {
	if s.Contains(q.X[j]) {
		return new(big.Rat)
	}
	least := math.Ceil(max(s.Lo, 0))
	if !s.Contains(least) {
		least++ // the end is open
	}
	if !s.Contains(least) || !q.isCode(j, least) {
		return nil
	}
	return finite1(q.rule(j).Up)
}

// justBeside is the cost of the numbers next to X, above or below: 0, or a flat price.
func (q *Query) justBeside(j int, above bool) *big.Rat {
	price := q.rule(j).Down
	if above {
		price = q.rule(j).Up
	}
	cost := finite1(price)
	if cost != nil && q.Norm != instance.Changes {
		cost.SetInt64(0)
	}
	return cost
}

// numbers lists the grid values around the ends of an interval, and around X.
func (q *Query) numbers(j int, s polytope.Interval) (all []float64) {
	f, near := q.rule(j), 0.0
	if x := q.X[j]; !math.IsNaN(x) {
		near = x
	}
	for _, v := range []float64{s.Lo, s.Hi, min(max(near, s.Lo), s.Hi)} {
		if math.IsInf(v, 0) {
			continue
		}
		middle := math.Round((v - f.Origin) / f.Step)
		for off := -3.0; off <= 3; off++ {
			if k := middle + off; math.Abs(k) <= 1<<53 {
				all = append(all, k)
			}
		}
	}
	return all
}

func (in *Trees) choicesOfGroup(g []int, borders [][]border) (list []choice) {
	q := &in.Query
	intervalsOf := func(z []float64) (intervals []int) {
		for _, j := range g {
			number := 0
			for !interval(borders[j], number).Contains(z[j]) {
				number++
			}
			intervals = append(intervals, number)
		}
		return intervals
	}
	if q.still(g) {
		return []choice{{features: g, intervals: intervalsOf(q.X), kept: true, cost: new(big.Rat)}}
	}
	for _, member := range g {
		if cost := q.chosen(g, member); cost != nil {
			z := make([]float64, in.Dim)
			z[member] = 1
			kept := hot(g, q.X) == member
			list = append(list,
				choice{features: g, intervals: intervalsOf(z), kept: kept, cost: cost})
		}
	}
	return list
}
