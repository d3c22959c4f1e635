//go:build lpsolve

package milp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// subject is an attack on a random small ensemble.
type subject struct {
	attack Attack
	x      []float64
}

// draw makes one to four trees over one to three features for two to four
// classes. Half of them have thresholds on a grid of seven numbers and their
// neighbours, on which x lies too; half have leaf values of four numbers, of
// which sums often tie.
func draw(t *testing.T, number, salt uint64, norm polytope.Norm) subject {
	t.Helper()
	rng := rand.New(rand.NewPCG(number, salt))
	dim, classes := 1+rng.IntN(3), 2+rng.IntN(3)
	threshold, value := drawNumber(rng), drawValue(rng)
	comparison := classifier.Comparison(rng.IntN(4))
	var trees []*classifier.Tree
	for range 1 + rng.IntN(4) {
		g := grower{rng: rng, dim: dim, classes: classes, threshold: threshold, value: value}
		g.grow(1 + rng.IntN(3))
		tree, err := classifier.NewTree(dim, comparison, g.nodes)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	e, err := classifier.NewEnsemble(trees, instance.DrawVote(rng, classes))
	if err != nil {
		t.Fatal(err)
	}
	in := subject{attack: Attack{Ensemble: e, Norm: norm}}
	for range dim {
		in.x = append(in.x, threshold())
	}
	if rng.IntN(3) == 0 {
		if label := rng.IntN(classes); label != e.Predict(in.x) {
			in.attack.Target = &label
		}
	}
	if rng.IntN(3) == 0 {
		in.attack.Domain = drawDomain(rng, dim)
	}
	return in
}

func drawNumber(rng *rand.Rand) func() float64 {
	if rng.IntN(2) == 0 {
		return rng.NormFloat64
	}
	return func() float64 {
		v := float64(rng.IntN(7)-3) / 10
		if rng.IntN(5) == 0 {
			v = math.Nextafter(v, 1)
		}
		return v
	}
}

// drawValue draws leaf values: anything, thirds, or few values so small that
// probabilities blur them.
func drawValue(rng *rand.Rand) func() float64 {
	switch rng.IntN(5) {
	case 0, 1:
		return rng.NormFloat64
	case 2:
		return func() float64 { return float64(rng.IntN(4)) * 0x1p-26 }
	}
	return func() float64 { return float64(rng.IntN(4)) / 3 }
}

// drawDomain draws a box that may leave out x, some of its sides open.
func drawDomain(rng *rand.Rand, dim int) polytope.Box {
	box := polytope.Cube(dim, -0.25, 0.2)
	for j := range box {
		box[j].LoOpen, box[j].HiOpen = rng.IntN(2) == 0, rng.IntN(2) == 0
		if rng.IntN(3) == 0 {
			box[j].Hi = math.Inf(1)
		}
	}
	return box
}

// grower grows a random tree.
type grower struct {
	rng              *rand.Rand
	dim, classes     int
	threshold, value func() float64
	nodes            []classifier.TreeNode
}

func (g *grower) grow(depth int) int {
	id := len(g.nodes)
	n := classifier.TreeNode{Feature: -1, Left: -1, Right: -1}
	for range g.classes {
		n.Value = append(n.Value, g.value())
	}
	g.nodes = append(g.nodes, n)
	if depth > 0 && g.rng.IntN(6) > 0 {
		n.Feature, n.Threshold = g.rng.IntN(g.dim), g.threshold()
		n.Left = g.grow(depth - 1)
		n.Right = g.grow(depth - 1)
		g.nodes[id] = n
	}
	return id
}

// truth asks the search that this package is a second opinion on.
func (in subject) truth(t *testing.T) attack.Result {
	t.Helper()
	a := attack.RegionBased{Classifier: in.attack.Ensemble, Options: attack.Options{
		Norm: in.attack.Norm, Target: in.attack.Target, Domain: in.attack.Domain, Workers: 1,
	}}
	r, err := a.Perturb(t.Context(), in.x)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// point is a combination of intervals.
type point struct {
	at       []int // the intervals by feature
	z        []float64
	distance float64
}

// points lists all combinations of intervals of a space.
func (s space) points(norm polytope.Norm) []point {
	var all []point
	at := make([]int, len(s))
	var choose func(j int)
	choose = func(j int) {
		if j < len(s) {
			for at[j] = range s[j].intervals {
				choose(j + 1)
			}
			return
		}
		p := point{at: append([]int(nil), at...)}
		chosen := make(space, len(s))
		for f, i := range at {
			p.z = append(p.z, s[f].intervals[i].at)
			chosen[f] = s[f].part(i, i+1)
		}
		p.distance = chosen.farthest(norm)
		all = append(all, p)
	}
	choose(0)
	return all
}
