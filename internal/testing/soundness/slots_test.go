package soundness

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// slot is an interval between two borders of a feature.
type slot struct {
	number int
	apart  *big.Rat // what x must move to get there
	rough  float64
}

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

// infimum returns the distance of the nearest box of slots whose label answers.
func (in *Trees) infimum(from int) Infimum {
	borders, slots := make([][]border, in.Dim), make([][]slot, in.Dim)
	for f := range in.Dim {
		borders[f] = in.borders(f)
		if slots[f] = in.slots(f, borders[f]); len(slots[f]) == 0 {
			return Infimum{None: true, Norm: in.Query.Norm}
		}
	}
	s := &slotSearch{in: in, borders: borders, slots: slots, from: from, at: make([]slot, in.Dim), rough: math.Inf(1)}
	s.visit(0)
	if s.best == nil {
		return Infimum{None: true, Norm: in.Query.Norm}
	}
	return Infimum{Norm: in.Query.Norm, Cost: s.best}
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
	slices.SortFunc(all, func(a, b border) int { return cmp.Compare(a.end, b.end) })
	return slices.Compact(all)
}

// slots returns the slots of a feature that meet the domain, as sets of real numbers.
func (in *Trees) slots(f int, borders []border) []slot {
	domain := polytope.Line()
	if in.Query.Domain != nil {
		domain = in.Query.Domain[f]
	}
	var out []slot
	for i := range len(borders) + 1 {
		s := domain
		if i > 0 {
			s = s.Intersect(polytope.Interval{Lo: borders[i-1].end, LoOpen: borders[i-1].closed, Hi: math.Inf(1)})
		}
		if i < len(borders) {
			s = s.Intersect(polytope.Interval{Lo: math.Inf(-1), Hi: borders[i].end, HiOpen: !borders[i].closed})
		}
		empty := s.Lo > s.Hi || (s.Lo == s.Hi && (s.LoOpen || s.HiOpen)) || math.IsInf(s.Lo, 1) || math.IsInf(s.Hi, -1)
		if empty {
			continue
		}
		apart, x := new(big.Rat), in.Query.X[f]
		if x < s.Lo {
			apart.Sub(rat(s.Lo), rat(x))
		} else if x > s.Hi {
			apart.Sub(rat(x), rat(s.Hi))
		}
		rough, _ := apart.Float64()
		out = append(out, slot{i, apart, rough})
	}
	slices.SortStableFunc(out, func(a, b slot) int { return cmp.Compare(a.rough, b.rough) })
	return out
}

// slotSearch goes through all boxes of slots.
type slotSearch struct {
	in      *Trees
	borders [][]border
	slots   [][]slot
	from    int
	at      []slot
	rough   float64
	best    *big.Rat
}

// visit goes through the slots of the features from f on.
func (s *slotSearch) visit(f int) {
	if f < len(s.slots) {
		for _, slot := range s.slots[f] {
			// Leaves room for roughness: 1e-9 is far above rounding.
			if slot.rough > s.rough*(1+1e-9) {
				break
			}
			s.at[f] = slot
			s.visit(f + 1)
		}
		return
	}
	if !s.in.Query.reaches(s.from, s.label()) {
		return
	}
	apart := make([]*big.Rat, len(s.at))
	rough := make([]float64, len(s.at))
	for f, slot := range s.at {
		apart[f], rough[f] = slot.apart, slot.rough
	}
	if cost := costOf(s.in.Query.Norm, apart); s.best == nil || cost.Cmp(s.best) < 0 {
		s.best, s.rough = cost, s.in.Query.Norm.Length(rough)
	}
}

// label is that of the box of slots.
func (s *slotSearch) label() int {
	return s.in.vote(func(n trees.Node) bool {
		b := borderOf(s.in.Comparison, n.Threshold)
		number, _ := slices.BinarySearchFunc(s.borders[n.Feature], b, func(a, b border) int { return cmp.Compare(a.end, b.end) })
		return s.at[n.Feature].number <= number
	})
}
