package pairs

import (
	"errors"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// joint is a sum of trees over pairs of inputs. Its trees are those of both models, joined, so that
// a leaf stands for one of each.
type joint struct {
	*proving
	forest grid.Forest
	own    [][][2]int // by tree and node: the leaves of both inputs
	of     [][2]int   // by tree: those of the models
}

// mostPairs is how many pairs of leaves two trees may have, for each leaf of theirs.
const mostPairs = 16

// join joins the trees of both models, as far as their outputs have weights.
func (p *proving) join(c columns) (*joint, error) {
	x, other := &Output{Ensemble: p.of0()}, &Output{Ensemble: p.of1()}
	w := p.walk(0, p.second, x, other, p.Copied, p.box(p.Copied))
	w.whole, w.zeros = true, make([]float64, len(c.start))
	var own [][2]int // of the leaves of one tree, in the order of its nodes
	w.values = func(at [2]int, a, b int) []float64 {
		own = append(own, [...]int{a, b})
		return c.gains([...]int{a, b}, w.a.value(at[0], a), w.b.value(at[1], b))
	}
	d := &Difference{Space: p.Space, copied: p.Copied, box: p.box(p.Copied)}
	j := &joint{proving: p}
	var err error
	add := func(at [2]int, nodes []trees.Node) {
		j.of = append(j.of, at)
		j.own = append(j.own, lastLeaves(nodes, own))
		own = own[:0]
		err = errors.Join(err, d.add(nodes))
	}
	models := [...][]*coded{w.a.trees, w.b.trees}
	for t := range max(len(models[0]), len(models[1])) {
		at, leaves := [2]int{none, none}, 0
		for i, list := range models {
			if c.weights[i] != nil && t < len(list) {
				at[i], leaves = t, leaves+(list[t].Len()+1)/2
			}
		}
		w.each(at, 2*mostPairs*leaves, add)
	}
	if err != nil {
		return nil, err
	}
	e, err := trees.NewEnsemble(d.trees, trees.Vote{Rule: trees.Sum, Base: c.start})
	if err != nil {
		return nil, err
	}
	g := grid.New(len(d.box), e.Trees)
	j.forest = grid.Forest{Sums: &e.Sums, Grid: &g}
	return j, nil
}

// lastLeaves returns by node the two leaves that a leaf of a tree was made of. Before them stand
// those of trees that were given up for their number of nodes.
func lastLeaves(nodes []trees.Node, made [][2]int) [][2]int {
	list := make([][2]int, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- {
		if nodes[i].Left < 0 {
			list[i], made = made[len(made)-1], made[:len(made)-1]
		}
	}
	return list
}

// slack returns by how much rounding may change a sum of a column of the forest.
func (j *joint) slack(column int) float64 {
	size := math.Abs(j.forest.Vote.Base[column])
	for t := range j.forest.Trees {
		most := 0.0
		for i := range j.own[t] {
			most = max(most, math.Abs(j.forest.Value(t, i)[column]))
		}
		size += most
	}
	return 0x1p-50 * float64(len(j.own)+2) * size
}

// gainsAt returns the gains of a box in one leaf of each tree, in column 1.
func (j *joint) gainsAt(b grid.Box) []float64 {
	gains := make([]float64, len(j.of))
	for t, leaf := range j.forest.LeavesIn(b) {
		gains[t] = j.forest.Value(t, leaf)[1]
	}
	return gains
}
