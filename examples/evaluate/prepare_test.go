package main

import (
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestAdversarialTraining checks that the classifier is the one that is trained with
// the flags' own attack.
func TestAdversarialTraining(t *testing.T) {
	f := newFolder(t)
	f.writeSplit("halfmoon")
	forest := classifier.ForestOptions{TreeOptions: classifier.TreeOptions{MaxDepth: 3}, Trees: 3}
	flags := []string{"-model", "forest", "-trees", "3", "-depth", "3", "-adversarial-training", "0.1"}
	var rows []int
	for name, tt := range map[string]struct {
		flags    []string
		training attack.AdversarialTraining
	}{
		"exact": {nil, attack.AdversarialTraining{Trainer: forest, Radius: 0.1}},
		"ℓ2":    {[]string{"-norm", "2"}, attack.AdversarialTraining{Trainer: forest, Radius: 0.1, Norm: polytope.L2}},
		"approx": {[]string{"-attack", "approx", "-regions", "2"}, attack.AdversarialTraining{
			Trainer: forest, Radius: 0.1,
			Attack: func(c classifier.Classifier, x mat.Matrix, _ []int) (attack.Attack, error) {
				return &attack.RegionBased{Classifier: c, Points: x, Options: attack.Options{Mode: attack.Approx, Regions: 2}}, nil
			},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			plain, err := prepare(t.Context(), mustParse(t, f.base()...))
			if err != nil {
				t.Fatal(err)
			}
			wantX, wantY, err := tt.training.Augment(t.Context(), plain.data.train.matrix(), plain.data.train.y)
			if err != nil {
				t.Fatal(err)
			}
			e, err := prepare(t.Context(), mustParse(t, f.base(append(flags, tt.flags...)...)...))
			if err != nil {
				t.Fatal(err)
			}
			if !mat.Equal(e.data.train.matrix(), wantX) || !slices.Equal(e.data.train.y, wantY) {
				t.Errorf("%d rows, want %d, or other ones", e.data.train.Rows, len(wantY))
			}
			want, err := classifier.TrainForest(t.Context(), wantX, wantY, forest)
			if err != nil {
				t.Fatal(err)
			}
			got := e.classifier.(*classifier.Ensemble)
			for i := range want.Len() {
				if !reflect.DeepEqual(got.Tree(i).Nodes(), want.Tree(i).Nodes()) {
					t.Errorf("tree %d differs from the one trained on these rows", i)
				}
			}
			if slices.Contains(rows, len(wantY)) || len(wantY) == plain.data.train.Rows {
				t.Errorf("%d rows, as without the flags or with others", len(wantY))
			}
			rows = append(rows, len(wantY))
		})
	}
}

// TestTreeFlags checks that the flags of a tree reach its training, where each
// of them makes another tree.
func TestTreeFlags(t *testing.T) {
	f := newFolder(t)
	f.writeSplit("halfmoon")
	tests := []struct {
		name  string
		flags []string
		want  classifier.TreeOptions
	}{
		{"defaults", nil, classifier.TreeOptions{MaxDepth: 5}},
		{"depth", []string{"-depth", "3"}, classifier.TreeOptions{MaxDepth: 3}},
		{"no limit", []string{"-depth", "0"}, classifier.TreeOptions{}},
		{"gini", []string{"-criterion", "gini"}, classifier.TreeOptions{MaxDepth: 5, Criterion: classifier.Gini}},
		{"robust", []string{"-robust-splits", "0.1"}, classifier.TreeOptions{MaxDepth: 5, Robust: 0.1}},
		{"seed", []string{"-depth", "0", "-seed", "3"}, classifier.TreeOptions{Seed: 3}},
	}
	var trees [][]classifier.TreeNode
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"-model", "tree"}, tt.flags...)
			e, err := prepare(t.Context(), mustParse(t, f.base(args...)...))
			if err != nil {
				t.Fatal(err)
			}
			want, err := classifier.TrainTree(t.Context(), e.data.train.matrix(), e.data.train.y, tt.want)
			if err != nil {
				t.Fatal(err)
			}
			got := e.classifier.(*classifier.Tree).Nodes()
			if !reflect.DeepEqual(got, want.Nodes()) {
				t.Errorf("%d nodes, want the %d of %+v", len(got), len(want.Nodes()), tt.want)
			}
			for i, other := range trees {
				if reflect.DeepEqual(got, other) {
					t.Errorf("the tree is that of %q", tests[i].name)
				}
			}
			trees = append(trees, got)
		})
	}
}
