package cart_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// recorded is a training of scikit-learn 1.2.1 that tools/record_training.py wrote
// down.
type recorded struct {
	trainingData
	Model              string // tree or forest
	Trees              int
	Criterion          string
	Depth, Split, Leaf int
	Features           any // a number or a word
	Bootstrap          bool
	Seed               uint32
	Nodes              []int    // of each tree
	Hashes             []string // digests
}

func (r recorded) options(t *testing.T) classifier.TreeOptions {
	t.Helper()
	o := classifier.TreeOptions{
		Gini:     r.Criterion == "gini",
		MaxDepth: r.Depth,
		MinSplit: r.Split,
		MinLeaf:  r.Leaf,
		Seed:     r.Seed,
	}
	switch f := r.Features.(type) {
	case float64:
		o.MaxFeatures = int(f)
	case string:
		x, _ := r.rows()
		_, d := x.Dims()
		o.MaxFeatures = map[string]int{
			"sqrt": classifier.SqrtFeatures,
			"log2": classifier.Log2Features,
			"all":  d,
		}[f]
	}
	return o
}

// train trains the same model.
func (r recorded) train(t *testing.T) (trees []*classifier.Tree) {
	t.Helper()
	x, y := r.rows()
	if r.Model == "tree" {
		tree, err := classifier.TrainTree(t.Context(), x, y, r.options(t))
		if err != nil {
			t.Fatal(err)
		}
		return []*classifier.Tree{tree}
	}
	forest, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
		TreeOptions: r.options(t),
		Trees:       r.Trees,
		NoBootstrap: !r.Bootstrap,
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range forest.Len() {
		trees = append(trees, forest.Tree(i))
	}
	return trees
}

// TestTrainingIsScikitLearns trains again the trees that scikit-learn trained on generated rows:
// the same features, thresholds, children and class frequencies, bit for bit.
func TestTrainingIsScikitLearns(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/training/goldens.json")
	if err != nil {
		t.Fatal(err)
	}
	var goldens []recorded
	if err := json.Unmarshal(text, &goldens); err != nil {
		t.Fatal(err)
	}
	trees, nodes := 0, 0
	for i, r := range goldens {
		t.Run(fmt.Sprintf("%d/%s", i, r.Form), func(t *testing.T) {
			got := r.train(t)
			if len(got) != len(r.Hashes) {
				t.Fatalf("%d trees, want %d", len(got), len(r.Hashes))
			}
			for k, tree := range got {
				n := len(tree.Nodes())
				trees, nodes = trees+1, nodes+n
				if hash := digest(tree); n != r.Nodes[k] || hash != r.Hashes[k] {
					t.Errorf("tree %d has %d nodes of hash %s, want %d of %s: %+v",
						k, n, hash, r.Nodes[k], r.Hashes[k], r)
				}
			}
		})
	}
	t.Logf("%d models, %d trees, %d nodes", len(goldens), trees, nodes)
}
