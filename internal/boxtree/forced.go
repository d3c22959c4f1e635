package boxtree

import (
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/forced"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Forcing returns what decides which boxes of inputs force the label of X, or keep it from being
// the target.
func (s *boxSearch) Forcing() *forced.Decider {
	p := &forced.Problem{Grid: s.Grid, Closed: s.closed, Domain: s.Domain}
	share := s.model.Vote.Rule == trees.Share
	if share {
		p.Answers = s.mayAnswer
	}
	for _, t := range s.targets {
		i := t.first
		for !share && s.leads[i].Rival != s.Query.From { // which any label has to beat
			i++
		}
		lead := &s.leads[i]
		gain := func(tree, leaf int) float64 { return lead.Gain(s.model.Value(tree, leaf)) }
		p.Leads = append(p.Leads, forced.Lead{Base: lead.Base, Goal: s.goal(i), Gain: gain})
	}
	p.Example = func(b grid.Box) []float64 {
		if a := s.answer(b, 0, 0); a != nil {
			return a.Example
		}
		return nil
	}
	p.At = s.cellOf(s.Query.X)
	return forced.New(p)
}

// closed reports whether an interval of the domain has no allowed value.
func (s *boxSearch) closed(feature, interval int32) bool {
	return s.Prices != nil && s.Gap(feature, interval, interval) >= grid.Closed
}
