package robust

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// TestWholeTrees compares trees with all that differ in one node, each judged by the rows that are
// right in all leaves that they may reach.
func TestWholeTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	more, compared := 0, 0
	for trial := range racetest.Scale(3000) {
		in := draw(rng, 2+rng.IntN(2))
		for j := range in.reach {
			in.reach[j] = Reach{rng.Float64() / 6, rng.Float64() / 6}
		}
		o := Options{Depth: 1 + rng.IntN(3), MinSplit: 2 + rng.IntN(3), MinLeaf: 1 + rng.IntN(3),
			MaxFeatures: in.table.Dim, Workers: 1}
		times := make([]int32, in.table.Len)
		for i := range times {
			times[i] = int32(1 + rng.IntN(2))
		}
		d := in.data(t, 1)
		grown, err := Tree(t.Context(), d, times, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Whole = true
		tree, err := Tree(t.Context(), d, times, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		w := wholeOracle{&in, o, times}
		if w.right(tree) < w.right(grown) {
			t.Fatalf("trial %d: %v are right, and %v before", trial, w.right(tree), w.right(grown))
		}
		if w.right(tree) > w.right(grown) {
			more++
		}
		if compared += len(tree) / 2; w.fault(tree) != nil {
			t.Fatalf("trial %d, %+v, %+v: %v", trial, in, o, w.fault(tree))
		}
	}
	if more < racetest.Scale(60) || compared < racetest.Scale(1500) {
		t.Errorf("%d trees became better, %d splits were compared, want more", more, compared)
	}
}

// wholeOracle counts the rows that trees get right.
type wholeOracle struct {
	*instance
	options Options
	times   []int32
}

func (w *wholeOracle) right(tree trees.Nodes) (count int32) {
	for i, y := range w.y {
		wrong := func(leaf int) bool { return heaviest(tree[leaf].Value) != y }
		if !slices.ContainsFunc(w.leaves(tree, i), wrong) {
			count += w.times[i]
		}
	}
	return count
}

// fault says how a tree that differs in one node gets more right.
func (w *wholeOracle) fault(tree trees.Nodes) error {
	most := w.right(tree)
	return w.each(tree, 0, 0, func(i int) bool { return true }, func(changed trees.Nodes) error {
		if got := w.right(changed); got > most {
			return fmt.Errorf("%d are right in %v, and %d in %v", most, tree, got, changed)
		}
		return nil
	})
}

// each visits the trees that differ in a node, which some rows may reach, or in one below it.
func (w *wholeOracle) each(
	tree trees.Nodes, id, depth int, reaches func(i int) bool, visit func(trees.Nodes) error,
) error {
	var of []int
	for i := range w.y {
		if reaches(i) {
			of = append(of, i)
		}
	}
	n := tree[id]
	for feature := range w.table.Dim {
		for _, threshold := range w.everyThreshold(feature) {
			if n.Left < 0 && (depth == w.options.Depth || len(of) < w.options.MinSplit) ||
				!w.allowed(of, feature, threshold) {
				continue
			}
			for _, changed := range w.with(tree, id, feature, threshold) {
				if err := visit(changed); err != nil {
					return err
				}
			}
		}
	}
	if n.Left < 0 {
		for label := range w.classes {
			changed := slices.Clone(tree)
			changed[id].Value = oneHot(w.classes, label)
			if err := visit(changed); err != nil {
				return err
			}
		}
		return nil
	}
	if !w.allowed(of, n.Feature, n.Threshold) {
		return fmt.Errorf("node %d divides %d rows by feature %d", id, len(of), n.Feature)
	}
	for side, child := range []int{n.Left, n.Right} {
		err := w.each(tree, child, depth+1, func(i int) bool {
			left, right := w.sidesOf(i, n.Feature, n.Threshold)
			return reaches(i) && [2]bool{left, right}[side]
		}, visit)
		if err != nil {
			return err
		}
	}
	return nil
}

func oneHot(classes, label int) []float64 {
	value := make([]float64, classes)
	value[label] = 1
	return value
}

// with returns the tree with another split in a node: a leaf gets leaves of all pairs of labels.
func (w *wholeOracle) with(
	tree trees.Nodes, id, feature int, threshold float64,
) (all []trees.Nodes) {
	changed := slices.Clone(tree)
	changed[id].Feature, changed[id].Threshold = feature, threshold
	if tree[id].Left >= 0 {
		return []trees.Nodes{changed}
	}
	changed[id].Left, changed[id].Right = len(tree), len(tree)+1
	for left := range w.classes {
		for right := range w.classes {
			leaf := trees.Node{Feature: -1, Left: -1, Right: -1}
			pair := append(slices.Clone(changed), leaf, leaf)
			pair[len(tree)].Value = oneHot(w.classes, left)
			pair[len(tree)+1].Value = oneHot(w.classes, right)
			all = append(all, pair)
		}
	}
	return all
}

// allowed reports whether a split leaves rows on either side for sure, and as many as it must.
func (w *wholeOracle) allowed(of []int, feature int, threshold float64) bool {
	check := oracle{instance: w.instance}
	left, right := check.divide(of, feature, threshold)
	return min(len(left), len(right)) >= w.options.MinLeaf &&
		max(len(left), len(right)) < len(of)
}
