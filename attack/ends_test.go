package attack_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// endsCase is a k-NN problem whose rows tie at an end of the domain.
type endsCase struct {
	instance.Neighbors
	k        int
	weighted bool
}

func (in endsCase) classifier(t *testing.T) classifier.Classifier {
	t.Helper()
	if !in.weighted {
		return in.KNN(t, in.k)
	}
	o := classifier.KNNOptions{K: in.k}
	c, err := classifier.TrainWeightedKNN(t.Context(), instance.Dense(in.X), in.Y, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestEndsOfDomains: an end of the domain is an input like any other. Where the only inputs that
// answer are ties at an end, which the order of the rows decides, they are examples.
func TestEndsOfDomains(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	right := polytope.Box{{Lo: 0, Hi: 5}}
	line := func(v ...float64) (x [][]float64) {
		for _, e := range v {
			x = append(x, []float64{e})
		}
		return x
	}
	tests := []struct {
		name string
		in   endsCase
		want float64 // in ℓ∞
	}{
		{"the earlier row answers", endsCase{instance.Neighbors{
			X: line(-1, 1), Y: []int{1, 0},
			Query: []float64{1}, Box: right}, 1, false}, 1},
		{"the later row answers", endsCase{instance.Neighbors{
			X: line(1, -1), Y: []int{0, 1},
			Query: []float64{1}, Box: right}, 1, false}, inf},
		{"an open end", endsCase{instance.Neighbors{
			X: line(-1, 1), Y: []int{1, 0},
			Query: []float64{1}, Box: polytope.Box{{LoOpen: true, Hi: 5}}}, 1, false}, inf},
		{"an upper end", endsCase{instance.Neighbors{
			X: line(3, 1), Y: []int{1, 0},
			Query: []float64{1}, Box: polytope.Box{{Lo: -5, Hi: 2}}}, 1, false}, 1},
		{"a target", endsCase{instance.Neighbors{
			X: line(-1, 1, 9), Y: []int{2, 0, 1},
			Query: []float64{1}, Box: right, Target: new(2)}, 1, false}, 1},
		{"weights of one row", endsCase{instance.Neighbors{
			X: line(-1, 1), Y: []int{1, 0},
			Query: []float64{1}, Box: right}, 1, true}, 1},
		{"weights that tie", endsCase{instance.Neighbors{
			X: line(1, -1), Y: []int{1, 0},
			Query: []float64{1}, Box: right}, 2, true}, 1},
		{"three neighbors", endsCase{instance.Neighbors{
			X: line(-2, 2, -1, 1, 0), Y: []int{1, 0, 1, 0, 0},
			Query: []float64{2}, Box: right}, 3, false}, inf},
		{"three neighbors, two of them to the left", endsCase{instance.Neighbors{
			X: line(-1, -1, 1, 1, 9), Y: []int{1, 1, 0, 0, 0},
			Query: []float64{2}, Box: right,
		}, 3, false}, 2},
		{"a corner", endsCase{instance.Neighbors{
			X: [][]float64{{-1, -1}, {1, 1}}, Y: []int{1, 0},
			Query: []float64{1, 2}, Box: polytope.Cube(2, 0, 5),
		}, 1, false}, 2},
		{"an edge", endsCase{instance.Neighbors{
			X: [][]float64{{-1, 3}, {1, 3}}, Y: []int{1, 0},
			Query: []float64{1, 2}, Box: polytope.Cube(2, 0, 5),
		}, 1, false}, 1},
		{"an edge whose nearest point an earlier row holds", endsCase{instance.Neighbors{
			X: [][]float64{{0, 1}, {-1, 3}, {1, 3}}, Y: []int{0, 1, 0},
			Query: []float64{1, 1}, Box: polytope.Cube(2, 0, 5),
		}, 1, false}, 1.25},
		{"a flat domain", endsCase{instance.Neighbors{
			X: [][]float64{{-1, 3, 0}, {1, 3, 0}}, Y: []int{1, 0},
			Query: []float64{1, 2, 7}, Box: polytope.Box{{Hi: 5}, {Lo: 2, Hi: 2}, {Lo: 7, Hi: 9}},
		}, 1, false}, 1},
		{"ties that meet in one point", endsCase{instance.Neighbors{
			X: [][]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}, Y: []int{1, 1, 0, 2},
			Query: []float64{0, 2}, Target: new(1),
			Box: polytope.Box{{Lo: -1, Hi: 1}, {Lo: 0, Hi: 9}},
		}, 2, false}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.in.classifier(t)
			o := attack.Options{Domain: tt.in.Box, Target: tt.in.Target, Workers: 1}
			a := &attack.RegionBased{Classifier: c, Options: o}
			r, err := a.Perturb(t.Context(), tt.in.Query)
			if err == nil && !tt.in.weighted {
				err = instance.CheckExact(t, c, polytope.LInf, tt.in.Query, r, tt.want)
			}
			none := math.IsInf(tt.want, 1)
			if err != nil || r.Bound > tt.want || r.Bound < tt.want-1e-8 ||
				(r.Example == nil) != none {
				t.Errorf("%+v, %v, want %v", r, err, tt.want)
			}
			for _, radius := range []float64{tt.want * 0.99, tt.want * 1.01, 4} {
				if math.IsInf(radius, 1) {
					continue
				}
				robust, err := verdictAt(t.Context(), a, tt.in.Query, radius)
				if err != nil || (robust == attack.Holds) != (radius < tt.want) {
					t.Errorf("RobustAt(%v) = %v, %v", radius, robust, err)
				}
			}
		})
	}
}

// drawEnds draws rows on a grid and a domain whose ends lie between them, so that many of them tie
// there.
func drawEnds(rng *rand.Rand) endsCase {
	dim, n := 1+rng.IntN(3), 2+rng.IntN(5)
	in := endsCase{k: 1 + 2*rng.IntN(2)}
	if rng.IntN(4) == 0 {
		in.k = 2
	}
	n = max(n, in.k)
	whole := func(least, most int) float64 { return float64(least + rng.IntN(most-least+1)) }
	for range n {
		p := make([]float64, dim)
		for j := range p {
			p[j] = whole(-2, 2)
		}
		in.X, in.Y = append(in.X, p), append(in.Y, rng.IntN(2+rng.IntN(2)))
	}
	for range dim {
		i := polytope.Interval{Lo: whole(-1, 1), Hi: whole(2, 4)}
		switch rng.IntN(8) {
		case 0:
			i = polytope.Line()
		case 1:
			i.Hi = i.Lo
		case 2:
			i.Lo, i.Hi = -i.Hi, -i.Lo
		}
		in.Box = append(in.Box, i)
		in.Query = append(in.Query, whole(-2, 4))
	}
	for i := range in.X { // some rows on the other side of an end mirror others
		if j := rng.IntN(dim); rng.IntN(2) == 0 && !math.IsInf(in.Box[j].Lo, 0) {
			p := slices.Clone(in.X[rng.IntN(n)])
			p[j] = 2*in.Box[j].Lo - p[j]
			in.X[i] = p
		}
	}
	if rng.IntN(4) == 0 {
		in.Target = new(rng.IntN(3))
	}
	return in
}

// TestTiesAtEnds compares bounds with exact arithmetic, and with a lattice of inputs of the domain
// at which Predict answers with neighbours that inputs beside it have as well, in the domain or
// not.
func TestTiesAtEnds(t *testing.T) {
	t.Parallel()
	compared, ends, undecided := 0, 0, 0
	for number := range uint64(instance.Count(350, 100000)) {
		rng := rand.New(rand.NewPCG(number, 2025))
		in := drawEnds(rng)
		c := in.KNN(t, in.k)
		goal, ok := in.Goal(c)
		if !ok {
			continue
		}
		compared++
		norm := instance.Norms()[number%3]
		o := attack.Options{Norm: norm, Domain: in.Box, Target: in.Target, Workers: 1}
		a := &attack.RegionBased{Classifier: c, Options: o}
		if number%4 == 0 {
			a.Classifier = instance.Listed{Decomposable: c}
		}
		r, err := a.Perturb(t.Context(), in.Query)
		if err != nil {
			t.Fatalf("instance %d: %v\n%+v", number, err, in)
		}
		truth := in.truth(norm, goal)
		tol := 1e-9 * max(1, truth)
		if in.k == 1 && in.flat() && r.Example != nil {
			truth = min(truth, r.Distance) // which may be that of a cell without volume
		}
		switch {
		case r.Bound > truth*(1+1e-15), r.Bound < truth-tol, r.Optimal() && r.Distance > truth+tol,
			math.IsInf(truth, 1) && !r.Optimal(), r.Distance < truth-tol,
			r.Example != nil && (!goal(c.Predict(r.Example)) || !in.Box.Contains(r.Example)):
			t.Fatalf("instance %d: %+v, want %v\n%+v", number, r, truth, in)
		case !r.Optimal():
			undecided++
		}
		if nearest := in.lattice(norm, goal); nearest < r.Bound {
			t.Fatalf("instance %d: %+v, an input at %v answers\n%+v", number, r, nearest, in)
		} else if nearest < math.Inf(1) && !in.open(norm, goal, truth) {
			ends++
		}
		for _, radius := range []float64{truth * 0.9, truth * 1.1} {
			if radius == 0 || math.IsInf(radius, 1) {
				continue
			}
			robust, err := verdictAt(t.Context(), a, in.Query, radius)
			if robust == attack.Undecided && err == nil {
				continue
			}
			if err != nil || (robust == attack.Holds) != (radius < truth) {
				t.Fatalf("instance %d: RobustAt(%v) = %v, %v, the truth is %v\n%+v",
					number, radius, robust, err, truth, in)
			}
		}
		if a.Classifier == classifier.Classifier(c) && r.Bound > 0 {
			saved(t, c).prove(t, a.Options, in.Query)
		}
	}
	if t.Logf("%d compared, %d undecided", compared, undecided); ends < min(10, compared/60) ||
		undecided > compared/20 {
		t.Errorf("%d with answers at ends alone, of %d %d undecided", ends, compared, undecided)
	}
}

// truth returns the exact infimum.
func (in endsCase) truth(norm polytope.Norm, goal oracle.Goal) float64 {
	squared := in.priced(norm, in.Box).KNN(in.X, in.Y, in.k, goal)
	if squared == nil {
		return math.Inf(1)
	}
	v, _ := new(big.Float).SetPrec(200).SetRat(squared).Float64()
	if norm == polytope.L2 {
		v, _ = new(big.Float).Sqrt(new(big.Float).SetPrec(200).SetRat(squared)).Float64()
	}
	return v
}

func (in endsCase) priced(norm polytope.Norm, box polytope.Box) oracle.Ruled {
	return instance.Priced(norm, in.Query, make([]attack.Feature, len(in.Query)), box)
}

// open reports whether the infimum is that of a domain that is a little smaller, too.
func (in endsCase) open(norm polytope.Norm, goal oracle.Goal, truth float64) bool {
	inner := in
	inner.Box = slices.Clone(in.Box)
	for j, i := range inner.Box {
		if i.Lo < i.Hi {
			inner.Box[j].Lo, inner.Box[j].Hi = i.Lo+0x1p-30, i.Hi-0x1p-30
		}
	}
	return inner.truth(norm, goal) < truth+1e-6
}

// flat reports whether the domain leaves some feature one value.
func (in endsCase) flat() bool {
	return slices.ContainsFunc(in.Box, func(i polytope.Interval) bool { return i.Lo == i.Hi })
}

// lattice returns the least distance of the points of a lattice within the domain that answer and
// count.
func (in endsCase) lattice(norm polytope.Norm, goal oracle.Goal) float64 {
	least := math.Inf(1)
	z := make([]float64, len(in.Query))
	var visit func(j int)
	visit = func(j int) {
		if j < len(z) {
			for v := max(in.Box[j].Lo, -3); v <= min(in.Box[j].Hi, 4); v += 0.5 {
				z[j] = v
				visit(j + 1)
			}
			return
		}
		if d := norm.Distance(in.Query, z); d < least {
			if near := in.neighbors(z); goal(plurality(in.Y, near)) && in.beside(z, near) {
				least = d
			}
		}
	}
	visit(0)
	return least
}

// neighbors returns the k rows nearest to z, in order of their numbers.
func (in endsCase) neighbors(z []float64) []int {
	order, _ := in.byDistance(z)
	near := slices.Clone(order[:in.k])
	slices.Sort(near)
	return near
}

func (in endsCase) byDistance(z []float64) (order []int, square []float64) {
	for i, p := range in.X {
		d := 0.0
		for j, e := range p {
			d += (e - z[j]) * (e - z[j])
		}
		order, square = append(order, i), append(square, d)
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case square[i] < square[j]:
			return -1
		case square[i] > square[j]:
			return 1
		}
		return 0
	})
	return order, square
}

// beside reports whether some input near z, of the affine hull of the domain, has these neighbours
// and no tie.
func (in endsCase) beside(z []float64, near []int) bool {
	rng := rand.New(rand.NewPCG(1, 1))
	v := make([]float64, len(z))
	for range 40 {
		for j, e := range z {
			if v[j] = e; in.Box[j].Lo < in.Box[j].Hi {
				v[j] += float64(rng.IntN(2001)-1000) * 0x1p-24
			}
		}
		order, square := in.byDistance(v)
		if in.k < len(order) {
			last, next := order[in.k-1], order[in.k]
			if square[last] == square[next] && !in.coincide(last, next) {
				continue
			}
		}
		if slices.Equal(in.neighbors(v), near) {
			return true
		}
	}
	return false
}

// coincide reports whether two rows are the same as seen from the affine hull of the domain.
func (in endsCase) coincide(p, q int) bool {
	for j, i := range in.Box {
		if i.Lo < i.Hi && in.X[p][j] != in.X[q][j] {
			return false
		}
	}
	return true
}

func plurality(labels, members []int) int {
	votes := make([]int, 3)
	for _, i := range members {
		votes[labels[i]]++
	}
	return slices.Index(votes, slices.Max(votes))
}

// TestNeighborsOnALattice: data of whole numbers ties at whole and half numbers. None of those
// that lie nearer than Bound, or in any place where there is no answer, has another label.
func TestNeighborsOnALattice(t *testing.T) {
	for _, dim := range []int{2, 3} {
		for _, k := range []int{1, 2, 3, 5} {
			for _, frozen := range []bool{false, true} {
				t.Run(fmt.Sprintf("d=%d/k=%d/frozen=%t", dim, k, frozen), func(t *testing.T) {
					t.Parallel()
					proven, rows := 0, racetest.Scale(800)
					for number := range uint64(rows) {
						if latticeRow(t, number, dim, k, frozen) {
							proven++
						}
					}
					if proven < rows*99/100 {
						t.Errorf("%d of %d proven with an example, or without any", proven, rows)
					}
				})
			}
		}
	}
}

const latticeSide = 9

// latticeRow draws rows of whole numbers and attacks one, and reports whether that is proven.
func latticeRow(t *testing.T, number uint64, dim, k int, frozen bool) (proven bool) {
	rng := rand.New(rand.NewPCG(number, uint64(100*dim+k)))
	const n = 60
	x, y := mat.NewDense(n, dim, nil), make([]int, n)
	for i := range y {
		for j := range dim {
			x.Set(i, j, float64(rng.IntN(latticeSide+1)))
		}
		y[i] = rng.IntN(2)
	}
	c, err := classifier.TrainKNN(t.Context(), x, y, classifier.KNNOptions{K: k})
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float64, dim)
	for j := range row {
		row[j] = float64(rng.IntN(latticeSide + 1))
	}
	options := attack.Options{Norm: polytope.Norm(rng.IntN(3)), Workers: 1}
	if frozen {
		options.Features = make([]attack.Feature, dim)
		options.Features[dim-1].Frozen = true
	}
	a := &attack.RegionBased{Classifier: c, Options: options}
	r, err := a.Perturb(t.Context(), row)
	if err != nil {
		t.Fatalf("row %d: %v", number, err)
	}
	label := c.Predict(row)
	z := make([]float64, dim)
	var visit func(j int)
	visit = func(j int) {
		if j == dim {
			if d := options.Norm.Distance(row, z); d < r.Bound && c.Predict(z) != label {
				t.Fatalf("row %d, %v, norm %v: %v at %v has label %d, bound %v, %v",
					number, row, options.Norm, z, d, c.Predict(z), r.Bound, r.Status)
			}
			return
		}
		if frozen && j == dim-1 {
			z[j] = row[j]
			visit(j + 1)
			return
		}
		for v := -1.0; v <= latticeSide+1; v += 0.5 {
			if math.Abs(v-row[j]) < r.Bound {
				z[j] = v
				visit(j + 1)
			}
		}
	}
	visit(0)
	return r.Optimal()
}

// TestTiesAtTheEndOfADomain: the only input of the domain with another label is one at which rows
// tie, be it at the end of a domain or all of it.
func TestTiesAtTheEndOfADomain(t *testing.T) {
	rows := [][]float64{{2.5, 3.5}, {2.5, .5}, {3.5, .5}, {2, 2}, {1.5, 1}, {0, 3}, {3, 1.5}}
	c, err := classifier.TrainKNN(t.Context(), instance.Dense(rows), []int{1, 0, 0, 0, 0, 0, 1},
		classifier.KNNOptions{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	x, tie := []float64{1.75, 2.25}, []float64{3.75, 2.25}
	if c.Predict(x) != 0 || c.Predict(tie) != 1 {
		t.Fatalf("labels %d and %d, want 0 and 1", c.Predict(x), c.Predict(tie))
	}
	for _, lo := range []float64{-1, 3.75} {
		a := &attack.RegionBased{Classifier: c, Options: attack.Options{
			Domain: polytope.Box{{Lo: lo, Hi: 3.75}, {Lo: 2.25, Hi: 2.25}},
		}}
		r, err := a.Perturb(t.Context(), x)
		if err == nil {
			err = instance.CheckExact(t, c, polytope.LInf, x, r, 2)
		}
		if err != nil || !slices.Equal(r.Example, tie) {
			t.Errorf("from %v on: %+v, %v, want %v", lo, r, err, tie)
		}
		if v, err := verdictAt(t.Context(), a, x, 3); err != nil || v != attack.Refuted {
			t.Errorf("from %v on: RobustAt(3) = %v, %v", lo, v, err)
		}
	}
}
