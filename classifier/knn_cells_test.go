package classifier_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// subsets lists the subsets of {0, …, n−1} of size k in lexicographic order.
func subsets(n, k int) [][]int {
	var all [][]int
	var extend func(set []int, first int)
	extend = func(set []int, first int) {
		if len(set) == k {
			all = append(all, slices.Clone(set))
			return
		}
		for i := first; i < n; i++ {
			extend(append(set, i), i+1)
		}
	}
	extend(nil, 0)
	return all
}

// plausible reports whether no member of the set comes after an equal row outside.
func plausible(x [][]float64, set []int) bool {
	for _, p := range set {
		for q := range p {
			if slices.Equal(x[p], x[q]) && !slices.Contains(set, q) {
				return false
			}
		}
	}
	return true
}

// membership compares the members of a set with the other rows, seen from a point
// on the grid, where squared distances are exact: closed is that every member is at least
// as near, open that it is nearer, but for equal rows.
func membership(x [][]float64, set []int, z []float64) (closed, open bool) {
	squared := func(p []float64) (s float64) {
		for j, v := range p {
			s += (v - z[j]) * (v - z[j])
		}
		return s
	}
	closed, open = true, true
	for _, p := range set {
		for q := range x {
			if slices.Contains(set, q) {
				continue
			}
			dp, dq := squared(x[p]), squared(x[q])
			closed = closed && dp <= dq
			open = open && (dp < dq || slices.Equal(x[p], x[q]))
		}
	}
	return closed, open
}

// vote returns the label of a set.
func vote(y []int, set []int, classes int) int {
	votes := make([]int, classes)
	for _, i := range set {
		votes[y[i]]++
	}
	return slices.Index(votes, slices.Max(votes))
}

// nearest returns the k nearest rows, in ascending order, the earlier ones of equally
// near rows.
func nearest(x [][]float64, k int, z []float64) []int {
	squared, order := make([]float64, len(x)), make([]int, len(x))
	for i, p := range x {
		order[i] = i
		for j, v := range p {
			squared[i] += (v - z[j]) * (v - z[j])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(squared[a], squared[b]) })
	slices.Sort(order[:k])
	return order[:k]
}

// TestNeighborCellsTile goes through all cells of small sets: they are the subsets of k
// rows, in order, each with its vote. Each contains exactly the points for which its
// rows are the nearest, ties taken in the order of the rows, and strictly those
// without a tie. Coordinates are halves, so that the oracle does not round.
func TestNeighborCellsTile(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for trial := range racetest.Scale(400) {
		n, dim, classes := 1+rng.IntN(9), 1+rng.IntN(3), 1+rng.IntN(3)
		k := 1 + rng.IntN(min(n, 4))
		if trial%20 == 0 {
			k = n
		}
		fine := 2
		if trial%2 == 0 {
			fine = 1 << 10 // ties are rare
		}
		draw := func(r *rand.Rand) float64 { return float64(r.IntN(4*fine)) / float64(fine) }
		x, y := instance.DrawRows(rng, n, dim, classes, draw)
		c := knnOf(t, x, y, k)
		var sets [][]int
		for _, s := range subsets(n, k) {
			if plausible(x, s) {
				sets = append(sets, s)
			}
		}
		cells := slices.Collect(c.Cells())
		if len(cells) != len(sets) {
			t.Fatalf("trial %d: %d cells, want %d", trial, len(cells), len(sets))
		}
		for range 20 {
			z := make([]float64, dim)
			for j := range z {
				z[j] = draw(rng)
			}
			if rng.IntN(4) == 0 {
				copy(z, x[rng.IntN(n)])
			}
			inside, inOpen, tie := 0, 0, false
			for i, cell := range cells {
				closed, open := membership(x, sets[i], z)
				contains := cell.Region.Contains(z)
				if want := slices.Equal(sets[i], nearest(x, k, z)); contains != want {
					t.Fatalf("trial %d, cell of %v: Contains(%v) = %v, want %v; rows %v",
						trial, sets[i], z, contains, want, x)
				}
				if want := vote(y, sets[i], classes); cell.Label != want {
					t.Fatalf("trial %d, cell of %v: label = %d, want %d",
						trial, sets[i], cell.Label, want)
				}
				if contains {
					inside++
				}
				if open {
					inOpen++
					if got := c.Predict(z); got != cell.Label {
						t.Fatalf("trial %d: Predict(%v) = %d strictly inside a cell with label %d",
							trial, z, got, cell.Label)
					}
				}
				tie = tie || closed != open
			}
			if inside != 1 || (inOpen != 1 && !tie) || inOpen > 1 {
				t.Fatalf("trial %d: %v lies in %d cells, in the interior of %d, on a tie = %v",
					trial, z, inside, inOpen, tie)
			}
			at, err := c.CellAt(z)
			if err != nil {
				t.Fatal(err)
			}
			if !at.Region.Contains(z) || at.Label != c.Predict(z) {
				t.Fatalf("trial %d: CellAt(%v): contains it = %v, label %d, want %d",
					trial, z, at.Region.Contains(z), at.Label, c.Predict(z))
			}
		}
	}
}

// TestCellAtContainsItsPoint asks for the cells around rows, around points halfway
// between rows, and around any, at every scale and where distances round.
func TestCellAtContainsItsPoint(t *testing.T) {
	t.Parallel()
	for _, scale := range scales {
		t.Run(scale.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(6, uint64(len(scale.name))))
			for trial := range racetest.Scale(600) {
				n, dim := 2+rng.IntN(40), 1+rng.IntN(4)
				x, y := instance.DrawRows(rng, n, dim, 3, scale.draw)
				c := knnOf(t, x, y, 1+rng.IntN(min(n, 6)))
				z := make([]float64, dim)
				a, b := rng.IntN(n), rng.IntN(n)
				for j := range z {
					switch trial % 3 {
					case 0:
						z[j] = x[a][j]
					case 1:
						z[j] = x[a][j]/2 + x[b][j]/2
					default:
						z[j] = scale.draw(rng)
					}
				}
				cell, err := c.CellAt(z)
				if err != nil {
					t.Fatal(err)
				}
				if contains := cell.Region.Contains(z); !contains || cell.Label != c.Predict(z) {
					t.Fatalf("trial %d, k = %d: CellAt(%v): contains it = %v, label %d, want %d; "+
						"rows %v",
						trial, c.K(), z, contains, cell.Label, c.Predict(z), x)
				}
				// Within rounding of a tie the bisectors may say otherwise, but not by more.
				size := 0.0
				for j, v := range z {
					size = max(size, math.Abs(v), math.Abs(x[a][j]))
				}
				if got := geometry.In(polytope.LInf).Bound(cell.Region, z); got > 1e-14*size {
					t.Fatalf("trial %d, k = %d: CellAt(%v): %g outside; rows %v",
						trial, c.K(), z, got, x)
				}
			}
		})
	}
}
