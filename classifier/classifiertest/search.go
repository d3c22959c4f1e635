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
	// tolerance is the error that a distance may have, relative to those from 1 on.
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
		if above(searched, cells) || above(cells, searched) {
			t.add("distance", "%v, norm %v: Search finds an example at %v and none below %v, the cells have one at %v and none below %v",
				x, o.Norm, searched.Distance, searched.Bound, cells.Distance, cells.Bound)
		}
	}
}

// above reports whether the bound of a contradicts the example of b. Where both searches
// ended, bounds are distances.
func above(a, b attack.Result) bool {
	d := b.Distance + tolerance*math.Max(1, b.Distance)
	return a.Bound > d || a.Optimal && a.Distance > d
}
