package property

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// computedRange finds the ends of the outputs that a regressor computes, to the last bit. The two
// searches are branch and bound, and run side by side.
func computedRange(
	ctx context.Context, m Model, opts *Options,
) (least, most End, err error) {
	if rows.IsNil(m) {
		return least, most, errNoModel
	}
	sums, err := access.Sums(m)
	if err != nil {
		return least, most, err
	}
	f, err := access.Trees(m)
	if err != nil {
		return least, most, err
	}
	region, err := opts.region(m.Dim())
	if err != nil {
		return least, most, err
	}
	inner, cancel := query.Within(ctx, opts.Timeout)
	defer cancel()
	ends := [...]*End{&least, &most}
	// Both are begun even if the context has ended: they return the bounds of that moment.
	err = rows.Each(context.Background(), len(ends), len(ends), func(i int) (err error) {
		*ends[i], err = computedEnd(inner, sums, &f, boxtree.SumQuery{
			Region: region, Limits: boxtree.Limits{Nodes: opts.MaxNodes}, Least: i == 0,
		})
		return err
	})
	if err = query.OrCanceled(ctx, err); err != nil {
		return End{}, End{}, err
	}
	return least, most, nil
}

// computedEnd searches for one end.
func computedEnd(
	ctx context.Context, sums *boxtree.Sums, f *trees.Function, q boxtree.SumQuery,
) (End, error) {
	found, err := sums.Find(ctx, q)
	if err != nil {
		return End{}, err
	}
	e := End{
		X: found.Example, Label: -1, Class: -1, Output: math.NaN(),
		Bound: f.Output(f.Link, found.Bound), Status: attack.StatusLimit, Nodes: found.Nodes,
	}
	if e.X != nil {
		e.Output = f.Output(f.Link, found.Sum)
	}
	if e.Output == e.Bound {
		e.Status = attack.StatusOptimal
	}
	return e, nil
}

// region returns that of computed outputs: the domain, and a ball around one row.
func (o *Options) region(dim int) (r boxtree.Region, err error) {
	r = boxtree.Region{Norm: o.Norm, Radius: o.Within, Domain: o.Domain}
	switch {
	case o.Features != nil, o.Probability, o.Radii != nil, o.Proof != nil:
		return r, fmt.Errorf("computed outputs are of a regressor in a domain and around a row, "+
			"without Features, Probability, Radii or Proof: %w", errors.ErrUnsupported)
	case o.Near == nil:
		r.Center, r.Radius = make([]float64, dim), math.Inf(1)
	default:
		if rows, _ := o.Near.Dims(); rows != 1 {
			return r, fmt.Errorf("computed outputs near %d rows: ask for each row by itself: %w",
				rows, errors.ErrUnsupported)
		}
		r.Center = mat.Row(nil, 0, o.Near)
	}
	if err := rules.CheckDomain(o.Domain, dim); err != nil {
		return r, err
	}
	if o.Near != nil {
		return r, geometry.CheckPoint(r.Center, dim)
	}
	for j := range r.Center {
		r.Center[j] = middleOf(o.Domain, j)
	}
	return r, nil
}

// middleOf returns the middle of a side of a box, or the number nearest to 0 of one that is
// infinite.
func middleOf(box polytope.Box, j int) float64 {
	if box == nil {
		return 0
	}
	if middle := box[j].Lo/2 + box[j].Hi/2; !math.IsInf(middle, 0) && !math.IsNaN(middle) {
		return geometry.Nearest(box[j], middle)
	}
	return geometry.Nearest(box[j], 0)
}
