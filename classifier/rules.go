package classifier

import "github.com/seed-1a7dc1f9/facet/classifier/search"

var (
	_, _       search.Follower = (*Tree)(nil), (*Ensemble)(nil)
	_, _, _, _ search.Follower = (*KNN)(nil), (*WeightedKNN)(nil), (*ObliqueTree)(
		nil,
	), (*ObliqueEnsemble)(nil)
)

// Follows implements search.Follower: all rules of moves. Those are refused by Search that would
// take too much memory: of one-hot groups, and of features that may be missing, that most trees
// test again and again.
func (t *Tree) Follows() search.Rules { return search.AllRules }

// Follows implements search.Follower as that of Tree.
func (e *Ensemble) Follows() search.Rules { return search.AllRules }

// Follows implements search.Follower: prices of moves, and linear rules.
func (c *KNN) Follows() search.Rules { return search.Prices | search.Linear }

// Follows implements search.Follower: prices of moves.
func (c *WeightedKNN) Follows() search.Rules { return search.Prices }

// Follows implements search.Follower as that of KNN.
func (t *ObliqueTree) Follows() search.Rules { return search.Prices | search.Linear }

// Follows implements search.Follower as that of KNN.
func (e *ObliqueEnsemble) Follows() search.Rules { return search.Prices | search.Linear }
