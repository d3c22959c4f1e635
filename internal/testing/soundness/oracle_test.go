package soundness

import (
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// fixedSeed makes the instances of these tests.
const fixedSeed = 11

// TestTreesAgree compares intervals with all float64 around their borders.
func TestTreesAgree(t *testing.T) {
	answers := 0
	for number := range uint64(3000) {
		in := Draw("trees", fixedSeed, number).(*Trees)
		if in.Dim > 2 {
			continue
		}
		from := in.labelAt(in.Query.X)
		var best *big.Rat
		for z := range in.candidates() {
			if in.Query.reaches(from, in.labelAt(z)) {
				if cost := costBetween(in.Query.Norm, in.Query.X, z); best == nil ||
					cost.Cmp(best) < 0 {
					best = cost
				}
			}
		}
		got := in.infimum(from)
		if best == nil {
			continue
		}
		answers++
		nearest := Infimum{Norm: in.Query.Norm, Cost: best}
		room := 0.0
		for f := range in.Dim {
			for z := range in.candidates() {
				room = max(room, math.Nextafter(math.Abs(z[f]), math.Inf(1))-math.Abs(z[f]))
			}
		}
		if got.None || got.Cost.Cmp(best) > 0 || nearest.Float()-got.Float() > 3*room {
			t.Fatalf("%s: infimum %v, yet the nearest input is %v away",
				Literal(in), got.Float(), nearest.Float())
		}
	}
	if answers < 500 {
		t.Errorf("%d answers", answers)
	}
}

// candidates lists the inputs whose coordinates are those of x, ends of the domain
// or float64 at borders.
func (in *Trees) candidates() func(func([]float64) bool) {
	choices := make([][]float64, in.Dim)
	for f := range in.Dim {
		all := []float64{in.Query.X[f]}
		for _, b := range in.borders(f) {
			all = append(all, b.end, math.Nextafter(b.end, math.Inf(1)),
				math.Nextafter(b.end, math.Inf(-1)))
		}
		if in.Query.Domain != nil {
			all = append(all, in.Query.Domain[f].Lo, in.Query.Domain[f].Hi)
		}
		for _, v := range all {
			inside := in.Query.Domain == nil || in.Query.Domain[f].Contains(v)
			if inside && !math.IsInf(v, 0) {
				choices[f] = append(choices[f], v)
			}
		}
	}
	return func(yield func([]float64) bool) { product(choices, nil, yield) }
}

func product(choices [][]float64, z []float64, yield func([]float64) bool) bool {
	if len(z) == len(choices) {
		return yield(append([]float64(nil), z...))
	}
	for _, v := range choices[len(z)] {
		if !product(choices, append(z[:len(z):len(z)], v), yield) {
			return false
		}
	}
	return true
}

// TestBorders: goesLeft changes at the borders and nowhere near them.
func TestBorders(t *testing.T) {
	for _, c := range []classifier.Comparison{
		classifier.AtMostFloat32, classifier.AtMostFloat64, classifier.BelowFloat32,
		classifier.BelowFloat64,
	} {
		for _, threshold := range []float64{
			0, 1, -1, 0.1, 1e-40, 1e-320, 3.4e38, 1e39, -1e39, math.MaxFloat32, 1 + 0x1p-30,
		} {
			b := borderOf(c, threshold)
			below, above := math.Nextafter(b.end, math.Inf(-1)), math.Nextafter(b.end, math.Inf(1))
			if !goesLeft(c, below, threshold) || goesLeft(c, above, threshold) ||
				goesLeft(c, b.end, threshold) != b.closed {
				t.Errorf("comparison %v with %v: border %v, closed %v",
					c, threshold, b.end, b.closed)
			}
		}
	}
}

// TestObliqueAgrees compares linear trees of one feature a test with axis-parallel
// ones of the same borders.
func TestObliqueAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(fixedSeed, 5))
	for range 2000 {
		axis := drawTrees(r, false)
		axis.Comparison, axis.Base, axis.Query.Domain = classifier.AtMostFloat64, nil, nil
		linear := &Oblique{
			Voters: Voters{
				Dim:     axis.Dim,
				Vote:    axis.Vote,
				Rounded: axis.Rounded,
				Alone:   axis.Alone,
				Query:   axis.Query,
			},
		}
		for _, nodes := range axis.Trees {
			linear.Trees = append(linear.Trees, obliqueFrom(nodes, axis.Dim))
		}
		from := axis.labelAt(axis.Query.X)
		want, got := axis.infimum(from), linear.infimum(from)
		// A right side begins at the border in one and at the next float64 in the other.
		room := 0.0
		for f := range axis.Dim {
			for _, b := range axis.borders(f) {
				room += math.Nextafter(math.Abs(b.end), math.Inf(1)) - math.Abs(b.end)
			}
		}
		if got.None != want.None ||
			(!got.None &&
				(got.Cost.Cmp(want.Cost) < 0 ||
					got.Float()-want.Float() > 2*room+1e-15*want.Float())) {
			t.Fatalf("%s: %v, axis-parallel %v", Literal(linear), got.Float(), want.Float())
		}
	}
}

func obliqueFrom(nodes []trees.Node, dim int) []trees.Node {
	out := slices.Clone(nodes)
	for i, n := range nodes {
		if n.Left >= 0 {
			out[i].Weights = make([]float64, dim)
			out[i].Weights[n.Feature] = 1
		}
	}
	return out
}

// partition is a user's classifier: the leaves of a linear decision tree, listed.
type partition struct{ in *Oblique }

func (p *partition) Dim() int { return p.in.Dim }

func (p *partition) Classes() int { return len(p.in.Trees[0][0].Value) }

func (p *partition) Predict(x []float64) int {
	nodes, at := p.in.Trees[0], 0
	for nodes[at].Left >= 0 {
		sum := 0.0
		for j, w := range nodes[at].Weights {
			sum += float64(w * x[j])
		}
		at = side(nodes[at], sum <= nodes[at].Threshold)
	}
	return largest(nodes[at].Value)
}

func (p *partition) Cells() iter.Seq[classifier.Cell] {
	return func(yield func(classifier.Cell) bool) {
		p.leaves(0, nil, yield)
	}
}

func (p *partition) leaves(
	at int, sides []polytope.HalfSpace, yield func(classifier.Cell) bool,
) bool {
	n := p.in.Trees[0][at]
	if n.Left < 0 {
		return yield(classifier.Cell{
			Label:  largest(n.Value),
			Region: polytope.Polyhedron{HalfSpaces: sides},
		})
	}
	against := make([]float64, len(n.Weights))
	for j, w := range n.Weights {
		against[j] = -w
	}
	sides = sides[:len(sides):len(sides)]
	return p.leaves(n.Left, append(sides, polytope.HalfSpace{A: n.Weights, B: n.Threshold}),
		yield) &&
		p.leaves(n.Right,
			append(sides, polytope.HalfSpace{A: against, B: -n.Threshold, Open: true}), yield)
}
