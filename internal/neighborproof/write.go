package neighborproof

import (
	"bufio"
	"context"
	"slices"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
)

// writer writes the body of one proof.
type writer struct {
	search.Query
	neighbors.Quota
	combiner prooftext.Combiner
	bound    float64
	table    *neighbors.Table
	k        int
	squared  []float64 // ‖row − X‖₂², by row
	rivals   []int32   // those that may matter
	side     []int32   // rows of the side that are not crowded: the format's M
	a        []float64 // scratch space
}

// Write writes the body of a proof that no answer to a query is nearer than a bound. The error
// wraps prooftext.ErrBound where exact arithmetic does not bear the bound out.
func Write(ctx context.Context, to *bufio.Writer, table *neighbors.Table, k int, q search.Query, bound float64) error {
	w := &writer{
		Query: q, Quota: table.Quota(k, q), combiner: prooftext.Combiner{Norm: q.Norm, Bound: bound, Domain: q.Domain}, bound: bound,
		table: table, k: k, squared: make([]float64, table.Len()), a: make([]float64, table.Dim),
	}
	if w.Seats == 0 {
		return nil
	}
	for i := range w.squared {
		w.squared[i] = nnindex.Squared(q.X, table.Row(int32(i)))
	}
	near := w.crowd()
	to.WriteString("near")
	for _, r := range near {
		to.WriteByte(' ')
		to.WriteString(strconv.Itoa(int(r)))
	}
	to.WriteByte('\n')
	t := newTree(w)
	for _, p := range w.side {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !t.plant(p) {
			continue
		}
		if err := t.refute(ctx); err != nil {
			return err
		}
		to.Write(t.text)
	}
	return nil
}

// crowd finds the rows of the side that are not crowded, and rivals that show that the others are.
func (w *writer) crowd() (named []int32) {
	own, rivals := w.table.Sides(w.Query)
	near := rivals.First(w.X, neighbors.NearRivals+w.Spare)
	w.rivals = w.candidates(rivals, near)
	var rest []int32 // of the near rivals
	for _, n := range near {
		rest = append(rest, n.ID)
	}
	var more []int32
	for _, t := range own {
		for _, p := range t.IDs {
			need := w.Spare + 1
			for i := 0; need > 0 && i < len(named); i++ {
				if w.far(p, named[i]) {
					need--
				}
			}
			more = more[:0]
			for i := 0; len(more) < need && i < len(rest); i++ {
				if w.far(p, rest[i]) {
					more = append(more, rest[i])
				}
			}
			if len(more) < need {
				w.side = append(w.side, p)
				continue
			}
			named = append(named, more...)
			rest = slices.DeleteFunc(rest, func(r int32) bool { return slices.Contains(more, r) })
		}
	}
	slices.Sort(w.side)
	return named
}

// candidates returns the rivals that are not known to have more than spare near ones before
// them wherever a point is nearer than the bound.
func (w *writer) candidates(rivals neighbors.Trees, near []nnindex.Neighbor) (ids []int32) {
	reach := func(id int32) float64 {
		return 2 * w.bound * neighbors.DualDistance(w.Norm, w.X, w.table.Row(id)) * (1 + neighbors.Spread)
	}
	var farthest []float64
	for _, n := range near {
		farthest = append(farthest, n.Squared+reach(n.ID))
	}
	slices.Sort(farthest)
	for _, t := range rivals {
		for _, id := range t.IDs {
			if len(farthest) <= w.Spare || !(w.squared[id]*(1-neighbors.Spread)-reach(id) > farthest[w.Spare]) {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return ids
}
