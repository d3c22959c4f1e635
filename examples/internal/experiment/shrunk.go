package experiment

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

// shrunk is the paper's approximate attack on forests as its code does it. Every side of a cell
// is moved in by a margin. The nearest point of such a cell may still have the label of the row,
// because trees round it to float32; then the training point itself stands in for it.
type shrunk struct {
	forest  *classifier.Ensemble
	points  *mat.Dense
	labels  []int // of the points, as predicted
	lo, hi  *mat.Dense
	regions int
}

// The code's margins: it takes one off every side, and the other off a left end besides.
const (
	cellMargin = 1e-6
	leftMargin = 1e-9
)

func newShrunk(forest *classifier.Ensemble, points *mat.Dense) *shrunk {
	n, d := points.Dims()
	a := &shrunk{
		forest: forest, points: points, labels: make([]int, n), regions: forestRegions,
		lo: mat.NewDense(n, d, nil), hi: mat.NewDense(n, d, nil),
	}
	trees := make([][]classifier.TreeNode, forest.Len())
	for t := range trees {
		trees[t] = forest.Tree(t).Nodes()
	}
	for i := range n {
		x, lo, hi := points.RawRowView(i), a.lo.RawRowView(i), a.hi.RawRowView(i)
		a.labels[i] = forest.Predict(x)
		for j := range d {
			lo[j], hi[j] = math.Inf(-1), math.Inf(1)
		}
		for _, nodes := range trees {
			narrow(nodes, x, lo, hi)
		}
		for j := range d {
			lo[j], hi[j] = lo[j]+leftMargin+cellMargin, hi[j]-cellMargin
		}
	}
	return a
}

// narrow cuts the leaf of x out of a box. The leaf is that of x in float32, but the code compares
// x itself with thresholds when it asks on which side of one the leaf lies.
func narrow(nodes []classifier.TreeNode, x, lo, hi []float64) {
	for n := &nodes[0]; n.Left >= 0; {
		j := n.Feature
		if x[j] <= n.Threshold {
			hi[j] = min(hi[j], n.Threshold)
		} else {
			lo[j] = max(lo[j], n.Threshold)
		}
		if float64(float32(x[j])) <= n.Threshold {
			n = &nodes[n.Left]
		} else {
			n = &nodes[n.Right]
		}
	}
}

// Perturb implements attack.Attack.
func (a *shrunk) Perturb(_ context.Context, x []float64) (attack.Result, error) {
	start := make([]float64, len(x)) // the code attacks the point in float32
	for j, v := range x {
		start[j] = float64(float32(v))
	}
	own := a.forest.Predict(x)
	r := noClaim()
	for _, i := range a.nearest(start, own) {
		z, ok := a.inside(start, i)
		if !ok {
			continue
		}
		if a.forest.Predict(z) == own {
			z = a.points.RawRowView(i)
		}
		if d := floats.Distance(start, z, math.Inf(1)); d < r.Distance {
			r.Distance, r.Example = d, z
		}
	}
	if r.Example == nil {
		return r, nil
	}
	// What is added to the point is a float32, too.
	z := make([]float64, len(x))
	for j, v := range r.Example {
		z[j] = x[j] + float64(float32(v-start[j]))
	}
	if r.Label = a.forest.Predict(z); r.Label == own {
		return noClaim(), nil
	}
	r.Example, r.Distance = z, floats.Distance(x, z, math.Inf(1))
	return r, nil
}

// nearest are the training points of another label that are nearest in Euclidean distance.
func (a *shrunk) nearest(x []float64, own int) []int {
	var list []int
	distance := make([]float64, len(a.labels))
	for i, label := range a.labels {
		if label != own {
			list = append(list, i)
			distance[i] = floats.Distance(x, a.points.RawRowView(i), 2)
		}
	}
	slices.SortStableFunc(list,
		func(i, k int) int { return cmp.Compare(distance[i], distance[k]) })
	return list[:min(len(list), a.regions)]
}

// inside returns the point of the cell of training point i that is nearest to x, each
// coordinate as near as it can be, and reports whether the cell has any.
func (a *shrunk) inside(x []float64, i int) (z []float64, ok bool) {
	lo, hi := a.lo.RawRowView(i), a.hi.RawRowView(i)
	z = make([]float64, len(x))
	for j, v := range x {
		if lo[j] > hi[j] {
			return nil, false
		}
		z[j] = min(max(v, lo[j]), hi[j])
	}
	return z, true
}
