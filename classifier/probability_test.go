package classifier_test

import (
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
)

// stumps are trees of one test each, whose leaves have random values, those of some classes 0.
func stumps(
	t *testing.T, rng *rand.Rand, classes int, opts classifier.EnsembleOptions, zero ...int,
) *classifier.Ensemble {
	t.Helper()
	var members []*classifier.Tree
	for range 5 {
		leaf := func() classifier.TreeNode {
			n := classifier.TreeNode{Feature: -1, Left: -1, Right: -1}
			n.Value = make([]float64, classes)
			for c := range n.Value {
				n.Value[c] = rng.Float64() / 4 // less than 1 of three classes
			}
			for _, c := range zero {
				n.Value[c] = 0
			}
			return n
		}
		test := classifier.TreeNode{Value: make([]float64, classes)}
		test.Feature, test.Threshold = rng.IntN(2), rng.Float64()
		test.Left, test.Right = 1, 2
		tree, err := classifier.NewTree(2, classifier.AtMostFloat64,
			[]classifier.TreeNode{test, leaf(), leaf()})
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, tree)
	}
	e, err := classifier.NewEnsemble(members, opts)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestProbability compares probabilities with what the sums say, and asks where they reach some.
func TestProbability(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	soft := stumps(t, rng, 3, classifier.EnsembleOptions{Divisor: 4})
	hard := stumps(t, rng, 3, classifier.EnsembleOptions{Vote: classifier.HardVote})
	logistic := classifier.EnsembleOptions{
		Vote: classifier.LogisticVote, Base: []float64{0, -1}, Single: true,
	}
	softmax := func(sums []float64, class int) float64 {
		total := 0.0
		for _, v := range sums {
			total += math.Exp(v - sums[class])
		}
		return 1 / total
	}
	several := classifier.EnsembleOptions{Vote: classifier.SoftmaxVote, Base: []float64{0, 1, -1}}
	both := classifier.EnsembleOptions{Vote: classifier.SoftmaxVote, Single: true}
	sigmoid := func(margin float64) float64 { return 1 / (1 + math.Exp(-margin)) }
	tests := []struct {
		name string
		e    *classifier.Ensemble
		want func(sums []float64, class int) float64
	}{
		{"softmax", stumps(t, rng, 3, several), softmax},
		{"softmax of two", stumps(t, rng, 2, both), softmax},
		{"soft", soft, func(sums []float64, class int) float64 { return sums[class] / 4 }},
		{"hard", hard, func(sums []float64, class int) float64 { return sums[class] / 5 }},
		{"logistic", stumps(t, rng, 2, logistic, 0), func(sums []float64, class int) float64 {
			return sigmoid((sums[1] - sums[0]) * float64(2*class-1))
		}},
	}
	for _, test := range tests {
		for class := range test.e.Classes() {
			r, err := test.e.Probability(class)
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			reached := 0
			for range 50 {
				x, p := []float64{rng.Float64(), rng.Float64()}, rng.Float64()
				got, want := r.Predict(x), test.want(test.e.Scores(x), class)
				if math.Abs(got-want) > 1e-6 {
					t.Errorf("%s, class %d at %v: %v, want %v", test.name, class, x, got, want)
				}
				above, err := r.Above(p)
				if err != nil || (above.Predict(x) == 1) != (got >= p) {
					t.Errorf("%s, class %d at %v: %v is not above %v, %v",
						test.name, class, x, got, p, err)
				}
				reached += above.Predict(x)
			}
			if reached == 0 || reached == 50 {
				t.Errorf("%s, class %d: %d of 50 above", test.name, class, reached)
			}
		}
	}
}

// TestShares: a probability that is no function of one sum is refused where one is needed.
func TestShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	e := stumps(t, rng, 3, classifier.EnsembleOptions{Vote: classifier.SoftmaxVote})
	r, err := e.Probability(2)
	if err != nil {
		t.Fatal(err)
	}
	above, err := r.Above(0.4)
	if err != nil || above.Classes() != 2 || len(above.Scores([]float64{0, 0})) != 3 {
		t.Fatalf("%v, %v", above, err)
	}
	_, _, ranged := property.Range(t.Context(), r, property.Options{Computed: true})
	_, again := above.Probability(1)
	_, function := access.Trees(r)
	_, label := access.Trees(above)
	for what, err := range map[string]error{
		"range": ranged, "probability": again, "saved": classifier.Save(io.Discard, r),
		"saved question": classifier.Save(io.Discard, above), "function": function, "label": label,
	} {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := r.Above(math.NaN()); !errors.Is(err, classifier.ErrOption) {
		t.Errorf("above NaN: %v", err)
	}
}

// TestProbabilityOfSeveralSums: a vote by sums does not say what its probabilities are.
func TestProbabilityOfSeveralSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	sums := classifier.EnsembleOptions{Vote: classifier.SumVote}
	several := []*classifier.Ensemble{
		stumps(t, rng, 3, sums, 0, 1), stumps(t, rng, 2, sums), stumps(t, rng, 2, sums, 0),
	}
	for _, e := range several {
		if _, err := e.Probability(0); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%d classes: %v", e.Classes(), err)
		}
		if _, err := e.Probability(3); !errors.Is(err, classifier.ErrOption) {
			t.Errorf("class 3: %v", err)
		}
	}
}
