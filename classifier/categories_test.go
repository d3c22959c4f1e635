package classifier_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

// city is a file of a tree that asks for a category of 3 codes.
const city = `{"format":"facet-model","version":1,"kind":"KIND","n_features":2,` +
	`"categories":[0,3],"comparison":"x <= t","vote":"sum",` +
	`"trees":[{"feature":[1,-1,-1],"threshold":[1,0,0],` +
	`"left":[1,-1,-1],"right":[2,-1,-1],"value":VALUES}]}`

func read(t *testing.T, kind string) classifier.Classifier {
	t.Helper()
	text := strings.NewReplacer("KIND", kind, "VALUES", "[[0,0],[1,0],[0,1]]").Replace(city)
	c, err := classifier.Read[classifier.Classifier](strings.NewReader(text),
		classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCategoriesOfTree: a tree alone knows the categories of its file, and an attack changes codes:
// any other costs 1.
func TestCategoriesOfTree(t *testing.T) {
	tree := read(t, "tree").(*classifier.Tree)
	for name, c := range map[string]classifier.Classifier{
		"tree": tree, "ensemble": read(t, "ensemble"),
		"member": read(t, "ensemble").(*classifier.Ensemble).Tree(0),
	} {
		codes := c.(property.Model).Categories()
		a := &attack.RegionBased{Classifier: c}
		r, err := a.Perturb(t.Context(), []float64{0, 0})
		if err != nil || !slices.Equal(codes, []int{0, 3}) || r.Distance != 1 || r.Example[1] != 2 {
			t.Errorf("%s: codes %v, %+v, %v, want code 2 at a distance of 1", name, codes, r, err)
		}
	}
	text := strings.NewReplacer("KIND", "regressor", "VALUES", "[[0],[1],[2]]").Replace(city)
	regressor, err := classifier.Read[*classifier.Regressor](strings.NewReader(text),
		classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if codes := regressor.Categories(); !slices.Equal(codes, []int{0, 3}) {
		t.Errorf("regressor: codes %v", codes)
	}
}

// TestCategoriesOfOptions: the options say which features are categories, and are the same after
// they are read back.
func TestCategoriesOfOptions(t *testing.T) {
	tree, err := classifier.NewTree(2, classifier.AtMostFloat64, []classifier.TreeNode{
		{Feature: 1, Threshold: 1, Left: 1, Right: 2, Value: []float64{1, 1}},
		{Feature: -1, Left: -1, Right: -1, Value: []float64{1, 0}},
		{Feature: -1, Left: -1, Right: -1, Value: []float64{0, 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	members := []*classifier.Tree{tree}
	codes := []int{0, 3}
	e, err := classifier.NewEnsemble(members, classifier.EnsembleOptions{Categories: codes})
	if err != nil {
		t.Fatal(err)
	}
	codes[1] = 7
	e.Options().Categories[1] = 7
	again, err := classifier.NewEnsemble(members, e.Options())
	if err != nil || !slices.Equal(again.Categories(), []int{0, 3}) {
		t.Errorf("categories %v, %v", again.Categories(), err)
	}
	if tree.Categories() != nil {
		t.Errorf("the tree has categories %v", tree.Categories())
	}
	for _, wrong := range [][]int{{3}, {0, -1}} {
		_, err := classifier.NewEnsemble(members, classifier.EnsembleOptions{Categories: wrong})
		if !errors.Is(err, classifier.ErrModel) {
			t.Errorf("categories %v: %v", wrong, err)
		}
	}
}
