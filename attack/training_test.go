package attack_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// attackFunc is a user's own attack.
type attackFunc func(ctx context.Context, x []float64) (attack.Result, error)

func (f attackFunc) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	return f(ctx, x)
}

// first is 1 where the first feature exceeds the middle of its training values.
func first(_ context.Context, x mat.Matrix, _ []int) (classifier.Classifier, error) {
	n, d := x.Dims()
	sum := 0.0
	for i := range n {
		sum += x.At(i, 0)
	}
	a := make([]float64, d)
	a[0] = 1
	return oblique(a, sum/float64(n), false), nil
}

// trainingRows are three overlapping classes with rows that occur twice, some
// under two labels.
func trainingRows(rng *rand.Rand, n int) (*mat.Dense, []int) {
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range y {
		y[i] = rng.IntN(3)
		x.SetRow(i, []float64{float64(y[i]) + rng.Float64()*1.5, math.Round(10*rng.Float64()) / 10})
		if i > 0 && rng.IntN(5) == 0 {
			x.SetRow(i, x.RawRowView(rng.IntN(i)))
		}
	}
	return x, y
}

// TestAdversarialTrainingByHand trains every kind of classifier on the examples of a loop over the
// rows.
func TestAdversarialTrainingByHand(t *testing.T) {
	small := classifier.TreeOptions{MaxDepth: 4}
	approx := func(c classifier.Classifier, x mat.Matrix, _ []int) (attack.Attack, error) {
		return &attack.RegionBased{
			Classifier: c,
			Points:     x,
			Options:    attack.Options{Mode: attack.Approx, Regions: 5},
		}, nil
	}
	tests := []struct {
		name    string
		trainer classifier.Trainer
		norm    polytope.Norm
		radius  float64
		make    func(classifier.Classifier, mat.Matrix, []int) (attack.Attack, error)
	}{
		{"1-NN", knn(1), polytope.LInf, 0.2, nil},
		{"3-NN", knn(3), polytope.LInf, 0.1, nil},
		{"3-NN, approximately", knn(3), polytope.LInf, 0.3, approx},
		{"tree", tree(small), polytope.L1, 0.4, nil},
		{"robust tree", tree(classifier.TreeOptions{MaxDepth: 4, Robust: 0.05}), polytope.LInf, 0.4,
			nil},
		{"forest", forest(small, 7), polytope.LInf, 0.3, nil},
		{"forest, approximately", forest(small, 7), polytope.LInf, math.Inf(1), approx},
		{"oblique", classifier.TrainerOf(classifier.TrainOblique,
			classifier.ObliqueOptions{MaxDepth: 3, Restarts: 1, Jumps: 1}), polytope.L2, 0.2, nil},
		{"user's own", first, polytope.L2, 0.5, nil},
		{"nothing to add", tree(small), polytope.LInf, 0, nil},
	}
	rng := rand.New(rand.NewPCG(31, 1))
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			x, y := trainingRows(rng, 60)
			if test.name == "user's own" { // it knows two classes
				for i := range y {
					y[i] = min(y[i], 1)
				}
			}
			at := attack.AdversarialTraining{
				Trainer: test.trainer,
				Radius:  test.radius,
				Norm:    test.norm,
				Attack:  test.make,
			}
			moreX, moreY, err := at.Augment(t.Context(), x, y)
			if err != nil {
				t.Fatal(err)
			}
			c, err := test.trainer(t.Context(), x, y)
			if err != nil {
				t.Fatal(err)
			}
			wantX, wantY := byHand(t, at, c, x, y)
			if !mat.Equal(moreX, wantX) || !slices.Equal(moreY, wantY) {
				t.Errorf("%d rows, want %d, or other ones", len(moreY), len(wantY))
			}
			if added := len(moreY) - len(y); (added > 5) == (test.radius == 0) {
				t.Errorf("%d examples were added", added)
			}
			got, err := at.Train(t.Context(), x, y)
			if err != nil {
				t.Fatal(err)
			}
			want, err := test.trainer(t.Context(), wantX, wantY)
			if err != nil {
				t.Fatal(err)
			}
			for range 200 {
				z := []float64{4 * rng.Float64(), rng.Float64()}
				if got.Predict(z) != want.Predict(z) {
					t.Fatalf("Predict(%v) = %d, want %d", z, got.Predict(z), want.Predict(z))
				}
			}
		})
	}
}

// byHand attacks one row after the other.
func byHand(
	t *testing.T, at attack.AdversarialTraining, c classifier.Classifier, x *mat.Dense, y []int,
) (*mat.Dense, []int) {
	t.Helper()
	var a attack.Attack = &attack.RegionBased{Classifier: c, Options: attack.Options{Norm: at.Norm}}
	if at.Attack != nil {
		var err error
		if a, err = at.Attack(c, x, y); err != nil {
			t.Fatal(err)
		}
	}
	data, labels := slices.Clone(x.RawMatrix().Data), slices.Clone(y)
	for i, label := range y {
		if c.Predict(x.RawRowView(i)) != label {
			continue
		}
		r, err := a.Perturb(t.Context(), x.RawRowView(i))
		if err != nil {
			t.Fatal(err)
		}
		if r.Example != nil && r.Distance <= at.Radius {
			data, labels = append(data, r.Example...), append(labels, label)
		}
	}
	return mat.NewDense(len(labels), 2, data), labels
}

func TestAdversarialTrainingDoesNotDependOnWorkers(t *testing.T) {
	x, y := trainingRows(rand.New(rand.NewPCG(31, 2)), 200)
	at := attack.AdversarialTraining{Trainer: knn(1), Radius: 0.3, Workers: 1}
	wantX, wantY, err := at.Augment(t.Context(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{0, 2, 7, 1000} {
		at.Workers = workers
		gotX, gotY, err := at.Augment(t.Context(), x, y)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(gotX, wantX) || !slices.Equal(gotY, wantY) {
			t.Errorf("%d workers add other examples than one", workers)
		}
	}
}

// TestAdversarialTrainingRadius: an example at exactly the radius is added, one
// farther away is not, and neither is one that an attack could not find.
func TestAdversarialTrainingRadius(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{0, 10, 20})
	a := func(classifier.Classifier, mat.Matrix, []int) (attack.Attack, error) {
		return attackFunc(func(_ context.Context, x []float64) (attack.Result, error) {
			switch x[0] {
			case 0:
				return attack.Result{Example: []float64{0.5}}, nil
			case 10:
				return attack.Result{Example: []float64{math.Nextafter(10.5, 11)}}, nil
			}
			return attack.Result{}, nil
		}), nil
	}
	at := attack.AdversarialTraining{Trainer: knn(1), Radius: 0.5, Attack: a}
	moreX, moreY, err := at.Augment(t.Context(), x, []int{0, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{
		0, 10, 20, 0.5,
	}; !slices.Equal(moreX.RawMatrix().Data, want) || !slices.Equal(moreY, []int{0, 1, 1, 0}) {
		t.Errorf("rows %v of labels %v, want %v", moreX.RawMatrix().Data, moreY, want)
	}
}

// halfTrained returns a trainer that trains once.
func halfTrained() classifier.Trainer {
	calls, trained := 0, knn(1)
	return func(
		ctx context.Context, x mat.Matrix, y []int,
	) (classifier.Classifier, error) {
		if calls++; calls == 2 {
			return nil, nil
		}
		return trained(ctx, x, y)
	}
}

// TestAdversarialTrainingKeepsRows: an attack that writes into its point changes no row.
func TestAdversarialTrainingKeepsRows(t *testing.T) {
	x, y := mat.NewDense(2, 1, []float64{0, 3}), []int{0, 1}
	at := attack.AdversarialTraining{Trainer: knn(1), Radius: 9,
		Attack: func(classifier.Classifier, mat.Matrix, []int) (attack.Attack, error) {
			return attackFunc(func(_ context.Context, x []float64) (attack.Result, error) {
				x[0] = 2 - x[0]/3
				return attack.Result{Example: x}, nil
			}), nil
		}}
	moreX, _, err := at.Augment(t.Context(), x, y)
	if want := mat.NewDense(4, 1, []float64{0, 3, 2, 1}); err != nil || !mat.Equal(moreX, want) {
		t.Errorf("Augment = %v, %v, want %v", moreX, err, want)
	}
}

func TestAdversarialTrainingErrors(t *testing.T) {
	own := errors.New("own")
	one := knn(1)
	failing := func(at ...float64) func(
		classifier.Classifier, mat.Matrix, []int,
	) (attack.Attack, error) {
		return func(classifier.Classifier, mat.Matrix, []int) (attack.Attack, error) {
			return attackFunc(func(_ context.Context, x []float64) (attack.Result, error) {
				if slices.Contains(at, x[0]) {
					return attack.Result{}, own
				}
				return attack.Result{}, nil
			}), nil
		}
	}
	calls := 0
	second := func(
		ctx context.Context, x mat.Matrix, y []int,
	) (classifier.Classifier, error) {
		if calls++; calls%2 == 0 {
			return nil, own
		}
		return one(ctx, x, y)
	}
	x, y := mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []int{0, 0, 1, 1}
	tests := []struct {
		name string
		at   attack.AdversarialTraining
		x    mat.Matrix
		y    []int
		want error
		text string
	}{
		{"no trainer", attack.AdversarialTraining{}, x, y, classifier.ErrOption, "no trainer"},
		{"negative radius", attack.AdversarialTraining{Trainer: one, Radius: -1}, x, y,
			classifier.ErrOption, "radius -1"},
		{"NaN", attack.AdversarialTraining{Trainer: one, Radius: math.NaN()}, x, y,
			classifier.ErrOption, "radius NaN"},
		{"workers", attack.AdversarialTraining{Trainer: one, Workers: -1}, x, y,
			classifier.ErrOption, "-1 workers"},
		{"norm", attack.AdversarialTraining{Trainer: one, Norm: 9}, x, y, polytope.ErrNorm, ""},
		{"no rows", attack.AdversarialTraining{Trainer: one}, nil, nil, classifier.ErrEmpty, ""},
		{"labels", attack.AdversarialTraining{Trainer: one}, x, y[:3], polytope.ErrDimension, ""},
		{"first training", attack.AdversarialTraining{Trainer: knn(5)}, x, y,
			classifier.ErrOption, "k = 5"},
		{"second training", attack.AdversarialTraining{Trainer: second}, x, y, own,
			"4 rows and 0 examples"},
		{"nothing trained", attack.AdversarialTraining{
			Trainer: func(
				context.Context, mat.Matrix, []int,
			) (classifier.Classifier, error) {
				return nil, nil
			},
		},
			x, y, attack.ErrClassifier, "none given"},
		{"nothing trained the second time", attack.AdversarialTraining{Trainer: halfTrained()}, x,
			y, attack.ErrClassifier, "4 rows and 0 examples"},
		{"of another dimension", attack.AdversarialTraining{
			Trainer: func(
				context.Context, mat.Matrix, []int,
			) (classifier.Classifier, error) {
				return sign{}, nil
			},
		},
			x, y, attack.ErrClassifier, "1 columns"},
		{"attack not made", attack.AdversarialTraining{
			Trainer: one,
			Attack: func(classifier.Classifier, mat.Matrix, []int) (attack.Attack, error) {
				return nil, own
			},
		},
			x, y, own, ""},
		{"nil attack", attack.AdversarialTraining{
			Trainer: one,
			Attack: func(classifier.Classifier, mat.Matrix, []int) (attack.Attack, error) {
				return nil, nil
			},
		},
			x, y, classifier.ErrOption, "no attack"},
		{"attack fails", attack.AdversarialTraining{Trainer: one, Attack: failing(3, 1, 2)}, x, y,
			own, "row 1"},
		{"example too long",
			attack.AdversarialTraining{Trainer: one,
				Attack: func(classifier.Classifier, mat.Matrix, []int) (attack.Attack, error) {
					return attackFunc(func(context.Context, []float64) (attack.Result, error) {
						return attack.Result{Example: []float64{1, 2}}, nil
					}), nil
				}}, x, y, classifier.ErrOption,
			"row 0: option out of range: an example of 2 columns"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := test.at.Train(t.Context(), test.x, test.y)
			if c != nil || !errors.Is(err, test.want) ||
				!strings.HasPrefix(fmt.Sprint(err), "attack: ") ||
				!strings.Contains(err.Error(), test.text) {
				t.Errorf("Train = %v, %v, want %v with %q", c, err, test.want, test.text)
			}
		})
	}
}

// TestAdversarialTrainingIsCancelled cancels while a row is attacked.
func TestAdversarialTrainingIsCancelled(t *testing.T) {
	x, y := trainingRows(rand.New(rand.NewPCG(31, 3)), 50)
	ctx, cancel := context.WithCancel(t.Context())
	var attacked atomic.Int64
	at := attack.AdversarialTraining{Trainer: knn(1), Workers: 1,
		Attack: func(classifier.Classifier, mat.Matrix, []int) (attack.Attack, error) {
			return attackFunc(func(ctx context.Context, x []float64) (attack.Result, error) {
				if attacked.Add(1) == 3 {
					cancel()
				}
				return attack.Result{}, ctx.Err()
			}), nil
		}}
	moreX, moreY, err := at.Augment(ctx, x, y)
	if moreX != nil || moreY != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("Augment = %v, %v, %v, want context.Canceled", moreX, moreY, err)
	}
	if n := attacked.Load(); n != 3 {
		t.Errorf("%d rows were attacked, want 3", n)
	}
}

// TestAdversarialTrainingUnderRules: the examples are those of an attack under the rules within the
// radius, which is a cost.
func TestAdversarialTrainingUnderRules(t *testing.T) {
	x, y := trainingRows(rand.New(rand.NewPCG(5, 5)), 60)
	features := []attack.Feature{{Up: 4, Down: math.Inf(1)}, {Frozen: true}}
	trainer := classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 1})
	a := attack.AdversarialTraining{
		Trainer:  trainer,
		Radius:   2,
		Norm:     polytope.L1,
		Features: features,
	}
	moreX, moreY, err := a.Augment(t.Context(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	c, err := trainer(t.Context(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	exact := &attack.RegionBased{
		Classifier: c,
		Options:    attack.Options{Norm: polytope.L1, Features: features, Workers: 1},
	}
	added := len(y)
	for i := range y {
		row := x.RawRowView(i)
		if c.Predict(row) != y[i] {
			continue
		}
		r, err := exact.Perturb(t.Context(), row)
		if err != nil {
			t.Fatal(err)
		}
		if r.Example == nil || r.Distance > 2 {
			continue
		}
		z := moreX.RawRowView(added)
		if z[0] != r.Example[0] || z[0] < row[0] || z[1] != row[1] || moreY[added] != y[i] ||
			math.Abs(4*(z[0]-row[0])-r.Distance) > 1e-12 {
			t.Errorf("row %d: %v of label %d was added for %v, want %v",
				i, z, moreY[added], row, r.Example)
		}
		added++
	}
	if added != len(moreY) || added == len(y) {
		t.Errorf("%d rows, want %d", len(moreY), added)
	}
	a.Features = features[:1]
	if _, _, err := a.Augment(t.Context(), x, y); !errors.Is(err, classifier.ErrOption) {
		t.Errorf("rules of one feature for two: %v", err)
	}
}

func TestReaches(t *testing.T) {
	inf := math.Inf(1)
	got, err := attack.Reaches([]attack.Feature{
		{}, {Frozen: true}, {Up: 2, Down: inf}, {MaxUp: 0.1, Down: 0.5}, {Group: 1, Up: 9},
		{Group: 1, Up: 0.1}, {Group: 2, Up: 9}, {Group: 2, Up: 9}, {Categorical: true},
	}, 0.5)
	want := []classifier.Reach{
		{Down: 0.5, Up: 0.5}, {}, {Up: 0.25}, {Down: 1, Up: 0.1}, {Down: 1, Up: 1},
		{Down: 1, Up: 1}, {}, {}, {},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("Reaches = %v, %v, want %v", got, err, want)
	}
	for _, c := range []struct {
		feature attack.Feature
		radius  float64
		want    error
	}{
		{attack.Feature{Categorical: true}, 1, errors.ErrUnsupported},
		{attack.Feature{Missing: attack.MayMiss}, 2, errors.ErrUnsupported},
		{attack.Feature{}, math.NaN(), classifier.ErrOption},
		{attack.Feature{Up: -1}, 1, classifier.ErrOption},
	} {
		_, err := attack.Reaches([]attack.Feature{c.feature}, c.radius)
		if !errors.Is(err, c.want) {
			t.Errorf("%+v at %v: %v, want %v", c.feature, c.radius, err, c.want)
		}
	}
}

// TestReachesAreWhatAttacksReach: trees that are trained for the prices of moves are robust to
// them, where one distance for all features would leave no split.
func TestReachesAreWhatAttacksReach(t *testing.T) {
	x, y := mat.NewDense(40, 2, nil), make([]int, 40)
	for i := range y {
		y[i] = i % 2
		x.Set(i, 0, float64(y[i])/10) // told apart by a feature that cannot move
		x.Set(i, 1, float64(i*7%40)/40)
	}
	features := []attack.Feature{{Frozen: true}, {Up: 0.1}}
	reach, err := attack.Reaches(features, 1)
	if err != nil {
		t.Fatal(err)
	}
	c, err := classifier.TrainBoosted(t.Context(), x, y, classifier.BoostedOptions{Reach: reach})
	if err != nil {
		t.Fatal(err)
	}
	rba := &attack.RegionBased{Classifier: c, Options: attack.Options{Features: features}}
	for i, label := range y {
		r, err := rba.RobustAt(t.Context(), x.RawRowView(i), 1)
		if err != nil || r.Verdict(1) != attack.Holds || c.Predict(x.RawRowView(i)) != label {
			t.Fatalf("row %d is %v, %v", i, r.Verdict(1), err)
		}
	}
}
