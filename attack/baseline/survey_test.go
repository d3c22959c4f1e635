package baseline_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// surveying are the attacks that predict all training points before the first attack.
func surveying(c classifier.Classifier, points mat.Matrix) map[string]attack.Attack {
	return map[string]attack.Attack{
		"approx": &attack.RegionBased{
			Classifier: c,
			Points:     points,
			Options:    attack.Options{Mode: attack.Approx, Regions: 3, Workers: 1},
		},
		"direct": &baseline.Direct{Classifier: c, Points: points},
		"kernel": &baseline.Kernel{Classifier: c, Points: points},
	}
}

// countedLocator is a classifier whose cells can be located, that counts predictions.
type countedLocator struct {
	*watched
	*classifier.KNN
}

func (l countedLocator) Predict(x []float64) int { return l.watched.Predict(x) }
func (l countedLocator) Dim() int                { return l.watched.Dim() }
func (l countedLocator) Classes() int            { return l.watched.Classes() }

// TestSurveyIsInterrupted ends the context in the middle of the predictions of training
// points: none is made any more, and the next attack goes on from there.
func TestSurveyIsInterrupted(t *testing.T) {
	const n = 60
	x, y := dataset.Clusters(rand.New(rand.NewPCG(13, 1)), n, 2)
	knn, point := oneNN(t, x, y), x.RawRowView(3)
	attacks := surveying(knn, x)
	delete(attacks, "approx") // which keeps no predictions: see TestApproxIsInterrupted
	for name, plain := range attacks {
		want, err := plain.Perturb(t.Context(), point)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		w := &watched{Classifier: knn, at: func(number int) {
			if number == n/2 {
				cancel()
			}
		}}
		a := surveying(countedLocator{w, knn}, x)[name]
		if r, err := a.Perturb(ctx, point); !errors.Is(err, context.Canceled) || r.Example != nil {
			t.Errorf("%s, cancelled: %+v, %v", name, r, err)
		}
		if w.predictions != n/2 {
			t.Errorf("%s: %d predictions, want those till the context ended at %d",
				name, w.predictions, n/2)
		}
		labelled := w.predictions - 1 // one was that of the attacked point
		w.predictions, w.at = 0, nil
		var surveyed int
		w.at = func(number int) { surveyed = number }
		r, err := a.Perturb(t.Context(), point)
		if err != nil || !reflect.DeepEqual(r, want) {
			t.Errorf("%s, afterwards: %+v, %v, want %+v", name, r, err, want)
		}
		fresh := &watched{Classifier: knn}
		if _, err := surveying(countedLocator{fresh, knn}, x)[name].Perturb(
			t.Context(), point,
		); err != nil {
			t.Fatal(err)
		}
		if surveyed != fresh.predictions-labelled {
			t.Errorf("%s: %d more predictions, want %d less %d",
				name, surveyed, fresh.predictions, labelled)
		}
	}
}

// TestApproxIsInterrupted ends the context in the middle of the predictions of training points:
// none is made any more, and the attack is used again as before.
func TestApproxIsInterrupted(t *testing.T) {
	x, y := dataset.Clusters(rand.New(rand.NewPCG(13, 1)), 60, 2)
	knn, point := oneNN(t, x, y), x.RawRowView(3)
	want, err := surveying(knn, x)["approx"].Perturb(t.Context(), point)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	w := &watched{Classifier: knn, at: func(number int) {
		if number == 5 {
			cancel()
		}
	}}
	a := surveying(countedLocator{w, knn}, x)["approx"]
	if r, err := a.Perturb(ctx, point); !errors.Is(err, context.Canceled) || r.Example != nil {
		t.Errorf("cancelled: %+v, %v", r, err)
	}
	if w.predictions != 5 {
		t.Errorf("%d predictions, want those till the context ended at 5", w.predictions)
	}
	w.at = nil
	if r, err := a.Perturb(t.Context(), point); err != nil || !reflect.DeepEqual(r, want) {
		t.Errorf("afterwards: %+v, %v, want %+v", r, err, want)
	}
}

// TestPerturbAllIsInterrupted cancels at every look at the context: there is one a row in
// the predictions, and several in the steps, which take time in proportion to the square.
func TestPerturbAllIsInterrupted(t *testing.T) {
	const n = 20
	x, y := dataset.Clusters(rand.New(rand.NewPCG(14, 1)), n, 2)
	a := &baseline.Kernel{
		Classifier: oneNN(t, x, y),
		Step:       .2, Limit: .4,
		Iterations: 2,
	}
	count := &countdown{Context: t.Context(), left: 1 << 30}
	if _, err := a.PerturbAll(count, x); err != nil {
		t.Fatal(err)
	}
	looks := 1<<30 - count.left
	if least := n + 3*n; looks < least {
		t.Errorf("%d looks at the context, want %d at least", looks, least)
	}
	for k := range looks {
		results, err := a.PerturbAll(&countdown{Context: t.Context(), left: k}, x)
		if !errors.Is(err, context.Canceled) || len(results) != n {
			t.Fatalf("cancelled after %d looks of %d: %d results, %v", k, looks, len(results), err)
		}
	}
}

// countdown is a context that is cancelled after so many looks at it.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}
