package classifier_test

import (
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// TestTrainedTreesAreScikitLearns trains the trees of the fixtures anew: the same
// nodes, features, thresholds and values.
func TestTrainedTreesAreScikitLearns(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		for name, keep := range map[string][]int{
			"dt":          nil,
			"dt.pruned30": c.Split(t).Pruned["0.3"].Keep,
		} {
			x, y := c.Set.Train, c.Set.TrainY
			if keep != nil {
				var err error
				if x, y, err = prune.Select(x, y, keep); err != nil {
					t.Fatal(err)
				}
			}
			got, err := classifier.TrainTree(t.Context(), x, y, classifier.TreeOptions{MaxDepth: 5})
			if err != nil {
				t.Fatal(err)
			}
			if want := instance.ReadTree(t, c, name); !sameNodes(got, want) {
				t.Errorf("%s: nodes = %v, want %v", name, got.Nodes(), want.Nodes())
			}
		}
	})
}

// TestTrainedForestsAreScikitLearns does the same for the forests.
func TestTrainedForestsAreScikitLearns(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		for name, keep := range map[string][]int{
			"rf":          nil,
			"rf.pruned30": c.Split(t).Pruned["0.3"].Keep,
		} {
			x, y := c.Set.Train, c.Set.TrainY
			if keep != nil {
				var err error
				if x, y, err = prune.Select(x, y, keep); err != nil {
					t.Fatal(err)
				}
			}
			got, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
				TreeOptions: classifier.TreeOptions{MaxDepth: 5},
			})
			if err != nil {
				t.Fatal(err)
			}
			want := instance.ReadForest(t, c, name)
			if got.Len() != want.Len() {
				t.Fatalf("%s: %d trees, want %d", name, got.Len(), want.Len())
			}
			for i := range got.Len() {
				if !sameNodes(got.Tree(i), want.Tree(i)) {
					t.Errorf("%s: tree %d: nodes = %v, want %v",
						name, i, got.Tree(i).Nodes(), want.Tree(i).Nodes())
					break
				}
			}
		}
	})
}

func sameNodes(a, b *classifier.Tree) bool {
	return slices.EqualFunc(a.Nodes(), b.Nodes(), func(a, b classifier.TreeNode) bool {
		return a.Feature == b.Feature && a.Left == b.Left && a.Right == b.Right &&
			(a.Left < 0 || a.Threshold == b.Threshold) && slices.Equal(a.Value, b.Value)
	})
}

func TestAccuracyIsThePapers(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		split := c.Split(t)
		for k, name := range map[int]string{1: "1nn", 3: "3nn"} {
			knn, err := classifier.TrainKNN(t.Context(), c.Set.Train, c.Set.TrainY,
				classifier.KNNOptions{K: k})
			if err != nil {
				t.Fatal(err)
			}
			checkProtocol(t, c, name, knn, split.Accuracy[name], split.Attacked[name])
		}
		checkProtocol(t, c, "dt", instance.ReadForest(t, c, "dt"), split.Accuracy["dt"],
			split.Attacked["dt"])
	})
}

// checkProtocol compares a classifier's accuracy and the points it leaves to attack.
func checkProtocol(
	t *testing.T, c fixture.Case, name string, model classifier.Classifier, accuracy float64,
	attacked []int,
) {
	t.Helper()
	correct, hits := make([]bool, len(c.Set.TestY)), 0
	for i, y := range c.Set.TestY {
		if correct[i] = model.Predict(c.Set.Test.RawRowView(i)) == y; correct[i] {
			hits++
		}
	}
	if got := float64(hits) / float64(len(correct)); got != accuracy {
		t.Errorf("%s: accuracy = %v, want %v", name, got, accuracy)
	}
	got, err := c.Set.Attacked(correct)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, attacked) {
		t.Errorf("%s: attacked = %v, want %v", name, got, attacked)
	}
}
