package attack_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestAdversarialTrainingUnderRules: what is added is what an attack under the rules finds within
// the radius, which is a cost.
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
