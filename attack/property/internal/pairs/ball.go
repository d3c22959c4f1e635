package pairs

import (
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ball is a limit to the cost of all features together that have a radius, in ℓ1 or ℓ2.
type ball struct {
	norm   polytope.Norm
	radius float64
	most   *big.Rat // of a sum of costs or, in ℓ2, of their squares
	costs  [][]cost // by feature and code
	codes  boxtree.Codes
}

// cost is the cost of a code: no input of it costs less, and one costs as much if it is attained.
type cost struct {
	least    *big.Rat
	attained bool
}

// compare orders costs.
func (c cost) compare(o cost) int {
	if order := c.least.Cmp(o.least); order != 0 || c.attained == o.attained {
		return order
	}
	if c.attained {
		return -1
	}
	return 1
}

// limit makes the ball of the norm of the rules, if there is one. It returns false if it holds no
// input.
func (s *Space) limit() bool {
	limited := slices.IndexFunc(s.radii, func(r float64) bool { return !math.IsInf(r, 1) })
	if s.moves.Norm == polytope.LInf || limited < 0 {
		return true
	}
	b := &ball{norm: s.moves.Norm, radius: s.radii[limited]}
	b.most = b.counts(exact.Float(b.radius))
	for j := range s.features {
		b.add(s.costs(j))
	}
	b.codes.Reached = s.reached
	s.ball = b
	least := make([]cost, len(b.costs))
	for j, costs := range b.costs {
		if len(costs) > 0 {
			least[j] = slices.MinFunc(costs, cost.compare)
		}
	}
	return b.holds(least)
}

// add adds a feature, or a copy, whose codes cost so much.
func (b *ball) add(costs []cost) {
	count := max(1, len(costs)) // a member that another one codes has the code 0
	prices, ranks, order := make([]float64, count), make([]int32, count), make([]int, len(costs))
	for c := range costs {
		prices[c], order[c] = exact.Down(costs[c].least), c
	}
	slices.SortStableFunc(order, func(i, j int) int { return costs[i].compare(costs[j]) })
	for rank, c := range order {
		ranks[c] = int32(rank)
	}
	b.costs = append(b.costs, costs)
	b.codes.Prices, b.codes.Ranks = append(b.codes.Prices, prices), append(b.codes.Ranks, ranks)
}

// counts returns how a cost counts in the sum.
func (b *ball) counts(v *big.Rat) *big.Rat {
	if b.norm == polytope.L2 {
		return v.Mul(v, v)
	}
	return v
}

// holds reports whether real vectors of so costly codes lie in the ball.
func (b *ball) holds(list []cost) bool {
	sum, attained := new(big.Rat), true
	for _, c := range list {
		if c.least == nil {
			continue
		}
		sum.Add(sum, b.counts(new(big.Rat).Set(c.least)))
		attained = attained && c.attained
	}
	c := sum.Cmp(b.most)
	return c < 0 || c == 0 && attained
}

// costs returns the costs of the codes of a feature.
func (s *Space) costs(j int) (list []cost) {
	f, m := &s.features[j], s.moves.Each[j]
	for _, code := range f.codes {
		c := cost{new(big.Rat), true}
		switch {
		case math.IsInf(s.radii[j], 1):
		case f.group != nil:
			price, _ := f.group.Price(code.hot)
			c.least = exact.Float(price)
		case code.missing:
			price, _ := m.MissingPrice()
			c.least = exact.Float(price)
		default:
			c = s.numberCost(j, code.side)
		}
		list = append(list, c)
	}
	return list
}

// numberCost returns the cost of the numbers of an interval that a feature may have.
func (s *Space) numberCost(j int, side polytope.Interval) cost {
	m, x := s.moves.Each[j], s.moves.X[j]
	v, ok := m.Value(side)
	switch {
	case ok && (v == x || m.Fixed()):
		return cost{new(big.Rat), true}
	case m.Categorical, math.IsNaN(x):
		return cost{exact.Float(m.Up), true}
	case m.Step > 0:
		return cost{s.cost(j, v), ok}
	}
	side = m.Hull(side)
	end := geometry.Nearest(side, x)
	return cost{s.cost(j, end), side.Contains(end)}
}

// reached says whether the codes of a point hold real vectors in the ball, and an example.
func (s *Space) reached(point []float64) (reals, examples bool) {
	cell, list := make([]int32, len(point)), make([]cost, s.Dim())
	for f, code := range point {
		cell[f] = int32(code)
	}
	for j, costs := range s.ball.costs[:s.Dim()] {
		if len(costs) > 0 {
			list[j] = costs[cell[j]]
		}
	}
	if !s.ball.holds(list) {
		return false, false
	}
	x, ok := s.Point(cell)
	return true, ok && s.inBall(x)
}

// inBall reports whether an input lies in the ball.
func (s *Space) inBall(x []float64) bool {
	if s.ball == nil {
		return true
	}
	list, costs := make([]cost, len(x)), s.moves.Costs(x)
	for j, v := range x {
		switch m := s.moves.Each[j]; {
		case math.IsInf(s.radii[j], 1):
		case s.moves.Member(j), m.Categorical, math.IsNaN(v), math.IsNaN(s.moves.X[j]):
			list[j] = cost{exact.Float(costs[j]), true}
		default:
			list[j] = cost{s.cost(j, v), true}
		}
	}
	return s.ball.holds(list)
}

// among returns the ball of pairs that have own values of some features.
func (b *ball) among(copied []int) *boxtree.Codes {
	with := ball{codes: b.codes}
	with.codes.Prices, with.codes.Ranks = slices.Clip(b.codes.Prices), slices.Clip(b.codes.Ranks)
	for _, j := range copied {
		with.add(b.costs[j])
	}
	return &with.codes
}
