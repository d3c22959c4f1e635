package soundness

import (
	"context"
	"iter"
	"math"
	"math/rand/v2"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Lattice is an attack on nearest neighbours of whole numbers, which tie at whole and half numbers.
// Its oracle is Predict, which is asked about all of these.
type Lattice struct{ KNN }

// latticeSide is the largest coordinate of rows, 0 the least.
const latticeSide = 9

func drawLattice(r *rand.Rand) *Lattice {
	d, n := pick(r, 2, 2, 3), pick(r, 10, 30, 60)
	in := &Lattice{KNN{Labels: drawLabels(r, n, pick(r, 2, 2, 3)), K: pick(r, 1, 2, 3, 5)}}
	draw := func() []float64 {
		p := make([]float64, d)
		for j := range p {
			p[j] = float64(r.IntN(latticeSide + 1))
		}
		return p
	}
	for range n {
		in.Rows = append(in.Rows, draw())
	}
	in.Query = Query{X: draw(), Norm: polytope.Norm(r.IntN(3)), Target: -1}
	switch r.IntN(4) {
	case 0:
		in.Query.Rules = make([]attack.Feature, d)
		in.Query.Rules[r.IntN(d)].Frozen = true
	case 1:
		in.Query.Domain = polytope.NewBox(d)
		v := float64(r.IntN(2*latticeSide+1)) / 2
		in.Query.Domain[r.IntN(d)] = polytope.Interval{Lo: v, Hi: v}
	case 2:
		in.Query.Domain = drawDomain(r, in.Query.X, in.Rows)
	}
	return in
}

// Check implements Instance.
func (in *Lattice) Check(seed uint64) []Failure {
	c, err := classifier.TrainKNN(context.Background(), matrix(in.Rows), in.Labels,
		classifier.KNNOptions{K: in.K})
	if err != nil {
		return []Failure{{'E', err.Error()}}
	}
	return checkAttack(c, &in.Query, Truth{
		Label:  func(z []float64) (int, bool) { return c.Predict(z), true },
		Inputs: in.inputs,
	}, seed)
}

// inputs lists whole and half numbers within reach.
func (in *Lattice) inputs(reach float64) iter.Seq[[]float64] {
	z := make([]float64, len(in.Query.X))
	var visit func(j int, yield func([]float64) bool) bool
	visit = func(j int, yield func([]float64) bool) bool {
		if j == len(z) {
			return yield(z)
		}
		for v := -1.0; v <= latticeSide+1; v += 0.5 {
			if z[j] = v; math.Abs(v-in.Query.X[j]) <= reach && !visit(j+1, yield) {
				return false
			}
		}
		return true
	}
	return func(yield func([]float64) bool) { visit(0, yield) }
}

// Smaller implements Instance.
func (in *Lattice) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for smaller := range in.KNN.Smaller() {
			if !yield(&Lattice{*smaller.(*KNN)}) {
				return
			}
		}
	}
}
