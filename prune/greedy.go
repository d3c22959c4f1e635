package prune

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/bipartite"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Greedy is the greedy approximation that the paper names for three or more
// labels (Gottlieb, Kontorovich, Krauthgamer 2014): as long as two rows conflict,
// it removes both. Every cover holds one of the two, so that it removes at most
// twice as many rows as have to be. What turns out to be in nobody's way is put
// back, so that the set is maximal.
//
// Adversarial never keeps fewer rows where it is optimal, and is the one to use
// unless the set is very large, has many labels and conflicts everywhere.
type Greedy struct {
	Radius float64       // as in Adversarial
	Norm   polytope.Norm // as in Adversarial
}

var _ Pruner = Greedy{}

// Prune returns the rows to keep, ascending. Rows are tried in their order. It
// takes O(d·n log n) time for the trees and n queries of them, each O(n·d) at worst,
// and O(n·d) memory. Errors are those of Adversarial.Prune.
func (g Greedy) Prune(ctx context.Context, x mat.Matrix, y []int) ([]int, error) {
	p, err := Adversarial{Radius: g.Radius, Norm: g.Norm}.withTrees(ctx, x, y)
	if err != nil {
		return nil, fmt.Errorf("prune: %w", err)
	}
	keep, err := p.greedy(ctx)
	if err == nil {
		keep, err = p.complete(ctx, 0, keep)
	}
	if err != nil {
		return nil, fmt.Errorf("prune: %w", err)
	}
	return ascending(keep, len(y)), nil
}

// greedy removes pairs that conflict until there is none.
func (p *problem) greedy(ctx context.Context) ([]int32, error) {
	c := p.doubled()
	c.Begin(nil)
	keep := slices.Repeat([]bool{true}, len(p.row))
	for _, u := range p.points() {
		if err := ctx.Err(); err != nil {
			return nil, finding(err)
		}
		if !keep[u] {
			continue
		}
		if v := c.Find(u, 0); v != bipartite.None {
			c.Drop(u)
			c.Drop(v)
			keep[u], keep[v] = false, false
		}
	}
	return p.rows(keep), nil
}
