package classifier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// RangeOptions narrow the region of Regressor.Range, and limit the search. The zero value
// does neither.
type RangeOptions struct {
	// Center and Radius, in Norm, are a ball that inputs must lie in besides; a nil Center
	// means none. Examples lie near the center, or else near the middle of the box.
	Center []float64
	Radius float64
	Norm   polytope.Norm
	// Timeout ends both searches after this time, 0 never. The bounds are then those proven.
	Timeout time.Duration
	// MaxNodes ends the search for each end after this many nodes, 0 never.
	MaxNodes int
}

// Range is what the output of a Regressor can be in a region.
type Range struct{ Min, Max RangeEnd }

// RangeEnd is the smallest output, or the largest one.
type RangeEnd struct {
	// Output is that of Example, the smallest or largest that was found; NaN if none was.
	Output float64
	// Bound is what no output in the region falls short of, or exceeds, over real vectors: Output
	// itself if the search was not cut short, and a float64 vector has that output. Where none
	// has (center 0.1, radius 0.5: real numbers between 0.6 and 0.1+0.5), Bound lies beyond.
	Bound   float64
	Example []float64
	Nodes   int // parts of the region looked into
}

// Proven reports whether the end is exactly known.
func (e RangeEnd) Proven() bool { return e.Output == e.Bound }

// Range returns the smallest and the largest output in a box, nil for all of R^d, and in the
// ball of the options: both ends proven, to the last bit of Predict, with an input that has each.
// Like Above, and the attacks on it, it is about real vectors: about what Predict computes for
// them.
//
// The two searches are branch and bound, and run side by side. Which output is the largest is
// NP-hard to decide: a large region of many deep trees may need a Timeout.
func (r *Regressor) Range(ctx context.Context, box polytope.Box, opts RangeOptions) (Range, error) {
	q, err := r.rangeQuery(box, &opts)
	if err != nil {
		return Range{}, fmt.Errorf("classifier: range: %w", err)
	}
	inner := ctx
	if opts.Timeout > 0 {
		var cancel context.CancelFunc
		inner, cancel = context.WithTimeout(ctx, opts.Timeout)
		defer cancel()
	}
	var found [2]RangeEnd
	var errs [2]error
	var group sync.WaitGroup
	for i := range found {
		group.Go(func() {
			q := q
			q.Least = i == 0
			found[i], errs[i] = r.end(inner, q)
		})
	}
	group.Wait()
	if err := cmp.Or(errs[0], errs[1]); err != nil {
		return Range{}, fmt.Errorf("classifier: range: %w", err)
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return Range{}, fmt.Errorf("classifier: range: %w", ctx.Err())
	}
	return Range{Min: found[0], Max: found[1]}, nil
}

// end searches for one end.
func (r *Regressor) end(ctx context.Context, q boxtree.SumQuery) (RangeEnd, error) {
	found, err := r.ranges().Find(ctx, q)
	if err != nil {
		return RangeEnd{}, err
	}
	e := RangeEnd{
		Output:  math.NaN(),
		Bound:   r.trees.Output(r.model.Link, found.Bound),
		Example: found.Example,
		Nodes:   found.Nodes,
	}
	if e.Example != nil {
		e.Output = r.trees.Output(r.model.Link, found.Sum)
	}
	return e, nil
}

// rangeQuery checks a region.
func (r *Regressor) rangeQuery(
	box polytope.Box, opts *RangeOptions,
) (q boxtree.SumQuery, err error) {
	if r.shares != nil {
		return q, errShare("has no range so far")
	}
	dim := r.Dim()
	if err := rules.CheckDomain(box, dim); err != nil {
		return q, err
	}
	q = boxtree.SumQuery{
		Region: boxtree.Region{
			Center: opts.Center, Norm: opts.Norm, Radius: opts.Radius, Domain: box,
		},
		Limits: boxtree.Limits{Nodes: opts.MaxNodes},
	}
	switch {
	case opts.Timeout < 0 || opts.MaxNodes < 0:
		return q, fmt.Errorf("%w: timeout %v, at most %d nodes: neither may be negative",
			ErrOption, opts.Timeout, opts.MaxNodes)
	case opts.Center == nil:
		q.Center, q.Radius = make([]float64, dim), math.Inf(1)
		for j := range q.Center {
			q.Center[j] = middleOf(box, j)
		}
		return q, nil
	case !(opts.Radius >= 0):
		return q, fmt.Errorf("%w: radius %v, want a number from 0 on", ErrOption, opts.Radius)
	}
	if err := opts.Norm.Validate(); err != nil {
		return q, err
	}
	return q, polytope.CheckPoint(opts.Center, dim)
}

// middleOf returns the middle of a side of a box, or the number nearest to 0 of one that is
// infinite.
func middleOf(box polytope.Box, j int) float64 {
	if box == nil {
		return 0
	}
	if middle := box[j].Lo/2 + box[j].Hi/2; !math.IsInf(middle, 0) && !math.IsNaN(middle) {
		return box[j].Closest(middle)
	}
	return box[j].Closest(0)
}
