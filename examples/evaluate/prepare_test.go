package main

import (
	"reflect"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

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
