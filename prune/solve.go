package prune

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/seed-1a7dc1f9/facet/prune/internal/bipartite"
)

// solve finds the heaviest set of rows that is separated.
func (p *problem) solve(ctx context.Context, effort int) (*answer, error) {
	weightless := p.weight != nil && slices.Min(p.weight) == 0
	if len(p.members) > 2 || weightless {
		if err := p.buildTrees(ctx); err != nil {
			return nil, err
		}
	}
	var a *answer
	var err error
	switch len(p.members) {
	case 1:
		p.row = p.members[0]
		a = &answer{keep: p.row, bound: p.total(p.row), optimal: true}
	case 2:
		a, err = p.solveTwo(ctx)
	default:
		a, err = p.solveMany(ctx, &effort)
	}
	if err != nil {
		return nil, err
	}
	if len(p.members) > 2 || weightless {
		var cut error
		a.keep, cut = p.complete(ctx, grace, a.keep)
		a.cut = cut != nil
	}
	return a, nil
}

// solveTwo solves a problem with two labels.
func (p *problem) solveTwo(ctx context.Context) (*answer, error) {
	g, err := p.two(ctx)
	if err != nil {
		return nil, err
	}
	left, right := p.row[:g.Left()], p.row[g.Left():][:g.Right()]
	cover, duals, err := bipartite.Lightest(ctx, g, p.sides(left, right))
	if err != nil {
		return nil, err
	}
	keep := slices.Repeat([]bool{true}, len(p.row))
	for i, covered := range append(cover.Left, cover.Right...) {
		keep[i] = !covered
	}
	a := proven(p.total(p.row), duals, left, right, 1)
	a.keep, a.optimal = p.rows(keep), true
	return a, nil
}

// two returns the graph of the conflicts of two labels. The points on either side come first
// in their number; the rest has no conflicts.
func (p *problem) two(ctx context.Context) (bipartite.Graph, error) {
	if p.labels == nil {
		g, err := p.listed(ctx)
		if g != nil || err != nil {
			return g, err
		}
		if err := p.buildTrees(ctx); err != nil {
			return nil, err
		}
	}
	return newConflicts(p.labels[:1], p.labels[1:], p.ball).indexed(ctx)
}

// solveMany solves a problem with any number of labels, following Nemhauser and Trotter (1975): the
// relaxation of the vertex cover problem has solutions that take every vertex, half of it or none,
// and a lightest cover agrees with the vertices that are taken or left as a whole. The halves
// remain, and are solved one component after the other.
//
// The relaxation is a lightest cover of the doubled graph, halved.
func (p *problem) solveMany(ctx context.Context, effort *int) (*answer, error) {
	g, err := p.doubled().indexed(ctx)
	if err != nil {
		return nil, err
	}
	cover, duals, err := bipartite.Lightest(ctx, g, p.sides(p.row, p.row))
	if err != nil {
		return nil, err
	}
	keep, kernel := decide(cover)
	decided, parts := components(ctx, g, kernel, duals)
	outside := p.total(p.row) - p.total(p.rows(kernel))
	a := proven(outside, decided, p.row, p.row, half)
	a.keep, a.optimal = p.rows(keep), true
	for _, part := range parts {
		if err := p.solveComponent(ctx, part, effort, a); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// half is the unit of the relaxation's duals: each row is on both sides of the doubled graph.
const half = 0.5

// decide returns the vertices that a cover of the doubled graph leaves on both sides, and those
// that it takes on one.
func decide(c *bipartite.Cover) (keep, kernel []bool) {
	keep, kernel = make([]bool, len(c.Left)), make([]bool, len(c.Left))
	for i, taken := range c.Left {
		keep[i] = !taken && !c.Right[i]
		kernel[i] = taken != c.Right[i]
	}
	return keep, kernel
}

// component is a connected part of the kernel.
type component struct {
	points []int32 // ascending
	duals  []bipartite.Dual
}

// components returns those of the kernel, in order of their first points, and the duals
// outside: no edge that carries anything has one end in the kernel, since such edges are
// covered just once. If the context ends, those that were not told apart are one.
func components(
	ctx context.Context, g bipartite.Graph, kernel []bool, duals []bipartite.Dual,
) (outside []bipartite.Dual, list []component) {
	levels := make([]int32, len(kernel))
	for i, in := range kernel {
		if !in {
			levels[i] = -1
		}
	}
	g.Begin(levels)
	number := make([]int32, len(kernel)) // the point's component, counted from 1
	parts := 0
	for i, in := range kernel {
		if !in || number[i] != 0 {
			continue
		}
		if ctx.Err() == nil || parts == 0 {
			parts++
		}
		flood(ctx, g, int32(i), int32(parts), number)
	}
	list = make([]component, parts+1)
	for i, k := range number {
		if k > 0 {
			list[k].points = append(list[k].points, int32(i))
		}
	}
	for _, d := range duals {
		k := number[d.Left]
		list[k].duals = append(list[k].duals, d)
	}
	return list[0].duals, list[1:]
}

// flood gives all points that are connected to a point its number, until the context ends.
func flood(ctx context.Context, g bipartite.Graph, point, part int32, number []int32) {
	g.Drop(point)
	number[point] = part
	stack := []int32{point}
	for len(stack) > 0 && ctx.Err() == nil {
		last := len(stack) - 1
		v := g.Find(stack[last], 0)
		if v == bipartite.None {
			stack = stack[:last]
			continue
		}
		g.Drop(v)
		number[v] = part
		stack = append(stack, v)
	}
}

// solveComponent adds the solution of a component to the answer, or the bound that the relaxation
// proves if the context ends before there is one.
func (p *problem) solveComponent(
	ctx context.Context, part component, effort *int, to *answer,
) error {
	a := proven(p.total(at(p.row, part.points)), part.duals, p.row, p.row, half)
	q := p.restrict(part.points)
	var err error
	if len(q.members) == 2 {
		var two *answer
		if two, err = q.solveTwo(ctx); err == nil {
			a = two
		}
	} else if err = q.buildTrees(ctx); err == nil {
		q.solveHard(ctx, effort, a)
	}
	if err != nil && ctx.Err() == nil {
		return err
	}
	to.keep = append(to.keep, a.keep...)
	to.cliques = append(to.cliques, a.cliques...)
	to.bound += a.bound
	to.optimal = to.optimal && a.optimal
	return nil
}

// grace is how long a set is still completed when the context has ended: long enough for
// nearly every set, and soon enough for a caller who waits.
const grace = 50 * time.Millisecond

// complete adds rows to a separated set until it is maximal, heavy ones first and
// those of equal weight in order. Few are missing: rows without weight, and those that an
// unfinished search has overlooked. When the context has ended, and the time that is left after it,
// it returns the set so far and the error.
func (p *problem) complete(ctx context.Context, left time.Duration, keep []int32) ([]int32, error) {
	c := p.doubled()
	point := p.points()
	levels := slices.Repeat([]int32{-1}, len(p.row))
	for _, row := range keep {
		levels[point[row]] = 0
	}
	c.Begin(levels)
	byWeight := slices.Clone(p.row)
	slices.SortFunc(byWeight, func(a, b int32) int {
		return cmp.Or(cmp.Compare(p.weightOf(b), p.weightOf(a)), cmp.Compare(a, b))
	})
	var ended time.Time // when the context was first seen to have ended
	for _, row := range byWeight {
		if err := ctx.Err(); err != nil {
			if ended.IsZero() {
				ended = time.Now()
			}
			if time.Since(ended) >= left {
				return keep, finding(err)
			}
		}
		i := point[row]
		if levels[i] < 0 && c.Find(i, 0) == bipartite.None {
			c.set(i, 0)
			keep = append(keep, row)
		}
	}
	return keep, nil
}
