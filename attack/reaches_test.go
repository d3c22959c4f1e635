package attack_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

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
// them, where one distance for all features would leave nothing.
func TestReachesAreWhatAttacksReach(t *testing.T) {
	x, y := mat.NewDense(40, 2, nil), make([]int, 40)
	for i := range y {
		y[i] = i % 2
		x.Set(i, 0, float64(y[i])/10) // told apart by what cannot move
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
