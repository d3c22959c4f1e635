package house_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/classifier/classifiertest"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// subjects are what the entry points of the library are tried with.
type subjects struct {
	x      *mat.Dense
	y      []int
	knn    *classifier.KNN
	forest *classifier.Ensemble
	tree   *classifier.Tree
}

func newSubjects(t *testing.T) *subjects {
	rng := rand.New(rand.NewPCG(41, 3))
	s := &subjects{x: mat.NewDense(60, 3, nil), y: make([]int, 60)}
	for i := range s.y {
		for j := range 3 {
			s.x.Set(i, j, rng.Float64())
		}
		s.y[i] = rng.IntN(2)
	}
	var errs [3]error
	s.knn, errs[0] = classifier.TrainKNN(t.Context(), s.x, s.y, classifier.KNNOptions{K: 3})
	s.forest, errs[1] = classifier.TrainForest(
		t.Context(), s.x, s.y, classifier.ForestOptions{Trees: 20},
	)
	s.tree, errs[2] = classifier.TrainTree(t.Context(), s.x, s.y, classifier.TreeOptions{})
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDeadlines: a deadline that passes ends a search with what is known, and is the error of all
// else, which has nothing to show for it. That a context is cancelled is an error everywhere.
func TestDeadlines(t *testing.T) {
	s := newSubjects(t)
	input := s.x.RawRowView(0)
	searches := map[string]func(ctx context.Context) (decided bool, err error){
		"property.Depends": func(ctx context.Context) (bool, error) {
			r, err := property.Depends(ctx, s.forest, []int{0}, property.Options{})
			return r.Verdict() != attack.Undecided, err
		},
		"property.Differ": func(ctx context.Context) (bool, error) {
			r, err := property.Differ(ctx, s.forest, s.tree, property.Options{Labels: true})
			return r.Verdict() != attack.Undecided, err
		},
		"property.Monotone": func(ctx context.Context) (bool, error) {
			r, err := property.Monotone(ctx, s.forest, 0, property.Options{})
			return r.Verdict() != attack.Undecided, err
		},
		"property.Range": func(ctx context.Context) (bool, error) {
			least, _, err := property.Range(ctx, s.forest, property.Options{})
			return least.Status == attack.StatusOptimal, err
		},
	}
	for name, c := range map[string]classifier.Classifier{"k-NN": s.knn, "forest": s.forest} {
		a := &attack.RegionBased{Classifier: c}
		e := &explain.Explainer{Classifier: c}
		searches["Perturb of "+name] = func(ctx context.Context) (bool, error) {
			r, err := a.Perturb(ctx, input)
			return r.Optimal(), err
		}
		searches["RobustAt of "+name] = func(ctx context.Context) (bool, error) {
			r, err := a.RobustAt(ctx, input, 0.5)
			return r.Verdict(0.5) != attack.Undecided, err
		}
		searches["Counterfactuals of "+name] = func(ctx context.Context) (bool, error) {
			all, err := a.Counterfactuals(ctx, input, 2)
			return len(all.Found) > 0 || all.Status == attack.StatusNone, err
		}
		if c == s.knn { // asks no trees, which decide at once
			searches["Reasons of "+name] = func(ctx context.Context) (bool, error) {
				all, err := e.Reasons(ctx, input)
				return len(all.Found) > 0 && all.Found[0].Status == attack.StatusOptimal, err
			}
			searches["LabelBox of "+name] = func(ctx context.Context) (bool, error) {
				box, err := e.LabelBox(ctx, input)
				return box.Status == attack.StatusOptimal, err
			}
		}
	}
	for name, a := range map[string]attack.Attack{
		"Direct":   &baseline.Direct{Classifier: s.knn},
		"Kernel":   &baseline.Kernel{Classifier: s.knn},
		"BlackBox": &baseline.BlackBox{Classifier: s.knn},
		"Papernot": &baseline.Papernot{Classifier: s.tree},
	} {
		searches[name] = func(ctx context.Context) (bool, error) {
			r, err := a.Perturb(ctx, input)
			return r.Optimal(), err
		}
	}
	past, cancel := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer cancel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, ask := range searches {
		if decided, err := ask(past); decided || err != nil {
			t.Errorf("%s after a deadline: decided %v, %v, want nothing and no error",
				name, decided, err)
		}
		if _, err := ask(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s of a context that is cancelled: %v", name, err)
		}
	}
	for name, make := range makers(s) {
		if err := make(past); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s after a deadline: %v", name, err)
		}
		if err := make(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s of a context that is cancelled: %v", name, err)
		}
	}
}

// makers are the entry points that return all or nothing.
func makers(s *subjects) map[string]func(ctx context.Context) error {
	trained := func(train classifier.Trainer) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			_, err := train(ctx, s.x, s.y)
			return err
		}
	}
	knn := classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 1})
	tree := classifier.TrainerOf(classifier.TrainTree, classifier.TreeOptions{})
	forest := classifier.TrainerOf(classifier.TrainForest, classifier.ForestOptions{})
	boosted := classifier.TrainerOf(classifier.TrainBoosted, classifier.BoostedOptions{})
	oblique := classifier.TrainerOf(classifier.TrainOblique, classifier.ObliqueOptions{})
	pruned := func(p prune.Pruner) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			_, err := p.Prune(ctx, s.x, s.y)
			return err
		}
	}
	return map[string]func(ctx context.Context) error{
		"Evaluate": func(ctx context.Context) error {
			_, err := metrics.Evaluate(ctx, s.knn, s.x, s.y, metrics.Options{})
			return err
		},
		"Accuracy": func(ctx context.Context) error {
			_, err := metrics.Accuracy(ctx, s.knn, s.x, s.y)
			return err
		},
		"TrainKNN":       trained(knn),
		"TrainTree":      trained(tree),
		"TrainForest":    trained(forest),
		"TrainBoosted":   trained(boosted),
		"TrainOblique":   trained(oblique),
		"adversarial":    trained(attack.AdversarialTraining{Trainer: knn, Radius: 0.1}.Train),
		"Defend":         trained(prune.Defend(nil, nil)),
		"pruning":        pruned(prune.Adversarial{Radius: 0.1}),
		"pruning by WJC": pruned(prune.WJC{Radius: 0.1}),
	}
}

// TestNil: what is missing is an error that says so, and no panic.
func TestNil(t *testing.T) {
	s := newSubjects(t)
	ctx, input := t.Context(), s.x.RawRowView(0)
	ask := func(a attack.Attack) error {
		_, err := a.Perturb(ctx, input)
		return err
	}
	var missing *classifier.KNN
	for name, call := range map[string]func() error{
		"Perturb":            func() error { return ask(&attack.RegionBased{}) },
		"Perturb of nothing": func() error { return ask(&attack.RegionBased{Classifier: missing}) },
		"Perturb of no x": func() error {
			_, err := (&attack.RegionBased{Classifier: s.knn}).Perturb(ctx, nil)
			return err
		},
		"Counterfactuals": func() error {
			_, err := (&attack.RegionBased{}).Counterfactuals(ctx, input, 1)
			return err
		},
		"Approx without points": func() error {
			return ask(&attack.RegionBased{
				Classifier: s.forest, Options: attack.Options{Mode: attack.Approx},
			})
		},
		"Proof": func() error {
			return ask(&attack.RegionBased{
				Classifier: s.forest, Options: attack.Options{Proof: proof.NewWriter(nil)},
			})
		},
		"Direct":   func() error { return ask(&baseline.Direct{}) },
		"Kernel":   func() error { return ask(&baseline.Kernel{}) },
		"BlackBox": func() error { return ask(&baseline.BlackBox{}) },
		"Papernot": func() error { return ask(&baseline.Papernot{}) },
		"Reasons": func() error {
			_, err := (&explain.Explainer{}).Reasons(ctx, input)
			return err
		},
		"LabelBox": func() error {
			_, err := (&explain.Explainer{}).LabelBox(ctx, input)
			return err
		},
		"Depends": func() error {
			_, err := property.Depends(ctx, nil, []int{0}, property.Options{})
			return err
		},
		"Differ": func() error {
			_, err := property.Differ(ctx, s.forest, (*classifier.Tree)(nil), property.Options{})
			return err
		},
		"Monotone": func() error {
			_, err := property.Monotone(ctx, nil, 0, property.Options{})
			return err
		},
		"Range": func() error {
			_, _, err := property.Range(ctx, nil, property.Options{})
			return err
		},
		"Range computed": func() error {
			_, _, err := property.Range(ctx, (*classifier.Regressor)(nil),
				property.Options{Computed: true})
			return err
		},
		"Evaluate": func() error {
			_, err := metrics.Evaluate(ctx, nil, s.x, s.y, metrics.Options{})
			return err
		},
		"Evaluate no rows": func() error {
			_, err := metrics.Evaluate(ctx, s.knn, nil, nil, metrics.Options{})
			return err
		},
		"Accuracy": func() error { _, err := metrics.Accuracy(ctx, nil, s.x, s.y); return err },
		"Predict":  func() error { _, err := metrics.Predict(ctx, s.knn, nil); return err },
		"TrainKNN": func() error {
			_, err := classifier.TrainKNN(ctx, nil, nil, classifier.KNNOptions{K: 1})
			return err
		},
		"TrainTree": func() error {
			_, err := classifier.TrainTree(ctx, nil, nil, classifier.TreeOptions{})
			return err
		},
		"TrainForest": func() error {
			var none *mat.Dense
			_, err := classifier.TrainForest(ctx, none, nil, classifier.ForestOptions{})
			return err
		},
		"TrainBoosted": func() error {
			_, err := classifier.TrainBoosted(ctx, nil, nil, classifier.BoostedOptions{})
			return err
		},
		"TrainOblique": func() error {
			_, err := classifier.TrainOblique(ctx, nil, nil, classifier.ObliqueOptions{})
			return err
		},
		"NewEnsemble": func() error {
			_, err := classifier.NewEnsemble([]*classifier.Tree{nil}, classifier.EnsembleOptions{})
			return err
		},
		"NewObliqueEnsemble": func() error {
			_, err := classifier.NewObliqueEnsemble(
				1, [][]classifier.ObliqueNode{nil}, classifier.EnsembleOptions{},
			)
			return err
		},
		"Read": func() error {
			_, err := classifier.Read[classifier.Model](nil, classifier.ReadOptions{})
			return err
		},
		"Save":            func() error { return classifier.Save(&bytes.Buffer{}, nil) },
		"Save of nothing": func() error { return classifier.Save(&bytes.Buffer{}, missing) },
		"Save to nothing": func() error { return classifier.Save(nil, s.knn) },
		"SaveXGBoost":     func() error { return classifier.SaveXGBoost(&bytes.Buffer{}, nil) },
		"SaveXGBoost to nothing": func() error {
			return classifier.SaveXGBoost(nil, s.forest)
		},
		"classifiertest": func() error { return classifiertest.Test(nil) },
		"prune": func() error {
			_, err := prune.Adversarial{}.Prune(ctx, nil, nil)
			return err
		},
		"WJC":    func() error { _, err := prune.WJC{}.Prune(ctx, nil, nil); return err },
		"Select": func() error { _, _, err := prune.Select(nil, nil, nil); return err },
		"Write": func() error {
			return prune.Adversarial{}.Write(&bytes.Buffer{}, [32]byte{}, nil, nil)
		},
		"Write to nothing": func() error {
			return prune.Adversarial{}.Write(nil, [32]byte{}, nil, &prune.Result{})
		},
		"Verify": func() error { return prune.Adversarial{}.Verify(ctx, s.x, s.y, nil, nil) },
		"adversarial training": func() error {
			_, err := attack.AdversarialTraining{}.Train(ctx, s.x, s.y)
			return err
		},
		"ReadModel": func() error { _, err := proof.ReadModel(nil); return err },
		"ReadRows":  func() error { _, err := proof.ReadRows(nil, 1); return err },
		"Check":     func() error { return proof.Check(nil, nil, nil) },
		"Check no model": func() error {
			return proof.Check(strings.NewReader(""), nil, func(proof.Claim) error { return nil })
		},
		"CheckProperties": func() error { return proof.CheckProperties(nil, nil) },
		"CheckPruning":    func() error { _, err := proof.CheckPruning(nil, nil); return err },
		"NewWriter": func() error {
			_, err := proof.NewWriter(nil, [32]byte{}).Write(nil)
			return err
		},
		"Closest": func() error {
			_, err := native.Solver{}.Closest(ctx, polytope.Problem{
				Region: polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{{A: []float64{1}}}},
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if v := recover(); v != nil {
					t.Errorf("a panic: %v", v)
				}
			}()
			if call() == nil {
				t.Error("no error")
			}
		})
	}
}
