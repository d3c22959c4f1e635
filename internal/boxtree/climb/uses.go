package climb

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Uses says which features the trees of a model test, and which classes they add to. Of many trees
// few change a margin when one feature moves.
type Uses struct {
	byFeature [][]int32 // the trees that test a feature
	sparse    bool      // whether these are few
	words     int
	// by tree, so many words: a bit for each class that its leaves give different values
	differ []uint64
	leaf   []int32 // by tree: one of its leaves
	// By class: the most and the least that the trees can add to its sum.
	most, least []float64
}

// fewUses is the share of trees that test a feature below which it pays to keep the gain of each
// tree, and to look at these alone. Forests over a dozen features lie above.
const fewUses = 0.25

// NewUses looks at the trees of an ensemble, over intervals.
func NewUses(e *trees.Ensemble[*trees.Axis], g *grid.Grid) Uses {
	words := (e.Classes + 63) / 64
	u := Uses{
		byFeature: make([][]int32, e.Dim()), words: words,
		differ: make([]uint64, words*e.Len()), leaf: make([]int32, e.Len()),
		most: make([]float64, e.Classes), least: make([]float64, e.Classes),
	}
	tests := 0
	for t := range g.Trees {
		for _, n := range g.Trees[t].Nodes {
			if n.Feature < 0 {
				continue
			}
			if ids := u.byFeature[n.Feature]; len(ids) == 0 || ids[len(ids)-1] != int32(t) {
				u.byFeature[n.Feature] = append(ids, int32(t))
				tests++
			}
		}
		is := func(n grid.Node) bool { return n.Feature < 0 }
		u.leaf[t] = int32(slices.IndexFunc(g.Trees[t].Nodes, is))
		u.measure(e, &g.Trees[t])
	}
	u.sparse = float64(tests) < fewUses*float64(e.Len())*float64(e.Dim())
	return u
}

// measure finds the range of the gains of a tree for each class.
func (u *Uses) measure(e *trees.Ensemble[*trees.Axis], t *grid.Tree) {
	for c := range u.most {
		most, least := math.Inf(-1), math.Inf(1)
		for i, n := range t.Nodes {
			if n.Feature < 0 {
				v := e.Value(t.Index, i)[c]
				most, least = max(most, v), min(least, v)
			}
		}
		u.most[c] += most
		u.least[c] += least
		if most > least {
			u.differ[t.Index*u.words+c/64] |= 1 << (c % 64)
		}
	}
}

// Changes reports whether the leaves of a tree can change a margin.
func (u *Uses) Changes(t int, l *trees.Margin) bool {
	has := func(class int) bool { return u.differ[t*u.words+class/64]>>(class%64)&1 != 0 }
	return has(l.Label) || has(l.Rival)
}

// Hopeless reports whether no input at all can win a margin.
func (u *Uses) Hopeless(l *trees.Margin) bool {
	return l.Base+u.most[l.Label]-u.least[l.Rival] < -l.Slack
}
