package rules

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Moves are rules compiled: the moves of each feature, seen from X. They do not change.
type Moves struct {
	Rules
	Each   []*Move // by feature; those of members of groups say which of them are frozen
	Groups []Group // by their numbers
}

// Moves compiles the rules.
func (r Rules) Moves() *Moves {
	m := &Moves{Rules: r, Each: make([]*Move, len(r.X)), Groups: r.groups()}
	all := make([]Move, len(r.X))
	for j := range all {
		all[j] = r.move(j)
		m.Each[j] = &all[j]
	}
	m.join()
	return m
}

// With returns the moves that besides leave some features as they are, and keep to a box within the
// domain, nil for all of that. It compiles no part anew: parts that do not change are shared.
func (m *Moves) With(frozen []int, box polytope.Box) *Moves {
	own := &Moves{Rules: m.Rules, Each: slices.Clone(m.Each), Groups: slices.Clone(m.Groups)}
	if own.Features == nil {
		own.Features = make([]Feature, len(m.X))
	}
	for _, j := range frozen {
		move := *own.Each[j]
		move.Frozen, move.stays = true, true
		own.Each[j] = &move
	}
	if box != nil {
		own.Domain = box
		for j, move := range own.Each {
			own.Each[j] = move.within(box[j])
		}
	}
	own.join()
	return own
}

// Apply reports whether the rules say more than that distances of finite inputs within the domain
// count.
func (r *Rules) Apply() bool {
	return r.Features != nil || r.Changes || len(r.Linear) > 0 ||
		slices.ContainsFunc(r.X, math.IsNaN)
}

// Adds returns the norm in which prices add up: that of the rules, or ℓ1 where they are those of
// changes.
func (r *Rules) Adds() polytope.Norm {
	if r.Changes {
		return polytope.L1
	}
	return r.Norm
}

// Member reports whether a feature is a member of a group.
func (r *Rules) Member(feature int) bool {
	return r.Features != nil && r.Features[feature].Group > 0
}

// Costs returns the cost of the move to z by feature, allowed or not: that of a group by the member
// that becomes the 1.
func (m *Moves) Costs(z []float64) []float64 {
	costs := make([]float64, len(z))
	for j := range z {
		if !m.Member(j) {
			costs[j] = m.Each[j].Cost(z[j])
		}
	}
	for _, g := range m.Groups {
		if hot := g.Hot(z); hot >= 0 && hot != g.hot {
			costs[hot] = g.up(hot)
		}
	}
	return costs
}

// Distance returns the cost of the move to z, which is its distance without rules.
func (m *Moves) Distance(z []float64) float64 {
	if !m.Apply() {
		return m.Norm.Distance(m.X, z)
	}
	return geometry.Length(m.Adds(), m.Costs(z))
}
