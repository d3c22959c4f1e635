package tuning

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// TestHeldOut: enough rows are held out, and each of the first folds has its part of each label.
func TestHeldOut(t *testing.T) {
	y := make([]int, 200)
	for i := range 50 {
		y[i] = 1
	}
	held, count, seen := heldOut(y, 3), 0, make([]int, len(y))
	for k, fold := range held {
		ones := 0
		for _, i := range fold {
			ones += y[i]
			if k < folds {
				seen[i]++
			}
		}
		if count += len(fold); ones != 10 || len(fold) != 40 {
			t.Errorf("fold %d has %d rows, %d of label 1", k, len(fold), ones)
		}
	}
	if count < enough || count >= enough+len(held[0]) {
		t.Errorf("%d rows are held out", count)
	}
	if slices.Min(seen) != 1 || slices.Max(seen) != 1 {
		t.Error("the first division does not have each row once")
	}
}

// TestChoose: labels that are half noise ask for many rows in a leaf, and the choice depends on
// the seed alone.
func TestChoose(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(150, 3, nil), make([]int, 150)
	for i := range y {
		for j := range 3 {
			x.Set(i, j, rng.Float64())
		}
		if y[i] = rng.IntN(2); rng.IntN(2) == 0 && x.At(i, 0) > 0.5 {
			y[i] = 1
		}
	}
	settings := Boosted(classifier.BoostedOptions{Rounds: 10, Robust: 0.05}, len(y))
	o := Options{Radius: 0.05}
	for _, workers := range []int{1, 3} {
		o.Workers = workers
		best, tried, err := Choose(t.Context(), x, y, settings, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, tr := range tried {
			if tr.Chosen != (tr.MinLeaf == best.MinLeaf) || tr.Rows != tried[0].Rows ||
				tr.Certified > tr.Clean {
				t.Errorf("%+v, and %d is chosen", tr, best.MinLeaf)
			}
		}
		if best.MinLeaf != 24 {
			t.Errorf("%d workers: %d rows in a leaf are chosen of %+v",
				workers, best.MinLeaf, tried)
		}
	}
	few := x.Slice(0, 5, 0, 3).(*mat.Dense)
	if _, _, err := Choose(t.Context(), few, y[:5], settings, o); err == nil {
		t.Error("five rows are enough")
	}
}

// TestTrees: settings of trees are each trained as they say, of as many rows as there are.
func TestTrees(t *testing.T) {
	x, y := mat.NewDense(200, 1, nil), make([]int, 200)
	for i := range y {
		x.Set(i, 0, float64(i)/200)
		y[i] = i / 100
	}
	var got []classifier.TreeOptions
	o := classifier.TreeOptions{MaxDepth: 3, Robust: 0.1}
	settings := Trees(o, len(y), func(o classifier.TreeOptions) classifier.Trainer {
		got = append(got, o)
		return classifier.TrainerOf(classifier.TrainTree, o)
	})
	for _, s := range settings {
		if _, err := s.Train(t.Context(), x, y); err != nil {
			t.Fatal(err)
		}
	}
	for k, want := range []struct {
		text  string
		leaf  int
		whole bool
	}{
		{"min-leaf 5", 5, false}, {"min-leaf 8", 8, false}, {"min-leaf 32", 32, false},
		{"min-leaf 5, whole-tree", 5, true}, {"min-leaf 8, whole-tree", 8, true},
		{"min-leaf 32, whole-tree", 32, true},
	} {
		o.MinLeaf, o.WholeTree = want.leaf, want.whole
		if settings[k].String() != want.text || !reflect.DeepEqual(got[k], o) {
			t.Errorf("setting %d is %v, trained as %+v", k, settings[k], got[k])
		}
	}
	if len(settings) != 6 || len(got) != 6 {
		t.Errorf("%d settings, %d trainings", len(settings), len(got))
	}
}

// TestNeighbors: where neighbours of both labels are near each other, more rows are certified when
// pruned at more than the radius, and the fewest neighbours that are as good win.
func TestNeighbors(t *testing.T) {
	x, y := mat.NewDense(60, 1, nil), make([]int, 60)
	for i := range y {
		// From 0 to 1, and from 1.3 on; one of the first has the label of the others.
		x.Set(i, 0, float64(i%2)*1.3+float64(i/2)/30)
		y[i] = i % 2
	}
	y[20] = 1
	best, tried, err := Choose(t.Context(), x, y, Neighbors(0.1), Options{Radius: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	if len(tried) != 12 || best.K != 1 || best.Prune < 0.1 {
		t.Errorf("%v is chosen of %d", best, len(tried))
	}
	for _, tr := range tried {
		if tr.Chosen != (tr.String() == best.String()) || tr.Certified > tr.Clean {
			t.Errorf("%v: %+v", tr.Setting, tr.Judged)
		}
	}
}
