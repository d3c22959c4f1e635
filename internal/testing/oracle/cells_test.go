package oracle

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

func TestCells1NNByHand(t *testing.T) {
	line := [][]float64{{0}, {4}, {10}}
	plane := [][]float64{{0, 0}, {2, 2}}
	tests := []struct {
		name   string
		x      [][]float64
		labels []int
		query  []float64
		goal   Goal
		box    Box
		want   [3]float64 // in ℓ∞, ℓ1, ℓ2
	}{
		{"line", line, []int{0, 1, 2}, []float64{1}, Except(0), Box{}, [3]float64{1, 1, 1}},
		{"line, target", line, []int{0, 1, 2}, []float64{1}, Exactly(2), Box{},
			[3]float64{6, 6, 6}},
		{"no such label", line, []int{0, 0, 0}, []float64{1}, Except(0), Box{},
			[3]float64{inf, inf, inf}},
		{"reached already", line, []int{0, 1, 2}, []float64{5}, Except(0), Box{},
			[3]float64{0, 0, 0}},
		{"plane", plane, []int{0, 1}, []float64{0, 0}, Except(0), Box{},
			[3]float64{1, 2, math.Sqrt2}},
		{"later duplicate", [][]float64{{0}, {4}, {4}}, []int{0, 0, 1}, []float64{1}, Except(0),
			Box{}, [3]float64{inf, inf, inf}},
		{"earlier duplicate", [][]float64{{0}, {4}, {4}}, []int{0, 1, 0}, []float64{1}, Except(0),
			Box{}, [3]float64{1, 1, 1}},
		{"box cuts the cell off", line, []int{0, 1, 2}, []float64{1}, Exactly(2),
			Box{[]float64{0}, []float64{6}}, [3]float64{inf, inf, inf}},
		{"box touches the cell", line, []int{0, 1, 2}, []float64{1}, Exactly(2),
			Box{[]float64{0}, []float64{7}}, [3]float64{inf, inf, inf}},
		{"box reaches the cell", line, []int{0, 1, 2}, []float64{1}, Exactly(2),
			Box{[]float64{0}, []float64{7.5}}, [3]float64{6, 6, 6}},
		{"box makes a detour", plane, []int{0, 1}, []float64{0, 0}, Except(0),
			Box{[]float64{-5, -5}, []float64{0.5, inf}}, [3]float64{1.5, 2, math.Sqrt(2.5)}},
		{"box fixes a coordinate", plane, []int{0, 1}, []float64{0, 0}, Except(0),
			Box{[]float64{0, -9}, []float64{0, 9}}, [3]float64{2, 2, 2}},
		{"query out of the box", plane, []int{0, 1}, []float64{0, 0}, Except(0),
			Box{[]float64{1, 3}, []float64{2, 4}}, [3]float64{3, 4, math.Sqrt(10)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, norm := range norms {
				dist := CellsKNN(norm, test.x, test.labels, 1, test.query, test.goal, test.box)
				if want := test.want[norm]; dist != want && !(math.Abs(dist-want) < 1e-12) {
					t.Errorf("norm %v: %v, want %v", norm, dist, want)
				}
			}
		})
	}
}

func TestCellsKNNByHand(t *testing.T) {
	line := [][]float64{{0}, {2}, {10}, {12}, {14}}
	tests := []struct {
		name   string
		x      [][]float64
		labels []int
		k      int
		query  []float64
		goal   Goal
		want   float64
	}{
		// Of 0, 2, 10 the point 0 is replaced by 12 at 6.
		{"majority", line, []int{0, 0, 1, 1, 1}, 3, []float64{1}, Except(0), 5},
		// A tie of the votes goes to label 0, until 2 is replaced by 12 at 7.
		{"tied vote", line, []int{1, 0, 1, 1, 1}, 2, []float64{1}, Except(0), 6},
		{"tied vote, other way", line, []int{0, 1, 0, 0, 0}, 2, []float64{7.5}, Except(0), inf},
		{"all points vote", line, []int{0, 0, 1, 1, 1}, 5, []float64{1}, Except(1), inf},
		{"all points vote and agree", line, []int{0, 0, 1, 1, 1}, 5, []float64{1}, Except(0), 0},
		// Points 2 and 3 are equal, so that 3 alone is never near: label 2 never wins.
		{"duplicates in order", [][]float64{{0}, {1}, {5}, {5}}, []int{0, 0, 1, 2}, 2, []float64{0},
			Exactly(2), inf},
		{"duplicates at first", [][]float64{{5}, {5}, {0}, {1}}, []int{1, 2, 0, 0}, 2, []float64{0},
			Exactly(1), 3},
		// {0, 2} is as near as {0, 1} and {1, 2} in the middle only: no interior.
		{"thin cell", [][]float64{{0}, {1}, {2}}, []int{1, 0, 1}, 2, []float64{1}, Exactly(1), inf},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, norm := range norms {
				dist := CellsKNN(norm, test.x, test.labels, test.k, test.query, test.goal, Box{})
				if dist != test.want && !(math.Abs(dist-test.want) < 1e-12) {
					t.Errorf("norm %v: %v, want %v", norm, dist, test.want)
				}
			}
		})
	}
}

// orders are those of the norms.
var orders = []float64{Inf: math.Inf(1), One: 1, Two: 2}

// cellsProblem is an input of CellsKNN.
type cellsProblem struct {
	x      [][]float64
	labels []int
	k      int
	query  []float64
	goal   Goal
	box    Box
}

func gridCells(r *rand.Rand, maxPoints, maxDim int) cellsProblem {
	d, n := 1+r.IntN(maxDim), 1+r.IntN(maxPoints)
	p := cellsProblem{k: 1 + r.IntN(min(n, 4)), query: gridVector(r, d), box: randomBox(r, d)}
	p.x, p.labels = gridPoints(r, n, d, 3)
	p.goal = Except(labelKNN(p.x, p.labels, p.k, p.query))
	if r.IntN(3) == 0 {
		p.goal = Exactly(r.IntN(3))
	}
	return p
}

// solve returns the distance of the nearest cell, and its nearest point, nil if there is none.
func (p cellsProblem) solve(norm Norm) (float64, []float64) {
	cost, at := Unpriced(norm, p.query, p.box).nearestCell(p.x, Plurality(p.labels), p.k, p.goal)
	return Float(norm, cost), rounded(at)
}

// TestCellsMatchTheClassifier compares with labelKNN, which knows no cells:
// random points of the box with a label of the goal are no nearer than the
// answer (unless it is a tie that labels them), and close to the answer there are such points.
func TestCellsMatchTheClassifier(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 20))
	for range racetest.Scale(300) {
		p := gridCells(r, 8, 3)
		for _, norm := range norms {
			dist, z := p.solve(norm)
			around := p.query
			if z != nil {
				around = z
			}
			reached := z == nil
			for i := range 400 {
				// The first points are anywhere, the others ever closer to z.
				w := p.box.clamp(append([]float64(nil), around...))
				floats.AddScaled(w, 6*math.Pow(10, -float64(i/50)), normalVector(r, len(w)))
				w = p.box.clamp(w)
				if !p.goal(labelKNN(p.x, p.labels, p.k, w)) || p.tied(w) {
					continue
				}
				reached = reached || floats.Distance(w, z, math.Inf(1)) < 1e-2
				if floats.Distance(w, p.query, orders[norm]) < dist-1e-9 {
					t.Fatalf("%v %+v: %v is nearer than %v", norm, p, w, z)
				}
			}
			if !reached {
				t.Fatalf("%v %+v: no point near %v has a label of the goal", norm, p, z)
			}
		}
	}
}

// tied tells whether the choice of the k nearest points is by the index of
// unequal points: w is in more than one cell, maybe in one without interior.
func (p cellsProblem) tied(w []float64) bool {
	order := byDistance(p.x, w)
	for _, i := range order[:p.k] {
		for _, j := range order[p.k:] {
			difference := squared(p.x[i], w) - squared(p.x[j], w)
			if math.Abs(difference) < 1e-9 && !slices.Equal(p.x[i], p.x[j]) {
				return true
			}
		}
	}
	return false
}

// clamp moves z into the box.
func (b Box) clamp(z []float64) []float64 {
	z = slices.Clone(z)
	for j := range b.Lo {
		z[j] = min(max(z[j], b.Lo[j]), b.Hi[j])
	}
	return z
}

// labelKNN returns the label that the k training points nearest to z vote for;
// of labels with equally many votes the smallest wins.
func labelKNN(x [][]float64, labels []int, k int, z []float64) int {
	return plurality(labels, byDistance(x, z)[:k])
}

// squared returns the squared distance.
func squared(x, z []float64) float64 {
	difference := floats.SubTo(make([]float64, len(x)), x, z)
	return floats.Dot(difference, difference)
}

// byDistance returns the indices of the training points from the nearest to the
// farthest; of equally near points the one with the smaller index is nearer.
// Distances are computed in float64, without error for data on a moderate grid.
func byDistance(x [][]float64, z []float64) []int {
	order, away := make([]int, len(x)), make([]float64, len(x))
	for i := range x {
		order[i], away[i] = i, squared(x[i], z)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(away[i], away[j]) })
	return order
}
