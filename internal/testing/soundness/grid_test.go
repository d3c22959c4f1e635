package soundness

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// border is the end of the inputs that go left, on the real line.
type border struct {
	end    float64
	closed bool
}

// borderOf returns where goesLeft changes. Between the last float32 that goes left
// and the next one rounding changes in the middle.
func borderOf(c classifier.Comparison, threshold float64) border {
	switch c {
	case classifier.AtMostFloat64:
		return border{threshold, true}
	case classifier.BelowFloat64:
		return border{threshold, false}
	}
	if !goesLeft(c, math.Inf(-1), threshold) {
		return border{math.Inf(-1), false}
	}
	last := float32(threshold)
	for !goesLeft(c, float64(last), threshold) {
		last = math.Nextafter32(last, float32(math.Inf(-1)))
	}
	if math.IsInf(float64(last), 1) {
		return border{math.Inf(1), false}
	}
	next := math.Nextafter32(last, float32(math.Inf(1)))
	end := beyond32(last)/2 + beyond32(next)/2
	return border{end, goesLeft(c, end, threshold)}
}

// beyond32 returns v, and for infinities the power of two that takes their place in
// rounding.
func beyond32(v float32) float64 {
	return max(-0x1p128, min(0x1p128, float64(v)))
}

// infimum returns the distance of the nearest box of intervals whose label answers.
func (in *Trees) infimum(from int) Infimum { return in.apart(from, nil) }

// apart is infimum without inputs that change all of a set of features.
func (in *Trees) apart(from int, sets [][]int) Infimum {
	borders := in.allBorders()
	s := &gridSearch{q: &in.Query, from: from, choices: in.choices(borders), sets: sets}
	s.label = func(at []int) int {
		return in.vote(func(n trees.Node) bool {
			if at[n.Feature] == absent {
				return n.MissingLeft
			}
			return at[n.Feature] <= rankOf(borders[n.Feature], borderOf(in.Comparison, n.Threshold))
		})
	}
	return s.infimum()
}

func (in *Trees) allBorders() (all [][]border) {
	for f := range in.Dim {
		all = append(all, in.borders(f))
	}
	return all
}

// rankOf returns the number of a border among all.
func rankOf(borders []border, b border) int {
	number, _ := slices.BinarySearchFunc(borders, b,
		func(a, b border) int { return cmp.Compare(a.end, b.end) })
	return number
}

// borders returns the different borders of a feature, ascending.
func (in *Trees) borders(f int) []border {
	var all []border
	for _, nodes := range in.Trees {
		for _, n := range nodes {
			if n.Left >= 0 && n.Feature == f {
				all = append(all, borderOf(in.Comparison, n.Threshold))
			}
		}
	}
	return ascending(all)
}

func ascending(all []border) []border {
	slices.SortFunc(all, func(a, b border) int { return cmp.Compare(a.end, b.end) })
	return slices.Compact(all)
}

// interval returns an interval between borders as a set of real numbers.
func interval(borders []border, number int) polytope.Interval {
	s := polytope.Line()
	if number > 0 {
		s = geometry.Intersect(s, polytope.Interval{
			Lo:     borders[number-1].end,
			LoOpen: borders[number-1].closed,
			Hi:     math.Inf(1),
		})
	}
	if number < len(borders) {
		s = geometry.Intersect(s, polytope.Interval{
			Lo:     math.Inf(-1),
			Hi:     borders[number].end,
			HiOpen: !borders[number].closed,
		})
	}
	return s
}

// vacant tells whether no number lies in an interval.
func vacant(s polytope.Interval) bool {
	return s.Lo > s.Hi || (s.Lo == s.Hi && (s.LoOpen || s.HiOpen)) || math.IsInf(s.Lo, 1) ||
		math.IsInf(s.Hi, -1)
}

// gridSearch goes through all boxes of intervals.
type gridSearch struct {
	q       *Query
	choices [][]choice
	from    int
	sets    [][]int // features not all of which may change
	label   func(at []int) int
	at      []int  // the interval of each feature, absent if it is missing
	kept    []bool // by feature, and by first member of a group
	rough   float64
	best    *big.Rat
}

func (s *gridSearch) infimum() Infimum {
	s.at, s.kept, s.rough = make([]int, len(s.q.X)), make([]bool, len(s.q.X)), math.Inf(1)
	if s.visit(0, nil); s.best == nil {
		return Infimum{None: true, Norm: s.q.Norm}
	}
	return Infimum{Norm: s.q.Norm, Cost: s.best}
}

// visit goes through the choices from one on, costs being those of the ones before.
func (s *gridSearch) visit(next int, costs []*big.Rat) {
	if next < len(s.choices) {
		for _, c := range s.choices[next] {
			// Leaves room for roughness: 1e-9 is far above rounding.
			if c.rough > s.rough*(1+1e-9) {
				break
			}
			for i, f := range c.features {
				s.at[f] = c.intervals[i]
			}
			s.kept[c.features[0]] = c.kept
			s.visit(next+1, append(costs[:len(costs):len(costs)], c.cost))
		}
		return
	}
	for _, set := range s.sets {
		if !slices.ContainsFunc(set, func(j int) bool { return s.kept[j] }) {
			return
		}
	}
	if !s.q.reaches(s.from, s.label(s.at)) {
		return
	}
	if cost := costOf(s.q.Norm, costs); s.best == nil || cost.Cmp(s.best) < 0 {
		s.best, s.rough = cost, Infimum{Norm: s.q.Norm, Cost: cost}.Float()
	}
}
