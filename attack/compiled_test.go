package attack_test

import (
	"context"
	"math"
	"runtime"
	"slices"
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

// counted counts how often a classifier is asked which rules it follows.
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
	lines := map[int]int64{}
	eachAllocation(func(frames *runtime.Frames, objects int64) {
		for frame, more := frames.Next(); ; frame, more = frames.Next() {
			if strings.HasSuffix(frame.Function, function) {
				lines[frame.Line] += objects
			}
			if !strings.HasPrefix(frame.Function, "runtime.") || !more {
				break // the callers of the runtime
			}
		}
	})
	return lines
}

// eachAllocation visits the stacks from which memory was allocated so far.
func eachAllocation(visit func(frames *runtime.Frames, objects int64)) {
	for range 2 { // a profile lags behind by up to two cycles
		runtime.GC()
	}
	n, _ := runtime.MemProfile(nil, true)
	records := make([]runtime.MemProfileRecord, n+1000)
	n, _ = runtime.MemProfile(records, true)
	for _, r := range records[:n] {
		visit(runtime.CallersFrames(r.Stack()), r.AllocObjects)
	}
}

// atWork returns the packages of this module that allocated while do ran, and that called those. A
// package counts with the one that it lies under.
func atWork(do func()) (packages []string) {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 1
	const module = "github.com/seed-1a7dc1f9/facet/"
	calls := func() map[string]int64 {
		count := map[string]int64{}
		eachAllocation(func(frames *runtime.Frames, objects int64) {
			for frame, more := frames.Next(); ; frame, more = frames.Next() {
				if path, ok := strings.CutPrefix(frame.Function, module); ok {
					count[path] += objects
				}
				if !more {
					break
				}
			}
		})
		return count
	}
	before := calls()
	do()
	for path, n := range calls() {
		name := strings.TrimPrefix(path, "internal/")
		name = name[:strings.IndexAny(name+"/", "/.")]
		if n > before[path] && name != "attack_test" && !slices.Contains(packages, name) {
			packages = append(packages, name)
		}
	}
	return packages
}

// TestFewPackages: a question is answered by few packages, those of design.md.
func TestFewPackages(t *testing.T) {
	for name, a := range few(t) {
		var err error
		packages := atWork(func() { _, err = a.Perturb(context.Background(), []float64{0, 0, 1}) })
		if err != nil || len(packages) > 12 || !slices.Contains(packages, "bestfirst") {
			t.Errorf("%s: %v, %d packages at work, want at most 12, with bestfirst: %v",
				name, err, len(packages), packages)
		}
	}
}

// few returns attacks on small classifiers, under rules in ℓ1.
func few(t *testing.T) map[string]*attack.RegionBased {
	x, y := mat.NewDense(6, 3, []float64{
		0, 0, 1, 0, 1, 0, 1, 0, 1, 3, 1, 4, 4, 0, 3, 3, 3, 5,
	}), []int{0, 0, 0, 1, 1, 1}
	trainers := map[string]classifier.Trainer{
		"3-NN": classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 3}),
		"a forest": classifier.TrainerOf(classifier.TrainForest,
			classifier.ForestOptions{Trees: 5}),
	}
	attacks := map[string]*attack.RegionBased{}
	for name, train := range trainers {
		c, err := train(t.Context(), x, y)
		if err != nil {
			t.Fatal(err)
		}
		attacks[name] = &attack.RegionBased{Classifier: c, Options: attack.Options{
			Norm: polytope.L1, Features: []attack.Feature{{Up: 2, Down: 3}, {MaxUp: 9}, {}},
		}}
	}
	return attacks
}

// TestCompiledOnce: a question is compiled once, however many searches it takes.
func TestCompiledOnce(t *testing.T) {
	ask := map[string]func(a *attack.RegionBased, x []float64) error{
		"Perturb": func(a *attack.RegionBased, x []float64) error {
			_, err := a.Perturb(context.Background(), x)
			return err
		},
		"RobustAt": func(a *attack.RegionBased, x []float64) error {
			_, err := a.RobustAt(context.Background(), x, 0.1, 1, 2, 3, 4)
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
	for name, ruled := range few(t) {
		searcher, _ := access.Searcher(ruled.Classifier)
		for _, opts := range []attack.Options{ruled.Options, {Norm: polytope.L2}} {
			for question, do := range ask {
				of := &counted{Classifier: ruled.Classifier, Searcher: searcher}
				a := &attack.RegionBased{Classifier: of, Options: opts}
				var err error
				compiled := compilations(func() { err = do(a, []float64{0, 0, 1}) })
				want := int64(1)
				if opts.Features == nil && (question == "Perturb" || question == "RobustAt") {
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
