package boxtree

import (
	"slices"
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/encode"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/tied"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// ruled holds the model as rules of moves code it: few codings, as most queries share one.
type ruled struct {
	mu     sync.Mutex
	models []*encoded // the last one asked for comes last
}

// encoded is a model over the features of a coding.
type encoded struct {
	coding *encode.Coding
	once   sync.Once
	model  *Model
	err    error
}

// mostCodings is how many are kept. Points with values missing in other features have others.
const mostCodings = 16

// newRuled prepares the search for the answers of a query with rules of moves. Its error says why
// these cannot be followed.
func newRuled(m *Model, q search.Query) (*boxSearch, error) {
	r := m.encoded(q.Moves)
	if r.err != nil {
		return nil, r.err
	}
	s := &boxSearch{model: r.model, coding: r.coding, tied: tied.New(q.Moves)}
	var ok bool
	gaps := r.coding.Gaps(&r.model.grid, q.Moves)
	if s.View, ok = grid.NewPricedView(&r.model.grid, q, gaps); ok {
		return s, s.aim(m)
	}
	return s, nil
}

// encoded returns the model as rules of moves code it.
func (m *Model) encoded(moves *rules.Moves) *encoded {
	c := encode.New(moves)
	m.ruled.mu.Lock()
	i := slices.IndexFunc(m.ruled.models, func(r *encoded) bool { return r.coding.Equal(c) })
	var r *encoded
	if i >= 0 {
		r = m.ruled.models[i]
		m.ruled.models = slices.Delete(m.ruled.models, i, i+1)
	} else {
		r = &encoded{coding: c}
	}
	if len(m.ruled.models) == mostCodings {
		m.ruled.models = slices.Delete(m.ruled.models, 0, 1)
	}
	m.ruled.models = append(m.ruled.models, r)
	m.ruled.mu.Unlock()
	r.once.Do(func() { r.model, r.err = m.encode(r.coding) })
	return r
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
