package house_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// subjects are the arguments with which the entry points of the library are tried.
type subjects struct {
	x      *mat.Dense
	y      []int
	knn    *classifier.KNN
	forest *classifier.Ensemble
	linear *classifier.ObliqueEnsemble
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
	var errs [4]error
	s.knn, errs[0] = classifier.TrainKNN(t.Context(), s.x, s.y, classifier.KNNOptions{K: 3})
	s.forest, errs[1] = classifier.TrainForest(
		t.Context(), s.x, s.y, classifier.ForestOptions{Trees: 20},
	)
	s.tree, errs[2] = classifier.TrainTree(t.Context(), s.x, s.y, classifier.TreeOptions{})
	s.linear, errs[3] = classifier.TrainOblique(
		t.Context(), s.x, s.y, classifier.ObliqueOptions{MaxDepth: 2},
	)
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDeadlines: a deadline that passes ends a search with its bounds, and is the error of all
// other calls, which have no partial result. A context that is cancelled is an error everywhere,
// and so is one that is nil.
func TestDeadlines(t *testing.T) {
	s := newSubjects(t)
	var none context.Context
	past, cancel := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer cancel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	asked := map[string]bool{}
	for name, ask := range searches(s) {
		function, _, _ := strings.Cut(name, " ")
		asked[function] = true
		if decided, err := ask(past); decided || err != nil {
			t.Errorf("%s after a deadline: decided %v, %v, want nothing and no error",
				name, decided, err)
		}
		if _, err := ask(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s of a context that is cancelled: %v", name, err)
		}
		if _, err := ask(none); !errors.Is(err, classifier.ErrOption) {
			t.Errorf("%s without a context: %v", name, err)
		}
	}
	for name, make := range makers(s) {
		asked[name] = true
		if err := make(past); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s after a deadline: %v", name, err)
		}
		if err := make(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s of a context that is cancelled: %v", name, err)
		}
		if err := make(none); !errors.Is(err, classifier.ErrOption) {
			t.Errorf("%s without a context: %v", name, err)
		}
	}
	asked["native.Solver.Closest"] = true
	problem := polytope.Problem{X: []float64{0}, Region: polytope.Polyhedron{
		HalfSpaces: []polytope.HalfSpace{{A: []float64{1}, B: -1}},
	}}
	for _, ctx := range []context.Context{past, ended} { // searches have their own status for it
		solution, err := native.Solver{}.Closest(ctx, problem)
		if solution.Status != polytope.StatusStopped || err != nil {
			t.Errorf("a program of a context that has ended is %v, %v", solution.Status, err)
		}
	}
	if _, err := (native.Solver{}).Closest(none, problem); !errors.Is(err, classifier.ErrOption) {
		t.Errorf("a program without a context: %v", err)
	}
	for name, signature := range functions(t) {
		if strings.Contains(signature, "(ctx context.Context") && !asked[name] {
			t.Errorf("%s is not tried with contexts that have ended", name)
		}
	}
}

// searches are the entry points that return their bounds when time is up.
func searches(s *subjects) map[string]func(ctx context.Context) (decided bool, err error) {
	input := s.x.RawRowView(0)
	all := map[string]func(ctx context.Context) (decided bool, err error){
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
		"baseline.Kernel.PerturbAll": func(ctx context.Context) (bool, error) {
			all, err := (&baseline.Kernel{Classifier: s.knn}).PerturbAll(ctx, s.x)
			return len(all) > 0 && all[0].Optimal(), err
		},
	}
	for name, c := range map[string]classifier.Classifier{
		"of k-NN": s.knn, "of a forest": s.forest, "of linear tests": s.linear,
	} {
		a := &attack.RegionBased{Classifier: c}
		e := &explain.Explainer{Classifier: c}
		all["attack.RegionBased.Perturb "+name] = func(ctx context.Context) (bool, error) {
			r, err := a.Perturb(ctx, input)
			return r.Optimal(), err
		}
		all["attack.RegionBased.RobustAt "+name] = func(ctx context.Context) (bool, error) {
			r, err := a.RobustAt(ctx, input, 0.5)
			return r.Verdict(0.5) != attack.Undecided, err
		}
		all["attack.RegionBased.Counterfactuals "+name] = func(ctx context.Context) (bool, error) {
			all, err := a.Counterfactuals(ctx, input, 2)
			return len(all.Found) > 0 || all.Status == attack.StatusNone, err
		}
		if c == s.forest { // its trees decide at once
			continue
		}
		all["explain.Explainer.Reasons "+name] = func(ctx context.Context) (bool, error) {
			all, err := e.Reasons(ctx, input)
			return len(all.Found) > 0 && all.Found[0].Status == attack.StatusOptimal, err
		}
		all["explain.Explainer.LabelBox "+name] = func(ctx context.Context) (bool, error) {
			box, err := e.LabelBox(ctx, input)
			return box.Status == attack.StatusOptimal, err
		}
	}
	for name, a := range map[string]attack.Attack{
		"baseline.Direct.Perturb":   &baseline.Direct{Classifier: s.knn},
		"baseline.Kernel.Perturb":   &baseline.Kernel{Classifier: s.knn},
		"baseline.BlackBox.Perturb": &baseline.BlackBox{Classifier: s.knn},
		"baseline.Papernot.Perturb": &baseline.Papernot{Classifier: s.tree},
	} {
		all[name] = func(ctx context.Context) (bool, error) {
			r, err := a.Perturb(ctx, input)
			return r.Optimal(), err
		}
	}
	return all
}

// makers are the entry points that return a whole result or an error.
func makers(s *subjects) map[string]func(ctx context.Context) error {
	trained := func(train classifier.Trainer) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			_, err := train(ctx, s.x, s.y)
			return err
		}
	}
	pruned := func(p prune.Pruner) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			_, err := p.Prune(ctx, s.x, s.y)
			return err
		}
	}
	one := classifier.KNNOptions{K: 1}
	knn := classifier.TrainerOf(classifier.TrainKNN, one)
	adversarial := attack.AdversarialTraining{Trainer: knn, Radius: 0.1}
	keep := prune.Adversarial{Radius: 0.1}
	kept, unkept := keep.Solve(context.Background(), s.x, s.y, nil)
	return map[string]func(ctx context.Context) error{
		"metrics.Evaluate": func(ctx context.Context) error {
			_, err := metrics.Evaluate(ctx, s.knn, s.x, s.y, metrics.Options{})
			return err
		},
		"metrics.Accuracy": func(ctx context.Context) error {
			_, err := metrics.Accuracy(ctx, s.knn, s.x, s.y)
			return err
		},
		"metrics.Predict": func(ctx context.Context) error {
			_, err := metrics.Predict(ctx, s.knn, s.x)
			return err
		},
		"classifier.TrainKNN": trained(knn),
		"classifier.TrainWeightedKNN": trained(
			classifier.TrainerOf(classifier.TrainWeightedKNN, one)),
		"classifier.TrainTree": trained(
			classifier.TrainerOf(classifier.TrainTree, classifier.TreeOptions{})),
		"classifier.TrainForest": trained(
			classifier.TrainerOf(classifier.TrainForest, classifier.ForestOptions{})),
		"classifier.TrainBoosted": trained(
			classifier.TrainerOf(classifier.TrainBoosted, classifier.BoostedOptions{})),
		"classifier.TrainOblique": trained(
			classifier.TrainerOf(classifier.TrainOblique, classifier.ObliqueOptions{})),
		"attack.AdversarialTraining.Train": trained(adversarial.Train),
		"attack.AdversarialTraining.Augment": func(ctx context.Context) error {
			_, _, err := adversarial.Augment(ctx, s.x, s.y)
			return err
		},
		"Defend":                  trained(prune.Defend(keep, knn)),
		"prune.Adversarial.Prune": pruned(keep),
		"prune.WJC.Prune":         pruned(prune.WJC{Radius: 0.1}),
		"prune.Adversarial.Verify": func(ctx context.Context) error {
			return errors.Join(unkept, keep.Verify(ctx, s.x, s.y, nil, kept))
		},
		"prune.Adversarial.Solve": func(ctx context.Context) error {
			_, err := keep.Solve(ctx, s.x, s.y, nil)
			return err
		},
	}
}

// functions are those in api.txt that take arguments and may return an error, by package and name,
// with the line of each in api.txt.
func functions(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "api.txt"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	line := regexp.MustCompile(
		`^((?:.*/)?(\w+)): func (?:\((\w+)\) )?(\w+)(?:\[.*?\])?(\([^)].*error\)?)$`)
	for l := range strings.Lines(string(text)) {
		m := line.FindStringSubmatch(strings.TrimSuffix(l, "\n"))
		if m == nil || strings.Contains(string(text), m[1]+": type "+m[3]+" interface\n") {
			continue
		}
		all[strings.ReplaceAll(m[2]+"."+m[3]+"."+m[4], "..", ".")] = m[5]
	}
	return all
}
