package grid

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// View is the grid seen from X.
type View struct {
	*Grid
	Query  search.Query
	Norm   polytope.Norm // in which gaps add up
	At     []int32       // interval of X by feature, or the nearest to it that meets the domain
	Domain Box           // intervals that meet the domain
	Away   bool          // X may lie outside the domain: gaps of intervals At may not be zero
	Prices *Prices       // instead of distances; nil without rules of moves
}

// Metric returns the metric of the view.
func (v *View) Metric() Metric {
	m := NewMetric(v.Norm, len(v.At), v.Depth)
	if v.Prices != nil {
		m.priced()
	}
	return m
}

// NewView returns false when no interval of some feature meets the domain.
func NewView(g *Grid, q search.Query) (v View, ok bool) {
	v = View{
		Grid:   g,
		Query:  q,
		Norm:   q.Norm,
		Away:   q.Domain != nil,
		At:     make([]int32, len(g.Borders)),
		Domain: make(Box, len(g.Borders)),
	}
	for f, borders := range g.Borders {
		d := v.meetDomain(f)
		if d.Lo > d.Hi {
			return v, false
		}
		v.Domain[f] = d
		v.At[f] = min(max(borders.Interval(q.X[f]), d.Lo), d.Hi)
	}
	return v, true
}

// meetDomain returns the intervals of a feature that meet the domain.
func (v *View) meetDomain(f int) Span {
	s := Span{0, int32(len(v.Borders[f]))}
	if v.Query.Domain == nil {
		return s
	}
	return s.Trim(func(i int32) bool { return !geometry.Empty(v.Values(f, Span{i, i})) })
}

// Values returns the values of intervals within the domain.
func (v *View) Values(f int, s Span) polytope.Interval {
	i := v.Borders[f].Values(s.Lo, s.Hi)
	if v.Query.Domain != nil {
		i = geometry.Intersect(i, v.Query.Domain[f])
	}
	return i
}

// Gap returns the distance from X to the intervals lo ≤ s ≤ hi of feature f, some of
// which meet the domain, rounded down. That keeps the order of distances, so in ℓ∞
// the gap of the nearest is that of the infimum.
func (v *View) Gap(f, lo, hi int32) float64 {
	if v.Prices != nil {
		return v.price(f, lo, hi)
	}
	switch at := v.At[f]; {
	case at < lo:
		return precise.SubDown(v.Borders[f][lo-1].End, v.Query.X[f])
	case at > hi:
		return precise.SubDown(v.Query.X[f], v.Borders[f][hi].End)
	}
	if v.Query.Domain == nil {
		return 0
	}
	return geometry.Gap(v.Values(int(f), Span{v.At[f], v.At[f]}), v.Query.X[f])
}

// IntervalsWithin returns the intervals of a feature within a limit to the reach, to which others
// add some.
func (v *View) IntervalsWithin(m *Metric, f int32, others, limit float64) Span {
	if v.Prices != nil {
		return v.pricedWithin(m, f, others, limit)
	}
	s, domain := Span{v.At[f], v.At[f]}, v.Domain[f]
	if math.IsInf(limit, 1) {
		return domain
	}
	for s.Lo > domain.Lo && others+m.Scale(v.Gap(f, s.Lo-1, s.Lo-1)) <= limit {
		s.Lo--
	}
	for s.Hi < domain.Hi && others+m.Scale(v.Gap(f, s.Hi+1, s.Hi+1)) <= limit {
		s.Hi++
	}
	return s
}

// Reach returns that of a box.
func (v *View) Reach(m *Metric, b Box) float64 {
	reach := 0.0
	for f, s := range b {
		reach = m.Join(reach, m.Scale(v.Gap(int32(f), s.Lo, s.Hi)), 0)
	}
	return reach
}

// Toward returns the reach of a box within another, and the cut of that one toward it in the
// feature that adds most; feature −1 if none does.
func (v *View) Toward(m *Metric, b, whole Box) (cut Cut, reach float64) {
	most := 0.0
	cut.Feature = -1
	for f, s := range b {
		gap := m.Scale(v.Gap(int32(f), s.Lo, s.Hi))
		reach = m.Join(reach, gap, 0)
		if gap <= most {
			continue
		}
		if more := gap - m.Scale(v.Gap(int32(f), whole[f].Lo, whole[f].Hi)); more > most {
			cut.Feature, most = int32(f), more
		}
	}
	if cut.Feature < 0 {
		return cut, reach
	}
	s, all := b[cut.Feature], whole[cut.Feature]
	if cut.After = s.Hi; s.Hi == all.Hi || (v.At[cut.Feature] < s.Lo && s.Lo > all.Lo) {
		cut.After = s.Lo - 1
	}
	return cut, reach
}

// Point returns the point of a box nearest to X; false if no float64 lies in it.
func (v *View) Point(b Box) ([]float64, bool) {
	z := make([]float64, len(b))
	for f, s := range b {
		value, ok := geometry.Inside(v.Values(f, s), v.Query.X[f])
		if !ok {
			return nil, false
		}
		z[f] = value
	}
	return z, true
}

// CellReach returns the reach of the cell with one interval of each feature.
func (v *View) CellReach(m *Metric, cell []int32) float64 {
	reach := 0.0
	for f, interval := range cell {
		reach = m.Join(reach, m.Scale(v.Gap(int32(f), interval, interval)), 0)
	}
	return reach
}

// Extent returns the smallest distance to an interval that is not zero, and the largest; two
// zeros if there is none.
func (v *View) Extent() (least, most float64) {
	if v.Prices != nil {
		return v.pricedExtent()
	}
	for f, at := range v.At {
		d := v.Domain[f]
		// interval at may be at X
		for _, interval := range [...]int32{d.Lo, d.Hi, at, at - 1, at - 2, at + 1, at + 2} {
			interval = min(max(interval, d.Lo), d.Hi)
			gap := v.Gap(int32(f), interval, interval)
			if most = max(most, gap); gap > 0 && (gap < least || least == 0) {
				least = gap
			}
		}
	}
	return least, most
}
