package classifier_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// leafTree is a tree of one leaf.
func leafTree(t *testing.T, value ...float64) *classifier.Tree {
	t.Helper()
	tree, err := classifier.NewTree(1, classifier.AtMostFloat64,
		[]classifier.TreeNode{{Left: -1, Right: -1, Value: value}})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestVotes(t *testing.T) {
	const third = 1.0 / 3
	tests := []struct {
		name   string
		opts   classifier.EnsembleOptions
		leaves [][]float64
		want   int
	}{
		{"soft: one sure tree outvotes two", classifier.EnsembleOptions{},
			[][]float64{{0, 1}, {.6, .4}, {.6, .4}}, 1},
		{"soft: the mean of two trees tells neighbours", classifier.EnsembleOptions{},
			[][]float64{{1.9, 1.9000000000000001}, {0, 0}}, 1},
		{"soft: a divisor merges them", classifier.EnsembleOptions{Divisor: 1.8},
			[][]float64{{1.9, 1.9000000000000001}, {0, 0}}, 0},
		{"hard: two trees outvote a sure one",
			classifier.EnsembleOptions{Vote: classifier.HardVote},
			[][]float64{{0, 1}, {.6, .4}, {.6, .4}}, 0},
		{"hard: a tie of a tree is a vote for the smaller label",
			classifier.EnsembleOptions{Vote: classifier.HardVote}, [][]float64{{.5, .5, 0}}, 0},
		{"soft: a tie", classifier.EnsembleOptions{},
			[][]float64{{third, third, third}, {0, .5, .5}, {0, .5, .5}}, 1},
		{"sum: negative values", classifier.EnsembleOptions{Vote: classifier.SumVote},
			[][]float64{{-1, -2, -1.5}, {-3, -1, -2}}, 1},
		{"sum: the base decides",
			classifier.EnsembleOptions{Vote: classifier.SumVote, Base: []float64{0, 0, .25}},
			[][]float64{{0, 0, 0}}, 2},
		{"sum: float64 tells 2^-30 beside 1", classifier.EnsembleOptions{Vote: classifier.SumVote},
			[][]float64{{1, 1}, {0, 0x1p-30}}, 1},
		{"sum: float32 does not",
			classifier.EnsembleOptions{Vote: classifier.SumVote, Single: true},
			[][]float64{{1, 1}, {0, 0x1p-30}}, 0},
		{"sum: the order of the trees decides in float32", classifier.EnsembleOptions{
			Vote:   classifier.SumVote,
			Single: true,
		},
			[][]float64{{0, 0x1p-30}, {-1, -1}, {1, 1}}, 0},
		{"logistic: positive", classifier.EnsembleOptions{Vote: classifier.LogisticVote},
			[][]float64{{0, 1e-9}}, 1},
		{"logistic: 1/(1+exp(-1e-9)) is 1/2 in float32",
			classifier.EnsembleOptions{Vote: classifier.LogisticVote, Single: true},
			[][]float64{{0, 1e-9}}, 0},
		{"logistic: 1/(1+exp(-1e-6)) is not",
			classifier.EnsembleOptions{Vote: classifier.LogisticVote, Single: true},
			[][]float64{{0, 1e-6}}, 1},
		{"logistic: zero", classifier.EnsembleOptions{Vote: classifier.LogisticVote},
			[][]float64{{0, 0}}, 0},
		{"softmax: as the sums", classifier.EnsembleOptions{Vote: classifier.SoftmaxVote},
			[][]float64{{800, 801, 799}}, 1},
		{"softmax: dividing by the sum of the exponentials merges two of them",
			classifier.EnsembleOptions{Vote: classifier.SoftmaxVote, Single: true},
			[][]float64{{-0x1p-24, 0, -1.2372881355932204}}, 0},
		{"softmax: not with another third class",
			classifier.EnsembleOptions{Vote: classifier.SoftmaxVote, Single: true},
			[][]float64{{-0x1p-24, 0, 0}}, 1},
		{"softmax: probabilities tie in float32",
			classifier.EnsembleOptions{Vote: classifier.SoftmaxVote, Single: true},
			[][]float64{{0, 1e-9}}, 0},
	}
	for _, test := range tests {
		var trees []*classifier.Tree
		for _, leaf := range test.leaves {
			trees = append(trees, leafTree(t, leaf...))
		}
		e, err := classifier.NewEnsemble(trees, test.opts)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if again, err := classifier.NewEnsemble(trees, e.Options()); err != nil ||
			again.Predict([]float64{0}) != test.want {
			t.Errorf("%s: an ensemble made anew with its own options: %v", test.name, err)
		}
		if got := e.Predict([]float64{0}); got != test.want {
			t.Errorf("%s: Predict = %d, want %d", test.name, got, test.want)
		}
		if cell, err := e.CellAt([]float64{0}); err != nil || cell.Label != test.want {
			t.Errorf("%s: CellAt = %+v, %v, want label %d", test.name, cell, err, test.want)
		}
		for cell := range e.Cells() {
			if cell.Label != test.want {
				t.Errorf("%s: a cell has label %d, want %d", test.name, cell.Label, test.want)
			}
		}
	}
}

func TestVoteErrors(t *testing.T) {
	tests := map[string]classifier.EnsembleOptions{
		"unknown vote":          {Vote: 5},
		"divisor of a sum":      {Vote: classifier.SumVote, Divisor: 1},
		"a mean in any order":   {AnyOrder: true},
		"divisor too small":     {Divisor: 0.5},
		"divisor too large":     {Divisor: 1.5},
		"divisor that is NaN":   {Divisor: math.NaN()},
		"negative vote":         {Vote: -1},
		"logistic of three":     {Vote: classifier.LogisticVote},
		"base of another size":  {Vote: classifier.SumVote, Base: []float64{0}},
		"base of a forest":      {Base: []float64{0, 0, 0}},
		"base that is NaN":      {Vote: classifier.SumVote, Base: []float64{0, math.NaN(), 0}},
		"base that is infinite": {Vote: classifier.SumVote, Base: []float64{0, math.Inf(1), 0}},
	}
	for name, opts := range tests {
		if e, err := classifier.NewEnsemble(
			[]*classifier.Tree{leafTree(t, 1, 2, 3)}, opts,
		); !errors.Is(err, classifier.ErrModel) {
			t.Errorf("%s: NewEnsemble = %v, %v, want ErrModel", name, e, err)
		}
	}
	for _, opts := range []classifier.EnsembleOptions{
		{Vote: classifier.SumVote}, {Vote: classifier.SumVote, Single: true},
	} {
		huge := leafTree(t, 1e308, 0)
		if e, err := classifier.NewEnsemble(
			[]*classifier.Tree{huge, huge}, opts,
		); !errors.Is(err, classifier.ErrModel) {
			t.Errorf("sums that overflow: NewEnsemble = %v, %v, want ErrModel", e, err)
		}
	}
	other := leafTree(t, 1, 2)
	if e, err := classifier.NewEnsemble(
		[]*classifier.Tree{leafTree(t, 1, 2, 3), other}, classifier.EnsembleOptions{},
	); !errors.Is(err, classifier.ErrModel) {
		t.Errorf("trees of two and three classes: NewEnsemble = %v, %v, want ErrModel", e, err)
	}
}

// TestScores adds up the leaf values that Nodes shows, in the arithmetic of the options.
func TestScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for trial := range racetest.Scale(500) {
		classes := 1 + rng.IntN(4)
		var trees []*classifier.Tree
		for range 1 + rng.IntN(5) {
			trees = append(trees,
				randomTree(t, rng, classifier.AtMostFloat64, 2, classes, 3, rng.NormFloat64))
		}
		opts := classifier.EnsembleOptions{Vote: classifier.SumVote, Single: trial%2 == 0}
		for range classes {
			opts.Base = append(opts.Base, rng.NormFloat64())
		}
		e, err := classifier.NewEnsemble(trees, opts)
		if err != nil {
			t.Fatal(err)
		}
		x := []float64{rng.NormFloat64(), rng.NormFloat64()}
		for c, got := range e.Scores(x) {
			sum, single := opts.Base[c], float32(opts.Base[c])
			for _, tree := range trees {
				nodes, i := tree.Nodes(), 0
				for nodes[i].Left >= 0 {
					if x[nodes[i].Feature] <= nodes[i].Threshold {
						i = nodes[i].Left
					} else {
						i = nodes[i].Right
					}
				}
				sum += nodes[i].Value[c]
				single += float32(nodes[i].Value[c])
			}
			if opts.Single {
				sum = float64(single)
			}
			if got != sum {
				t.Fatalf("trial %d: score of class %d = %v, want %v", trial, c, got, sum)
			}
		}
		if again, err := classifier.NewEnsemble(trees, e.Options()); err != nil ||
			again.Predict(x) != e.Predict(x) {
			t.Fatalf("trial %d: an ensemble made anew with its own options: %v", trial, err)
		}
		opts.Base[0] = 1e9
		if got := e.Options().Base[0]; got == 1e9 {
			t.Fatal("the ensemble shares memory with its caller")
		}
	}
}

func TestMissingValues(t *testing.T) {
	for _, left := range []bool{false, true} {
		for _, comparison := range comparisons {
			tree, err := classifier.NewTree(1, comparison, []classifier.TreeNode{
				{
					Feature:     0,
					Threshold:   0,
					Left:        1,
					Right:       2,
					MissingLeft: left,
					Value:       []float64{1, 1},
				},
				{Left: -1, Right: -1, Value: []float64{1, 0}},
				{Left: -1, Right: -1, Value: []float64{0, 1}},
			})
			if err != nil {
				t.Fatal(err)
			}
			want := 1
			if left {
				want = 0
			}
			if got := tree.Predict([]float64{math.NaN()}); got != want {
				t.Errorf("comparison %d, missing left %v: Predict(NaN) = %d, want %d",
					comparison, left, got, want)
			}
			if tree.Predict([]float64{-1}) != 0 || tree.Predict([]float64{1}) != 1 {
				t.Errorf("comparison %d, missing left %v: −1 and 1 go the wrong way",
					comparison, left)
			}
		}
	}
}
