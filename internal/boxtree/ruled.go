package boxtree

import (
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/encode"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/tied"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// mostCodings is how many codings of a model are kept. Points with values missing in other features
// have others.
const mostCodings = 16

// newRuled prepares the search for the answers of a query with rules of moves. Its error says why
// these cannot be followed.
func newRuled(m *Model, q search.Query) (*boxSearch, error) {
	coding, model, err := m.encoded.of(
		encode.New(q.Moves), mostCodings, (*encode.Coding).Equal, m.encode)
	if err != nil {
		return nil, err
	}
	s := &boxSearch{model: model, coding: coding, tied: tied.New(q.Moves)}
	var ok bool
	gaps := coding.Gaps(&model.grid, q.Moves)
	if s.View, ok = grid.NewPricedView(&model.grid, q, gaps); ok {
		return s, s.aim(m)
	}
	return s, nil
}

// encode returns the model over the features of a coding.
func (m *Model) encode(c *encode.Coding) (*Model, error) {
	if c.Plain() {
		return m, nil
	}
	coded, err := c.Trees(m.grid.Borders, m.Trees)
	if err != nil {
		return nil, err
	}
	members := make([]*trees.Ensemble[*trees.Axis], len(m.parts))
	for i, p := range m.parts {
		vote := p.Vote
		if !vote.Based() {
			vote.Base = nil // it is all zeros, and they have none
		}
		if members[i], err = trees.NewEnsemble(coded[:p.Len()], vote); err != nil {
			return nil, err
		}
		coded = coded[p.Len():]
	}
	return newModel(members), nil
}
