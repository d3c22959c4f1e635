package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// verified is a small model whose thresholds are 0, 1 and 2 and whose leaves are quarters, so that
// no sum is rounded and the inputs with features in -0.5, 0.5, 1.5 and 2.5 are all there are.
type verified struct {
	*classifier.Ensemble
	vote    classifier.Vote
	classes int
	trees   [][]classifier.TreeNode
}

func drawVerified(rng *rand.Rand, classes, count int) *verified {
	v := &verified{classes: classes}
	for range count {
		var nodes []classifier.TreeNode
		var below func(depth int) int
		below = func(depth int) int {
			at := len(nodes)
			n := classifier.TreeNode{Feature: -1, Left: -1, Right: -1}
			for range classes {
				n.Value = append(n.Value, float64(rng.IntN(5))/4)
			}
			nodes = append(nodes, n)
			if depth > 0 && rng.IntN(5) > 0 {
				nodes[at].Feature, nodes[at].Threshold = rng.IntN(3), float64(rng.IntN(3))
				nodes[at].Left = below(depth - 1)
				nodes[at].Right = below(depth - 1)
			}
			return at
		}
		below(2)
		v.trees = append(v.trees, nodes)
	}
	return v
}

// build makes the model of its trees.
func (v *verified) build(t *testing.T, votes classifier.EnsembleOptions) {
	t.Helper()
	var members []*classifier.Tree
	for _, nodes := range v.trees {
		tree, err := classifier.NewTree(3, classifier.AtMostFloat64, nodes)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, tree)
	}
	var err error
	if v.Ensemble, err = classifier.NewEnsemble(members, votes); err != nil {
		t.Fatal(err)
	}
	v.vote = votes.Vote
}

// other returns the same model, of which a class of a leaf, or of all, is another.
func (v *verified) other(rng *rand.Rand) *verified {
	o, class, all := *v, rng.IntN(v.classes), rng.IntN(2) == 0
	o.trees = nil
	for _, nodes := range v.trees {
		nodes = append([]classifier.TreeNode(nil), nodes...)
		for i := range nodes {
			if nodes[i].Left < 0 && (all || rng.IntN(4) == 0) {
				nodes[i].Value = append([]float64(nil), nodes[i].Value...)
				nodes[i].Value[class] += float64(rng.IntN(3)) / 4
			}
		}
		o.trees = append(o.trees, nodes)
	}
	return &o
}

// outputs returns the outputs of all classes; of two that are added up their difference.
func (v *verified) outputs(x []float64) []float64 {
	out := v.Scores(x)
	switch {
	case v.vote < classifier.SumVote:
		for c := range out {
			out[c] /= float64(len(v.trees))
		}
	case v.classes == 2:
		return []float64{out[1] - out[0]}
	}
	return out
}

// most returns by how much some output of two inputs differs at most. Of one average of two classes
// it is that of label 1.
func (v *verified) most(o *verified, x, other []float64) (most float64) {
	first, second := v.outputs(x), o.outputs(other)
	for c := range first {
		if v != o || v.classes != 2 || c == len(first)-1 {
			most = max(most, math.Abs(first[c]-second[c]))
		}
	}
	return most
}

// decides reports whether a pair of inputs breaks a property.
func (v *verified) decides(o *verified, x, other []float64, by float64) bool {
	return v.Predict(x) != o.Predict(other) && (by == 0 || v.most(o, x, other) > by)
}

// all calls a function with every input.
func all(each func(x []float64)) {
	for i := range 64 {
		each([]float64{float64(i%4) - 0.5, float64(i/4%4) - 0.5, float64(i/16) - 0.5})
	}
}

// save writes a model.
func (v *verified) save(t *testing.T, path string) {
	t.Helper()
	var file bytes.Buffer
	if err := classifier.Save(&file, v.Ensemble); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestVerifyAgainstEnumeration: whether decisions of models of two, three, four and ten classes, by
// all votes, depend on a feature, or are those of another model, agrees with enumeration of all
// inputs, for any allowed difference of outputs, and pairs that are shown have the stated outputs.
func TestVerifyAgainstEnumeration(t *testing.T) {
	f, rng := newFolder(t), rand.New(rand.NewPCG(40, 3))
	counts := map[string]int{}
	for number := range instance.Count(400, 8000) {
		classes := []int{2, 2, 3, 3, 4, 10}[rng.IntN(6)]
		model := drawVerified(rng, classes, 1+rng.IntN(4))
		votes := classifier.EnsembleOptions{Vote: classifier.Vote(rng.IntN(5))}
		if votes.Vote == classifier.LogisticVote && classes != 2 {
			votes.Vote = classifier.SoftmaxVote
		}
		model.build(t, votes)
		by := 0.0
		if rng.IntN(2) == 0 {
			by = float64(1+rng.IntN(8))/4 - 0.125
		}
		other, args := model, []string{"--ignores", "2"}
		if rng.IntN(2) == 0 {
			other = model.other(rng)
			other.build(t, votes)
			other.save(t, f.file("other"))
			args = []string{"--same-as", f.file("other")}
		}
		model.save(t, f.file("model"))
		breaks := false
		all(func(x []float64) {
			if other != model {
				breaks = breaks || model.decides(other, x, x, by)
				return
			}
			all(func(y []float64) {
				breaks = breaks || x[0] == y[0] && x[1] == y[1] && model.decides(model, x, y, by)
			})
		})
		args = append([]string{"verify", f.file("model"), "--out", f.file("line"), "--overwrite",
			"--by", fmt.Sprint(by)}, args...)
		status, stdout, stderr := callFacet(t, args...)
		name := fmt.Sprintf("%d: %d classes, %v, %v", number, classes, votes.Vote, args[5:])
		var line verifiedLine
		if status > 1 {
			t.Fatalf("%s: status %d: %s", name, status, stderr)
		}
		if err := json.Unmarshal([]byte(f.read("line")), &line); err != nil {
			t.Fatal(err)
		}
		counts[fmt.Sprint(strings.TrimPrefix(args[7], "--"), " breaks: ", breaks)]++
		if holds := status == 0; holds == breaks || line.Holds == nil || *line.Holds != holds {
			t.Fatalf("%s: status %d, and a pair breaks it: %v\n%s", name, status, breaks, stdout)
		}
		line.check(t, name+"\n"+stdout, model, other, by)
	}
	t.Log(counts)
}

// verifiedLine is a line of facet verify --out.
type verifiedLine struct {
	Holds  *bool
	Status string
	Bound  float64
	shownPair
	LabelChanges bool `json:"label_changes"`
	Changing     *shownPair
}

// shownPair is a pair of inputs that is shown.
type shownPair struct {
	X, Other   []float64
	Labels     []int
	Difference float64
	Status     string
}

// check makes sure that pairs have the labels that they are said to have, and that the bound is
// none that they exceed.
func (l *verifiedLine) check(t *testing.T, name string, m, o *verified, by float64) {
	t.Helper()
	for _, p := range []*shownPair{&l.shownPair, l.Changing} {
		if p == nil || p.X == nil {
			continue
		}
		if m.Predict(p.X) != p.Labels[0] || o.Predict(p.Other) != p.Labels[1] ||
			m.most(o, p.X, p.Other) < p.Difference-1e-9 || p.Difference > l.Bound {
			t.Fatalf("%s: %+v", name, *p)
		}
	}
	if c := l.Changing; c != nil && !m.decides(o, c.X, c.Other, by) {
		t.Fatalf("%s: %+v does not break it", name, *c)
	}
	if l.X != nil && l.LabelChanges != (l.Labels[0] != l.Labels[1]) {
		t.Fatalf("%s: labels %v", name, l.Labels)
	}
	if breaks := l.X != nil && l.LabelChanges || l.Changing != nil; breaks == *l.Holds {
		t.Fatalf("%s: shows a pair: %v", name, breaks)
	}
}
