package attack_test

import (
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// step is a tree of label 1 beyond a threshold, and of a second one in another feature.
func step(t *testing.T, thresholds ...float64) *classifier.Tree {
	t.Helper()
	leaf := func(label float64) classifier.TreeNode {
		return classifier.TreeNode{Feature: -1, Left: -1, Right: -1,
			Value: []float64{1 - label, label}}
	}
	nodes := []classifier.TreeNode{
		{Feature: 0, Threshold: thresholds[0], Left: 1, Right: 2, Value: []float64{1, 1}},
		{Feature: 1, Threshold: thresholds[1], Left: 3, Right: 4, Value: []float64{1, 1}},
		leaf(1), leaf(0), leaf(1),
	}
	tree, err := classifier.NewTree(2, classifier.AtMostFloat64, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestCoarse: where float64 has no input at the bound, no limit ended the search, and the status
// says so; the example is the nearest one of all that float64 has.
func TestCoarse(t *testing.T) {
	up := math.Nextafter(1e9, 2e9)
	ulp := up - 1e9
	const coarse = attack.StatusCoarse
	for name, tt := range map[string]struct {
		tree     *classifier.Tree
		x        []float64
		nodes    int
		status   attack.Status
		distance float64
	}{
		"on the threshold": {step(t, 1e9, 5), []float64{1e9, 0}, 0, coarse, ulp},
		"an ulp below":     {step(t, up, 5), []float64{1e9, 0}, 0, coarse, 2 * ulp},
		"nearer elsewhere": {step(t, 1e9, 0), []float64{1e9, -1e-8}, 0, coarse, 1e-8},
		"small numbers":    {step(t, 1, 5), []float64{1, 0}, 0, attack.StatusOptimal, 0x1p-52},
		"a limit":          {step(t, 1e9, 0), []float64{1e9 - 2, -3}, 2, attack.StatusLimit, 0},
	} {
		t.Run(name, func(t *testing.T) {
			a := &attack.RegionBased{
				Classifier: tt.tree, Options: attack.Options{MaxNodes: tt.nodes},
			}
			r, err := a.Perturb(t.Context(), tt.x)
			if err != nil || r.Status != tt.status ||
				math.Abs(r.Distance-tt.distance) > 1e-15 && tt.status != attack.StatusLimit {
				t.Errorf("status %v, %+v, %v, want %v at %v", r.Status, r, err, tt.status,
					tt.distance)
			}
			if tt.nodes > 0 {
				return
			}
			all, err := a.Counterfactuals(t.Context(), tt.x, 1)
			first := append(all.Found, instance.Others(all))[0]
			if err != nil || first.Status != tt.status || first.Distance != r.Distance {
				t.Errorf("counterfactual: status %v, %+v, %v", first.Status, first, err)
			}
		})
	}
}

// TestLimitsBetweenFloat64: how far a feature may move ends where it is said to, among real
// numbers, not at the float64 before: beyond a threshold there are inputs that float64 has not.
func TestLimitsBetweenFloat64(t *testing.T) {
	for _, x := range []float64{math.MaxFloat64, 1e17} {
		for _, norm := range []attack.Options{{Changes: true}, {}} {
			norm.Features = []attack.Feature{{Up: 0.1, Down: 2, MaxUp: 5}, {Frozen: true}}
			a := &attack.RegionBased{Classifier: step(t, x, 5), Options: norm}
			r, err := a.Perturb(t.Context(), []float64{x, 0})
			if err != nil || r.Bound > 0.1 || r.Status != attack.StatusCoarse {
				t.Errorf("%v, changes %v: %+v with status %v, %v, want a bound of at most .1", x,
					norm.Changes, r, r.Status, err)
			}
			if v, err := verdictAt(t.Context(), a, []float64{x, 0}, 0.2); v == attack.Holds {
				t.Errorf("%v, changes %v: robust at .2, %v", x, norm.Changes, err)
			}
		}
	}
}
