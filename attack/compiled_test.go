package attack_test

import (
	"context"
	"math"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// counted counts how often a classifier is asked what it follows.
type counted struct {
	classifier.Classifier
	search.Searcher
	follows int
}

// Follows implements search.Searcher.
func (c *counted) Follows() search.Rules {
	c.follows++
	return c.Searcher.Follows()
}

// compilations returns how often rules of moves were compiled while do ran: how often the function
// that compiles them allocated, by the trace of every allocation.
func compilations(do func()) (count int64) {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 1
	before := allocations("internal/rules.Rules.Moves")
	do()
	after := allocations("internal/rules.Rules.Moves")
	count = math.MaxInt64
	for line, n := range after {
		count = min(count, n-before[line])
	}
	if len(after) == 0 {
		return 0
	}
	return count
}

// allocations returns how often each line of a function has allocated.
func allocations(function string) map[int]int64 {
	for range 2 { // a profile lags behind by up to two cycles
		runtime.GC()
	}
	n, _ := runtime.MemProfile(nil, true)
	records := make([]runtime.MemProfileRecord, n+1000)
	n, _ = runtime.MemProfile(records, true)
	lines := map[int]int64{}
	for _, r := range records[:n] {
		frames := runtime.CallersFrames(r.Stack())
		for frame, more := frames.Next(); ; frame, more = frames.Next() {
			if strings.HasSuffix(frame.Function, function) {
				lines[frame.Line] += r.AllocObjects
			}
			if !strings.HasPrefix(frame.Function, "runtime.") || !more {
				break // what calls the runtime
			}
		}
	}
	return lines
}

// TestCompiledOnce: a question is compiled once, however many searches it takes.
func TestCompiledOnce(t *testing.T) {
	x, y := mat.NewDense(6, 3, []float64{
		0, 0, 1, 0, 1, 0, 1, 0, 1, 3, 1, 4, 4, 0, 3, 3, 3, 5,
	}), []int{0, 0, 0, 1, 1, 1}
	trainers := map[string]classifier.Trainer{
		"3-NN": classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 3}),
		"a forest": classifier.TrainerOf(classifier.TrainForest,
			classifier.ForestOptions{Trees: 5}),
	}
	ruled := attack.Options{
		Norm: polytope.L1, Features: []attack.Feature{{Up: 2, Down: 3}, {MaxUp: 9}, {}},
	}
	ask := map[string]func(a *attack.RegionBased, x []float64) error{
		"Perturb": func(a *attack.RegionBased, x []float64) error {
			_, err := a.Perturb(context.Background(), x)
			return err
		},
		"Counterfactuals": func(a *attack.RegionBased, x []float64) error {
			_, err := a.Counterfactuals(context.Background(), x, 3)
			return err
		},
		"Reasons": func(a *attack.RegionBased, x []float64) error {
			e := &explain.Explainer{Classifier: a.Classifier, Options: a.Options, Count: 3}
			_, err := e.Reasons(context.Background(), x)
			return err
		},
		"LabelBox": func(a *attack.RegionBased, x []float64) error {
			_, err := (&explain.Explainer{Classifier: a.Classifier, Options: a.Options}).LabelBox(
				context.Background(), x)
			return err
		},
	}
	for name, train := range trainers {
		c, err := train(t.Context(), x, y)
		if err != nil {
			t.Fatal(err)
		}
		searcher, _ := access.Searcher(c)
		for _, opts := range []attack.Options{ruled, {Norm: polytope.L2}} {
			for question, do := range ask {
				of := &counted{Classifier: c, Searcher: searcher}
				a := &attack.RegionBased{Classifier: of, Options: opts}
				var err error
				compiled := compilations(func() { err = do(a, []float64{0, 0, 1}) })
				want := int64(1)
				if opts.Features == nil && question == "Perturb" {
					want = 0
				}
				if err != nil || of.follows != 1 || compiled != want {
					t.Errorf("%s of %s, %d rules: %v, asked what it follows %d times, compiled "+
						"%d times, want once and %d times",
						question, name, len(opts.Features), err, of.follows, compiled, want)
				}
			}
		}
	}
}
