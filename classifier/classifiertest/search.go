package classifiertest

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

const (
	searches = 30     // points that are searched around
	maxNodes = 20_000 // of a search, which is then held against its bound
	// tolerance is the error that a bound may have, relative to those from 1 on.
	tolerance = 1e-9
)

// listed is a classifier of which only the cells are known.
type listed struct{ classifier.Decomposable }

// search holds what a Searcher finds against what its cells bring.
func (t *tester) search() {
	if _, ok := t.c.(classifier.Searcher); !ok {
		return
	}
	for n := range searches {
		o := attack.Options{Norm: polytope.Norm(n % 3), Workers: 1, MaxNodes: maxNodes}
		x := t.draw()
		if n < len(t.opts.Inputs) {
			x = t.opts.Inputs[n]
		}
		searched, err := (&attack.RegionBased{Classifier: t.c, Options: o}).Perturb(context.Background(), x)
		if err != nil {
			t.add("search", "searching around %v: %w", x, err)
			return
		}
		cells, err := (&attack.RegionBased{Classifier: listed{t.c}, Options: o}).Perturb(context.Background(), x)
		if err != nil {
			t.add("cells", "searching the cells around %v: %w", x, err)
			return
		}
		if contradict(searched, cells) {
			t.add("distance", "%v, norm %v: Search finds an example at %v and none below %v, the cells have one at %v and none below %v",
				x, o.Norm, searched.Distance, searched.Bound, cells.Distance, cells.Bound)
		}
	}
}

// contradict reports whether the bound of one result exceeds the distance of the other,
// or, where both searches ended, their bounds differ.
func contradict(a, b attack.Result) bool {
	above := func(bound, distance float64) bool { return bound > distance+tolerance*math.Max(1, distance) }
	return above(a.Bound, b.Distance) || above(b.Bound, a.Distance) ||
		a.Optimal && b.Optimal && (above(a.Bound, b.Bound) || above(b.Bound, a.Bound))
}
