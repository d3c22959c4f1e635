package experiment

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Options are the parameters of a Lab. The zero value generates halfmoon, keeps
// results in memory only and uses every core.
type Options struct {
	// Folders are where the files of the paper's data sets are looked for.
	Folders []string
	// Work is the folder of results, made if missing; "" keeps them in memory. Only
	// results of the very same program count, since other code may have others.
	Work string
	// Norm is that of attacks, pruning and adversarial training, ℓ∞ in the paper.
	Norm polytope.Norm
	// Large allows adversarial training of 3-NN on sets of 10,000 rows and more, which takes
	// minutes of a processor for each; it is left out otherwise.
	Large bool
	// Kept leaves out all results that are not in the folder already.
	Kept bool
	// Workers is the number of points attacked at a time; 0 means GOMAXPROCS.
	Workers int
	// Progress is called as the points of a run are finished, with the number of
	// those since the last call. It is not called for results that were kept.
	Progress func(points int)
}

// Lab runs experiments. It is for one goroutine; an experiment uses many.
type Lab struct {
	options Options
	store   *store
	sets    map[string]*set
	models  map[Subject]*Model
	tests   map[Subject]*Test
	points  map[Run][]metrics.Point
}

// New makes a Lab. It fails if the folder of results cannot be written to.
func New(options Options) (*Lab, error) {
	store, err := openStore(options.Work, options.Norm)
	if err != nil {
		return nil, err
	}
	if options.Progress == nil {
		options.Progress = func(int) {}
	}
	return &Lab{
		options: options,
		store:   store,
		sets:    make(map[string]*set),
		models:  make(map[Subject]*Model),
		tests:   make(map[Subject]*Test),
		points:  make(map[Run][]metrics.Point),
	}, nil
}

// Test returns the numbers of a subject on the test set before it is attacked.
func (l *Lab) Test(ctx context.Context, s Subject) (*Test, error) {
	return known(ctx, l, l.tests, s, l.test)
}

// Points returns the attacked points of a run in the order of Test.Attacked: none,
// and no error, for a subject that the paper does not attack. Results must not be
// changed.
//
// When the context ends, the points of the run are lost and the error wraps the
// context's.
func (l *Lab) Points(ctx context.Context, r Run) ([]metrics.Point, error) {
	return known(ctx, l, l.points, r, l.attack)
}

// Kept reports whether the result of a run is known without any work but
// loading the set.
func (l *Lab) Kept(ctx context.Context, r Run) (bool, error) {
	_, ok, err := recall(ctx, l, l.points, r)
	return ok, err
}

// Robustness returns the empirical robustness of a run, the mean distance of its
// examples, and NaN where there is none because the paper does not attack the subject.
func (l *Lab) Robustness(ctx context.Context, r Run) (float64, error) {
	points, err := l.Points(ctx, r)
	if err != nil || len(points) == 0 {
		return math.NaN(), err
	}
	robustness, err := metrics.EmpiricalRobustness(points)
	if err != nil {
		return math.NaN(), fmt.Errorf("%v: %w", r, err)
	}
	return robustness.Mean, nil
}
