package classifier

import "github.com/seed-1a7dc1f9/facet/internal/trees"

// Function returns the trees as package attack/property asks them about all inputs.
func (t *Tree) Function() (trees.Function, error) {
	vote, err := t.alone()
	if err != nil {
		return trees.Function{}, err
	}
	return trees.Function{Ensemble: vote.Ensemble, Judge: t}, nil
}

// Function returns the trees as package attack/property asks them about all inputs.
func (e *Ensemble) Function() (trees.Function, error) {
	return trees.Function{Ensemble: e.vote, Judge: e, Categories: e.categories}, nil
}

// Function returns the trees as package attack/property asks them about all inputs.
func (r *Regressor) Function() (trees.Function, error) {
	return trees.Function{
		Ensemble: r.trees, Link: r.model.Link, Categories: r.model.Categories,
	}, nil
}
