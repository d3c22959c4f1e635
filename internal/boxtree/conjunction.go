package boxtree

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// joined holds the models that a model is joined with: few, as most queries ask for the same.
type joined struct {
	mu   sync.Mutex
	made []*conjunction // the last one asked for comes last
}

// conjunction is a model that is joined with others.
type conjunction struct {
	others []*Model
	once   sync.Once
	model  *Model
}

// mostConjunctions is how many are kept.
const mostConjunctions = 4

// Join returns the model for queries with requirements about others: the trees of all of them vote,
// those of each by themselves. Its error says why one cannot be asked.
func (m *Model) Join(others []*Model) (*Model, error) {
	members := []*trees.Ensemble[*trees.Axis]{m.Ensemble}
	for _, o := range others {
		members = append(members, o.Ensemble)
	}
	for _, e := range members {
		if e.Vote.Rule == trees.Share {
			return nil, fmt.Errorf("classifier: whether a softmax of several sums reaches a "+
				"probability is asked of one model alone: %w", errors.ErrUnsupported)
		}
	}
	m.joined.mu.Lock()
	i := slices.IndexFunc(m.joined.made, func(c *conjunction) bool {
		return slices.Equal(c.others, others)
	})
	c := &conjunction{others: others}
	if i >= 0 {
		c = m.joined.made[i]
		m.joined.made = slices.Delete(m.joined.made, i, i+1)
	}
	if len(m.joined.made) == mostConjunctions {
		m.joined.made = slices.Delete(m.joined.made, 0, 1)
	}
	m.joined.made = append(m.joined.made, c)
	m.joined.mu.Unlock()
	c.once.Do(func() { c.model = newModel(members) })
	return c.model, nil
}
