package soundness

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
)

// neighborsOracle answers for k-NN by going through its cells.
type neighborsOracle struct {
	*frame
	in     *KNN
	points [][]*big.Int // displacements of the rows, the fixed coordinates of the domain taken off
	nearer [][]relation // nearer[s][t]: s comes before t
	order  []int        // rows, nearest to x first
}

// relation says where one row comes before another: never, always, or in a
// half-space.
type relation struct {
	always, never bool
	row           oracle.Row
}

// infimum returns the distance to the nearest cell whose label answers.
func (in *KNN) infimum(from int) Infimum { return in.within(from, 0) }

func (in *KNN) within(from int, margin float64) Infimum {
	o := in.oracle(margin)
	if in.K == 1 {
		o.candidates(from)
	} else {
		o.choose(nil, 0, from)
	}
	return o.frame.infimum()
}

func (in *KNN) oracle(margin float64) *neighborsOracle {
	o := &neighborsOracle{in: in}
	vectors := append([][]float64{in.Query.X, in.Query.ends()}, in.Rows...)
	o.frame = newFrame(&in.Query, oracle.CommonUnit(vectors...), margin)
	o.arrange()
	o.relate()
	return o
}

// arrange places the rows around x.
func (o *neighborsOracle) arrange() {
	distance := make([]float64, len(o.in.Rows))
	for i, p := range o.in.Rows {
		point := make([]*big.Int, len(p))
		for j := range p {
			point[j] = o.displacement(&o.in.Query, j, p[j])
			if o.fixed[j] != nil {
				point[j].Sub(point[j], o.fixed[j])
			}
			distance[i] += math.Pow(p[j]-o.in.Query.X[j], 2)
		}
		o.points, o.order = append(o.points, point), append(o.order, i)
	}
	slices.SortStableFunc(o.order,
		func(i, j int) int { return cmp.Compare(distance[i], distance[j]) })
}

// relate compares all pairs of rows.
func (o *neighborsOracle) relate() {
	square := make([]*big.Int, len(o.points))
	for i, p := range o.points {
		square[i] = oracle.Dot(new(big.Int), p, p)
	}
	for s := range o.points {
		o.nearer = append(o.nearer, make([]relation, len(o.points)))
		for t := range o.points {
			if s != t {
				o.nearer[s][t] = o.bisector(s, t, square)
			}
		}
	}
}

// bisector returns where row s comes before row t: 2(t−s)·u ≤ ‖t‖² − ‖s‖².
func (o *neighborsOracle) bisector(s, t int, square []*big.Int) relation {
	r, zero := oracle.Row{B: new(big.Int).Sub(square[t], square[s])}, true
	for _, j := range o.free {
		e := new(big.Int).Sub(o.points[t][j], o.points[s][j])
		zero = zero && e.Sign() == 0
		r.A = append(r.A, e.Lsh(e, 1))
	}
	if !zero {
		return relation{row: r}
	}
	before := r.B.Sign() > 0 || (r.B.Sign() == 0 && s < t)
	return relation{always: before, never: !before}
}

// candidates goes through the cells of 1-NN without the bisectors between rows that both answer.
func (o *neighborsOracle) candidates(from int) {
	for _, s := range o.order {
		if !o.in.Query.reaches(from, o.in.Labels[s]) {
			continue
		}
		var rivals []int
		for t, label := range o.in.Labels {
			if !o.in.Query.reaches(from, label) {
				rivals = append(rivals, t)
			}
		}
		o.cell([]int{s}, rivals)
	}
}

// choose goes through all sets of k rows that contain members and, of the rows in
// order, others from next on.
func (o *neighborsOracle) choose(members []int, next, from int) {
	if len(members) == o.in.K {
		if o.in.Query.reaches(from, plurality(o.in.Labels, members)) {
			o.cell(members, o.others(members))
		}
		return
	}
	for ; next < len(o.order) && !o.hopeless(); next++ {
		o.choose(append(members[:len(members):len(members)], o.order[next]), next+1, from)
	}
}

func (o *neighborsOracle) others(members []int) []int {
	var others []int
	for t := range o.in.Rows {
		if !slices.Contains(members, t) {
			others = append(others, t)
		}
	}
	return others
}

// cell offers the set where all members come before all rivals: where a member comes first
// in the order of the rows, a tie is its own.
func (o *neighborsOracle) cell(members, rivals []int) {
	if rows, ok := o.bisectors(members, rivals); ok {
		o.offer(rows)
	}
}

// bisectors returns where all members come before all rivals, false if nowhere.
func (o *neighborsOracle) bisectors(members, rivals []int) (rows []oracle.Row, ok bool) {
	for _, s := range members {
		for _, t := range rivals {
			r := o.nearer[s][t]
			if r.never {
				return nil, false
			}
			if r.row.Firm = s < t; !r.always {
				rows = append(rows, r.row)
			}
		}
	}
	return rows, true
}

// plurality returns the smallest of the most frequent labels of the members.
func plurality(labels, members []int) int {
	votes := make([]int, slices.Max(labels)+1)
	for _, i := range members {
		votes[labels[i]]++
	}
	best := 0
	for label, n := range votes {
		if n > votes[best] {
			best = label
		}
	}
	return best
}
