package classifier_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// roundTrip saves and reads a classifier, and returns the copy: of the same type, with the same
// predictions and scores, and saved to the same file.
func roundTrip(t *testing.T, c classifier.Classifier, points [][]float64) classifier.Classifier {
	t.Helper()
	var first, second bytes.Buffer
	if err := classifier.Save(&first, c); err != nil {
		t.Fatal(err)
	}
	back, err := classifier.Read[classifier.Classifier](bytes.NewReader(first.Bytes()),
		classifier.ReadOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, first.Bytes())
	}
	if err := classifier.Save(&second, back); err != nil {
		t.Fatal(err)
	}
	if reflect.TypeOf(back) != reflect.TypeOf(c) || back.Dim() != c.Dim() ||
		back.Classes() != c.Classes() || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Fatalf("a %T of %d features and %d classes comes back as a %T of %d and %d, saved "+
			"as\n%s, not\n%s",
			c, c.Dim(), c.Classes(), back, back.Dim(), back.Classes(), second.Bytes(),
			first.Bytes())
	}
	for _, x := range points {
		if got, want := back.Predict(x), c.Predict(x); got != want {
			t.Fatalf("Predict(%v) = %d, was %d", x, got, want)
		}
		if scorer, ok := c.(interface{ Scores([]float64) []float64 }); ok {
			if got, want := back.(interface{ Scores([]float64) []float64 }).Scores(
				x,
			), scorer.Scores(x); !slices.Equal(got, want) {
				t.Fatalf("Scores(%v) = %v, were %v", x, got, want)
			}
		}
	}
	return back
}

// pointsBeside draws points on and beside numbers.
func pointsBeside(rng *rand.Rand, dim int, numbers []float64) [][]float64 {
	points := make([][]float64, 50)
	for i := range points {
		for range dim {
			near := beside(numbers[rng.IntN(len(numbers))])
			points[i] = append(points[i], near[rng.IntN(len(near))])
		}
	}
	return append(points, slices.Repeat([]float64{math.NaN()}, dim))
}

func TestSaveTrees(t *testing.T) {
	thresholds := []float64{0, math.Copysign(0, -1), 0.1, -1.0 / 3, 1e-300,
		math.SmallestNonzeroFloat64, math.MaxFloat64, 0x1p128, math.Inf(1)}
	for number := range uint64(200) {
		rng := rand.New(rand.NewPCG(number, 12))
		dim, classes, p := 1+rng.IntN(3), 1+rng.IntN(4), comparisons[number%4]
		draw := func() float64 { return thresholds[rng.IntN(len(thresholds))] }
		points := pointsBeside(rng, dim, thresholds[:len(thresholds)-1])
		tree := randomTree(t, rng, p, dim, classes, 4, draw)
		nodes := tree.Nodes()
		for i := range nodes {
			nodes[i].MissingLeft = nodes[i].Left >= 0 && rng.IntN(3) == 0
		}
		tree, err := classifier.NewTree(dim, p, nodes)
		if err != nil {
			t.Fatal(err)
		}
		if back := roundTrip(t, tree, points); !reflect.DeepEqual(back, tree) {
			t.Fatalf("%+v comes back as %+v", tree, back)
		}
		opts := instance.DrawVote(rng, classes)
		if opts.Vote == classifier.SoftVote {
			opts.Divisor = 1.9
		}
		opts.AnyOrder = opts.Vote == classifier.SumVote
		e, err := classifier.NewEnsemble(
			[]*classifier.Tree{tree, randomTree(t, rng, p, dim, classes, 3, draw)}, opts,
		)
		if err != nil {
			t.Fatal(err)
		}
		if back := roundTrip(t, e, points).(*classifier.Ensemble); !reflect.DeepEqual(
			back.Options(), opts,
		) {
			t.Fatalf("options %+v come back as %+v", opts, back.Options())
		}
	}
}

func TestSaveObliqueTrees(t *testing.T) {
	for number := range uint64(200) {
		rng := rand.New(rand.NewPCG(number, 13))
		dim, classes := 1+rng.IntN(3), 1+rng.IntN(4)
		nodes := instance.ObliqueNodes(rng, dim, classes, 4)
		for i := range nodes {
			if nodes[i].Left >= 0 && rng.IntN(5) == 0 {
				nodes[i].Threshold = math.Inf(rng.IntN(2)*2 - 1)
			}
		}
		tree := instance.ObliqueTree(t, dim, nodes...)
		points := pointsBeside(rng, dim, []float64{0, 0.5, -1, 1.0 / 3, 1e300})
		if back := roundTrip(t, tree, points).(*classifier.ObliqueEnsemble); !reflect.DeepEqual(
			back.Tree(0), tree.Tree(0),
		) {
			t.Fatalf("%+v comes back as %+v", tree.Tree(0), back.Tree(0))
		}
		opts := instance.DrawVote(rng, classes)
		e := instance.ObliqueVote(t, opts, tree,
			instance.ObliqueTree(t, dim, instance.ObliqueNodes(rng, dim, classes, 3)...))
		if back := roundTrip(t, e, points).(*classifier.ObliqueEnsemble); !reflect.DeepEqual(
			e.Options(), opts,
		) || !reflect.DeepEqual(back.Options(), opts) {
			t.Fatalf("options %+v are kept as %+v and come back as %+v",
				opts, e.Options(), back.Options())
		}
	}
}

// TestCategories: the categories of a file stay.
func TestCategories(t *testing.T) {
	file := strings.NewReader(`{"format":"facet-model","version":1,` +
		`"kind":"ensemble","n_features":2,"categories":[0,4],"comparison":"x < t","vote":"sum",` +
		`"trees":[{"feature":[1,-1,-1],"threshold":[2,0,0],"left":[1,-1,-1],"right":[2,-1,-1],` +
		`"value":[[1,1],[1,0],[0,1]]}]}`)
	c, err := classifier.Read[classifier.Classifier](file, classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	e := roundTrip(t, c, [][]float64{{0, 1}, {0, 2}}).(*classifier.Ensemble)
	if got := e.Categories(); !slices.Equal(got, []int{0, 4}) {
		t.Errorf("Categories = %v, want 0, 4", got)
	}
}

// TestSaveTrained saves a model trained with each of the options.
func TestSaveTrained(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 14))
	x, y := mat.NewDense(60, 3, nil), make([]int, 60)
	for i := range y {
		for j := range 3 {
			x.Set(i, j, rng.NormFloat64())
		}
		y[i] = rng.IntN(3) * 2 // without rows of class 1 and 3
	}
	points := pointsBeside(rng, 3, mat.Row(nil, 7, x))
	for _, trainer := range []classifier.Trainer{
		classifier.TrainerOf(classifier.TrainTree, classifier.TreeOptions{}),
		classifier.TrainerOf(classifier.TrainForest, classifier.ForestOptions{Trees: 5}),
		classifier.TrainerOf(classifier.TrainOblique, classifier.ObliqueOptions{
			Trees: 3,
		}),
		classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 3}),
		classifier.TrainerOf(classifier.TrainWeightedKNN, classifier.KNNOptions{K: 3}),
	} {
		c, err := trainer(t.Context(), x, y)
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, c, points[:50])
	}
}

// TestSaveKeepsClassValues: those of a model that another library trained.
func TestSaveKeepsClassValues(t *testing.T) {
	for _, text := range []string{sklearnFile, obliqueFile} {
		c, err := classifier.Read[classifier.Classifier](bytes.NewReader([]byte(text)),
			classifier.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		back := classifier.NamesOf(roundTrip(t, c, nil))
		if got := back.ClassValues; !slices.Equal(got, []float64{-1, 1}) {
			t.Errorf("ClassValues = %v, want -1, 1", got)
		}
	}
}

// TestSaveKeepsNames: those of classes and features of a model of any kind that has some.
func TestSaveKeepsNames(t *testing.T) {
	want, columns := []string{"benign", "malignant"}, []string{"width"}
	for _, kind := range kinds(t) {
		var text bytes.Buffer
		if err := classifier.Save(&text, kind); err != nil {
			t.Fatal(err)
		}
		named := bytes.Replace(text.Bytes(), []byte(`"n_features"`),
			[]byte(`"class_names":["benign","malignant"],"feature_names":["width"],"n_features"`),
			1)
		c, err := classifier.Read[classifier.Classifier](bytes.NewReader(named),
			classifier.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		back := classifier.NamesOf(roundTrip(t, c, nil))
		if !slices.Equal(back.Classes, want) || !slices.Equal(back.Features, columns) {
			t.Errorf("%T: names %q and %q, want %q and %q",
				c, back.Classes, back.Features, want, columns)
		}
	}
}

// kinds returns a classifier of each type for two classes.
func kinds(t *testing.T) []classifier.Classifier {
	t.Helper()
	x, y := mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []int{0, 0, 1, 1}
	var all []classifier.Classifier
	for _, trainer := range []classifier.Trainer{
		classifier.TrainerOf(classifier.TrainTree, classifier.TreeOptions{}),
		classifier.TrainerOf(classifier.TrainForest, classifier.ForestOptions{Trees: 2}),
		classifier.TrainerOf(classifier.TrainOblique, classifier.ObliqueOptions{Trees: 2}),
		classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 1}),
		classifier.TrainerOf(classifier.TrainWeightedKNN, classifier.KNNOptions{K: 1}),
	} {
		c, err := trainer(t.Context(), x, y)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	e := all[2].(*classifier.ObliqueEnsemble)
	return append(all, instance.ObliqueTree(t, e.Dim(), e.Tree(0)...))
}

// full is a disk that is.
type full struct{ error }

func (f full) Write([]byte) (int, error) { return 0, f.error }

// foreign is a classifier that is none of the package.
type foreign struct{ classifier.Classifier }

func TestSaveErrors(t *testing.T) {
	for _, c := range []classifier.Classifier{nil, foreign{}, (*classifier.Tree)(nil)} {
		if err := classifier.Save(io.Discard, c); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%T: %v", c, err)
		}
	}
	leaf := []classifier.TreeNode{{Left: -1, Right: -1, Value: []float64{1}}}
	tree, err := classifier.NewTree(1, classifier.AtMostFloat64, leaf)
	if err != nil {
		t.Fatal(err)
	}
	want := errors.New("the disk is full")
	if err := classifier.Save(full{want}, tree); !errors.Is(err, want) {
		t.Errorf("error = %v, want %v", err, want)
	}
	wide, err := classifier.NewTree(1<<20+1, classifier.AtMostFloat64, leaf)
	if err != nil {
		t.Fatal(err)
	}
	instance.Mentions(t, classifier.Save(io.Discard, wide), "n_features is 1048577")
}
