package prune

import (
	"context"
	"math/big"
	"slices"
)

// settle is a branch and bound with exact sums, for hard components of which weights were
// rounded. A node takes the heaviest point that is left, or leaves it out; what the others
// weigh at most is bounded by a cover with cliques, of each of which one point may be kept.
type settle struct {
	ctx     context.Context
	rows    [][]uint64 // of the matrix of conflicts
	weight  []*big.Int
	effort  int // points that nodes may still look at; negative: something was left out
	taken   []int32
	best    []int32
	heavier *big.Int // weight of the best set
}

// settleRounding makes the answer optimal for weights as they are, or says that it is not.
// The answer is optimal for weights rounded to units.
func (p *problem) settleRounding(ctx context.Context, rows [][]uint64, effort *int, a *answer) {
	s := &settle{ctx: ctx, rows: rows, effort: *effort, heavier: new(big.Int)}
	order := make([]int32, len(p.row))
	kept := slices.Sorted(slices.Values(a.keep))
	for i, row := range p.row {
		order[i] = int32(i)
		s.weight = append(s.weight, p.units.whole(row))
		if _, in := slices.BinarySearch(kept, row); in {
			s.heavier.Add(s.heavier, s.weight[i])
		}
	}
	slices.SortStableFunc(order, func(i, j int32) int { return s.weight[j].Cmp(s.weight[i]) })
	s.branch(order, new(big.Int))
	if s.best != nil {
		a.keep = at(p.row, s.best)
	}
	a.optimal = s.effort >= 0
	*effort = max(0, s.effort)
}

// branch looks for sets that are heavier than the best one: what is taken, of the given weight,
// with some of the points left, which are in order of weight.
func (s *settle) branch(left []int32, weight *big.Int) {
	if weight.Cmp(s.heavier) > 0 {
		s.best, s.heavier = slices.Clone(s.taken), weight
	}
	if s.effort -= 1 + len(left); s.effort < 0 || s.ctx.Err() != nil {
		s.effort = -1
		return
	}
	if len(left) == 0 || new(big.Int).Add(weight, s.most(left)).Cmp(s.heavier) <= 0 || s.effort < 0 {
		return
	}
	v := left[0]
	s.taken = append(s.taken, v)
	s.branch(slices.DeleteFunc(slices.Clone(left), func(u int32) bool { return u == v || s.conflict(u, v) }), new(big.Int).Add(weight, s.weight[v]))
	s.taken = s.taken[:len(s.taken)-1]
	s.branch(left[1:], weight)
}

// most returns what separated points weigh at most, or gives up where the context ends.
func (s *settle) most(points []int32) *big.Int {
	var cliques [][]int32
	sum := new(big.Int)
	for _, v := range points {
		if s.ctx.Err() != nil {
			s.effort = -1
			break
		}
		joins := func(clique []int32) bool {
			return !slices.ContainsFunc(clique, func(u int32) bool { return !s.conflict(u, v) })
		}
		if k := slices.IndexFunc(cliques, joins); k >= 0 {
			cliques[k] = append(cliques[k], v)
			continue
		}
		cliques = append(cliques, []int32{v})
		sum.Add(sum, s.weight[v]) // the heaviest of its clique
	}
	return sum
}

func (s *settle) conflict(u, v int32) bool { return s.rows[u][v>>6]>>(v&63)&1 == 1 }
