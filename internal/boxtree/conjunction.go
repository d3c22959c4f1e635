package boxtree

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// mostConjunctions is how many models that were joined with others are kept.
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
	_, joined, err := m.joined.of(others, mostConjunctions, slices.Equal,
		func([]*Model) (*Model, error) { return newModel(members), nil })
	return joined, err
}
