package neighborproof

import (
	"bufio"
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// writer writes the body of one proof.
type writer struct {
	search.Query
	neighbors.Quota
	refuter *prooftext.Refuter
	bound   float64
	table   *neighbors.Table
	k       int
	squared []float64 // ‖row − X‖₂², by row
	pivots  []int32   // supporting rows that are not crowded: the format's M
	// Those rows, and the rivals that may matter.
	partners, rivals []candidate
	a                []float64 // scratch space
}

// Write writes the body of a proof that no answer to a query is nearer than a bound. The error
// wraps prooftext.ErrBound where exact arithmetic does not bear the bound out.
func Write(
	ctx context.Context, to *bufio.Writer, table *neighbors.Table, k int, q search.Query,
	bound float64,
) error {
	w := &writer{
		Query: q, Quota: table.Quota(k, q),
		refuter: prooftext.NewRefuter(&q, bound), bound: bound,
		table: table, k: k, squared: make([]float64, table.Len()), a: make([]float64, table.Dim),
	}
	if w.Required == 0 {
		return nil
	}
	for i := range w.squared {
		w.squared[i] = nnindex.Squared(q.X, table.Row(int32(i)))
	}
	near := w.dropOutnumbered()
	to.WriteString("near")
	for _, r := range near {
		to.WriteByte(' ')
		to.WriteString(strconv.Itoa(int(r)))
	}
	to.WriteByte('\n')
	slices.Sort(w.pivots)
	for _, p := range w.pivots {
		w.partners = append(w.partners, w.newCandidate(p))
	}
	t := newTree(w)
	for _, p := range w.pivots {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !t.begin(p) {
			continue
		}
		if err := t.refute(ctx); err != nil {
			return err
		}
		to.Write(t.text)
	}
	return nil
}

// dropOutnumbered finds the supporting rows that are not crowded, and rivals that show that the
// others are.
func (w *writer) dropOutnumbered() (named []int32) {
	own, rivals := w.table.SupportAndRivals(w.Query)
	near := rivals.First(w.X, neighbors.NearRivals+w.Allowed)
	w.rivals = w.candidates(rivals, near)
	unnamed := make([]int32, len(near))
	for i, n := range near {
		unnamed[i] = n.ID
	}
	for _, t := range own {
		for _, p := range t.IDs {
			need := w.Allowed + 1
			for i := 0; need > 0 && i < len(named); i++ {
				if w.far(p, named[i]) {
					need--
				}
			}
			more := 0 // of the unnamed ones, moved to the front
			for i := 0; more < need && i < len(unnamed); i++ {
				if w.far(p, unnamed[i]) {
					unnamed[more], unnamed[i] = unnamed[i], unnamed[more]
					more++
				}
			}
			if more < need {
				w.pivots = append(w.pivots, p)
				continue
			}
			named, unnamed = append(named, unnamed[:more]...), unnamed[more:]
		}
	}
	return named
}

// candidates returns the rivals that are not known to have more near ones than are allowed before
// them wherever a point is nearer than the bound.
func (w *writer) candidates(rivals neighbors.Trees, near []nnindex.Neighbor) (rows []candidate) {
	most := math.Inf(1)
	if len(near) > w.Allowed {
		farthest := make([]float64, len(near))
		for i, n := range near {
			r := w.newCandidate(n.ID)
			farthest[i] = r.most
		}
		slices.Sort(farthest)
		most = farthest[w.Allowed]
	}
	for _, t := range rivals {
		for _, id := range t.IDs {
			if r := w.newCandidate(id); !(r.least > most) {
				rows = append(rows, r)
			}
		}
	}
	return rows
}
