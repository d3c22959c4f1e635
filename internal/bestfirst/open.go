package bestfirst

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// ErrBound is the error of a search with a bound that is not a number ≥ 0, which
// has no position in the order of nodes: it would be passed over without a word.
var ErrBound = errors.New("bound is not a number ≥ 0")

// roots returns the roots of s, which may be a caller's.
func roots(s search.Search) (nodes []search.Node, err error) {
	defer guard.Catch(&err, "Roots", s)
	nodes = s.Roots()
	return nodes, checkBounds(nodes)
}

// expand opens n with the opener of a worker. One that panicked is not used again,
// because its memory may be half written.
func (r *run) expand(
	ctx context.Context, opener *search.Opener, n search.Node, cutoff float64,
) (opened search.Opened, err error) {
	defer guard.Catch(&err, "Open", r.search)
	used := *opener
	if *opener = nil; used == nil {
		used = r.search.NewOpener()
	}
	opened, err = used.Open(ctx, n, cutoff)
	*opener = used
	if err != nil {
		return opened, err
	}
	if a := opened.Answer; a != nil && !(a.Bound >= 0) {
		return opened, fmt.Errorf("answer of order %d: %w: %v", a.Order, ErrBound, a.Bound)
	}
	return opened, checkBounds(opened.Children)
}

func checkBounds(nodes []search.Node) error {
	for i := range nodes {
		if n := &nodes[i]; !(n.Bound >= 0) {
			return fmt.Errorf("node of order %d: %w: %v", n.Order, ErrBound, n.Bound)
		}
	}
	return nil
}
