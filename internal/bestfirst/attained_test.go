package bestfirst_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// leaf is a node that opens into an answer, or fails.
type leaf struct {
	bound  float64 // of the node
	answer float64 // bound of the answer or of the failure
	// distance of the example, +Inf if there is none
	distance float64
	err      error
}

// leaves is a search without inner nodes.
type leaves []leaf

func (s leaves) Roots() []search.Node {
	var nodes []search.Node
	for i, l := range s {
		nodes = append(nodes, search.Node{Bound: l.bound, Order: int64(i), Item: int64(i)})
	}
	return nodes
}

func (s leaves) NewOpener() search.Opener { return s }

func (s leaves) Open(_ context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	l := s[n.Item]
	if l.err != nil {
		return search.Opened{}, &search.Undecided{Bound: l.answer, Err: l.err}
	}
	if l.answer > cutoff && l.distance < math.Inf(1) {
		return search.Opened{}, nil
	}
	a := &search.Answer{Bound: l.answer, Order: n.Order, Distance: l.distance}
	if !math.IsInf(l.distance, 1) {
		a.Example = []float64{float64(n.Item)}
	}
	return search.Opened{Answer: a}, nil
}

// TestAnswersBeyondTheirBounds: an answer whose example lies beyond its bound, or that has
// none, holds the bound of the search back, and does not end it.
func TestAnswersBeyondTheirBounds(t *testing.T) {
	inf := math.Inf(1)
	numerical := fmt.Errorf("row 7: %w", polytope.ErrNumerical)
	other := errors.New("out of order")
	exact := func(d float64) leaf { return leaf{d, d, d, nil} }
	without := func(b float64) leaf { return leaf{b, b, inf, nil} }
	unsolved := func(node, bound float64) leaf { return leaf{node, bound, inf, numerical} }
	tests := []struct {
		name     string
		leaves   leaves
		radius   float64 // 0 for none
		item     int     // of the answer, −1 for none
		bound    float64
		complete bool
		err      error
	}{
		{"at its bound", leaves{exact(2)}, 0, 0, 2, true, nil},
		{"within the tolerance", leaves{{2, 2, 2 + 1e-9, nil}}, 0, 0, 2, true, nil},
		{"within the tolerance of a short distance", leaves{{1e-6, 1e-6, 1e-6 + 5e-10, nil}}, 0, 0,
			1e-6, true, nil},
		{"out of the tolerance", leaves{{2, 2, 2 + 1e-8, nil}}, 0, 0, 2, false, nil},
		{"far from its bound", leaves{{2, 2, 5, nil}}, 0, 0, 2, false, nil},
		{"far from its bound, another nearer", leaves{{2, 2, 5, nil}, exact(4)}, 0, 1, 2, false,
			nil},
		{"far from its bound, another farther", leaves{{2, 2, 5, nil}, exact(6)}, 0, 0, 2, false,
			nil},
		{"far from its bound behind the first", leaves{exact(2), {3, 3, 5, nil}}, 0, 0, 2, true,
			nil},
		{"two far from their bounds", leaves{{1, 2, 5, nil}, {1, 3, 4, nil}}, 0, 1, 2, false, nil},
		{"two far from their bounds, the lower one last", leaves{{1, 3, 4, nil}, {1, 2, 5, nil}}, 0,
			0, 2, false, nil},
		{"no example", leaves{without(2)}, 0, -1, 2, false, nil},
		{"no example, another farther", leaves{without(2), exact(4)}, 0, 1, 2, false, nil},
		{"no example, another at a rounding error", leaves{without(2), exact(2 + 1e-12)}, 0, 1, 2,
			true, nil},
		{"no example behind the first", leaves{exact(2), without(3)}, 0, 0, 2, true, nil},
		{"no example within the radius", leaves{without(2)}, 3, -1, 2, false, nil},
		{"no example beyond the radius", leaves{{2, 4, inf, nil}}, 3, -1, math.Nextafter(3, 4),
			true, nil},
		{"an example beyond the radius", leaves{{2, 2, 5, nil}}, 3, -1, 2, false, nil},
		{"undecided", leaves{unsolved(1, 2)}, 0, -1, 2, false, nil},
		{"undecided with no bound of its own", leaves{unsolved(1, 0)}, 0, -1, 1, false, nil},
		{"undecided, another farther", leaves{unsolved(1, 2), exact(4)}, 0, 1, 2, false, nil},
		{"undecided behind the first", leaves{exact(2), unsolved(1, 3)}, 0, 0, 2, true, nil},
		{"failed for another reason", leaves{{1, 2, inf, other}, exact(4)}, 0, -1, 0, false, other},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, workers := range []int{1, 3} {
				limits := bestfirst.Limits{Workers: workers, Radius: tt.radius}
				r, err := bestfirst.Run(t.Context(), tt.leaves, limits)
				if !errors.Is(err, tt.err) {
					t.Fatalf("%d workers: %v, want %v", workers, err, tt.err)
				}
				item := -1
				if r.Answer != nil {
					item = int(r.Answer.Example[0])
				}
				if err == nil &&
					(item != tt.item || r.Bound != tt.bound || r.Complete != tt.complete) {
					t.Errorf("%d workers: answer %d, bound %v, complete %v, want %d, %v, %v",
						workers, item, r.Bound, r.Complete, tt.item, tt.bound, tt.complete)
				}
			}
		})
	}
}
