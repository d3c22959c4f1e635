package checkers

import (
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// lattice is a question about k nearest neighbours whose numbers are multiples of ½, in such units.
type lattice struct {
	rows   [][]int64
	labels []int
	k      int
	x      []int64
	lo, hi []int64 // of the domain; beyond the numbers of any row where it has no end
	norm   polytope.Norm
	target int // −1 for any but the label of x
}

// constraint is a·u ≤ b, or < b, for moves u from x.
type constraint struct {
	a      []int64
	b      int64
	strict bool
}

// faraway is where no question has rows.
const faraway = 4096

// from returns the label of x.
func (in *lattice) from() int {
	order := make([]int, len(in.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return int(in.square(i) - in.square(j)) })
	return in.vote(order[:in.k])
}

// square returns the squared distance of a row from x.
func (in *lattice) square(i int) (sum int64) {
	for j, v := range in.rows[i] {
		sum += (v - in.x[j]) * (v - in.x[j])
	}
	return sum
}

func (in *lattice) vote(members []int) int {
	votes := make([]int, len(in.labels)+1)
	for _, i := range members {
		votes[in.labels[i]]++
	}
	return slices.Index(votes, slices.Max(votes))
}

// infimum returns the distance from x of the inputs of the domain that have a label that answers,
// by going through all sets of k rows; in ℓ2 its square; nil if there is none.
func (in *lattice) infimum() (least *big.Rat) {
	from := in.from()
	for members := range subsets(len(in.rows), in.k) {
		label := in.vote(members)
		if label == from || in.target >= 0 && label != in.target {
			continue
		}
		cell := in.cell(members)
		if !holds(cell, len(in.x)) {
			continue
		}
		if d := in.distance(cell); least == nil || d.Cmp(least) < 0 {
			least = d
		}
	}
	return least
}

// cell returns the inputs of the domain whose k nearest rows are these.
func (in *lattice) cell(members []int) (cell []constraint) {
	for _, p := range members {
		for q := range in.rows {
			if slices.Contains(members, q) {
				continue
			}
			c := constraint{make([]int64, len(in.x)), in.square(q) - in.square(p), q < p}
			for j := range c.a {
				c.a[j] = 2 * (in.rows[q][j] - in.rows[p][j])
			}
			cell = append(cell, c)
		}
	}
	for j := range in.x {
		cell = append(cell, limit(len(in.x), j, 1, in.hi[j]-in.x[j]),
			limit(len(in.x), j, -1, in.x[j]-in.lo[j]))
	}
	return cell
}

// limit is sign·u_j ≤ b.
func limit(dim, j int, sign, b int64) constraint {
	c := constraint{a: make([]int64, dim), b: b}
	c.a[j] = sign
	return c
}

// holds reports whether some point satisfies all constraints, which leave a bounded set. Each that
// is strict has to hold strictly at some vertex of the closure: the mean of these vertices then
// satisfies all.
func holds(all []constraint, dim int) bool {
	kept, any := make([]bool, len(all)), false
	for u, den := range vertices(all, dim) {
		any = true
		for i, c := range all {
			kept[i] = kept[i] || !c.strict || dot(c.a, u) < c.b*den
		}
	}
	return any && !slices.Contains(kept, false)
}

// distance returns that of the closure of a cell.
func (in *lattice) distance(cell []constraint) (least *big.Rat) {
	dim := len(in.x)
	offer := func(num, den int64) {
		if d := big.NewRat(num, den); least == nil || d.Cmp(least) < 0 {
			least = d
		}
	}
	if in.norm == polytope.L2 {
		for u, den := range projections(cell, dim) {
			offer(dot(u, u), 4*den*den)
		}
		return least
	}
	var high []constraint // with a coordinate more, which is at least the length
	for _, c := range cell {
		high = append(high, constraint{append(slices.Clone(c.a), 0), c.b, false})
	}
	for _, a := range in.faces() {
		high = append(high, constraint{append(a, -1), 0, false})
	}
	for u, den := range vertices(high, dim+1) {
		offer(u[dim], 2*den)
	}
	return least
}

// faces returns the vectors a of which the length of u is the greatest a·u.
func (in *lattice) faces() (faces [][]int64) {
	dim := len(in.x)
	if in.norm == polytope.LInf {
		for j := range dim {
			faces = append(faces, limit(dim, j, 1, 0).a, limit(dim, j, -1, 0).a)
		}
		return faces
	}
	for signs := range 1 << dim {
		a := make([]int64, dim)
		for j := range a {
			a[j] = int64(signs>>j&1)*2 - 1
		}
		faces = append(faces, a)
	}
	return faces
}

// vertices yields the points, as numerators and a denominator, where dim independent constraints
// hold with equality and all others hold or have equality.
func vertices(all []constraint, dim int) func(yield func(u []int64, den int64) bool) {
	return func(yield func(u []int64, den int64) bool) {
		for some := range subsets(len(all), dim) {
			matrix := make([][]int64, dim)
			for i, n := range some {
				matrix[i] = append(slices.Clone(all[n].a), all[n].b)
			}
			if u, den := solution(matrix); den > 0 && within(all, u, den) && !yield(u, den) {
				return
			}
		}
	}
}

// projections yields the points nearest to 0 of the planes of independent constraints that satisfy
// all constraints.
func projections(all []constraint, dim int) func(yield func(u []int64, den int64) bool) {
	return func(yield func(u []int64, den int64) bool) {
		for size := range dim + 1 {
			for some := range subsets(len(all), size) {
				gram := make([][]int64, size)
				for i, n := range some {
					for _, m := range some {
						gram[i] = append(gram[i], dot(all[n].a, all[m].a))
					}
					gram[i] = append(gram[i], all[n].b)
				}
				weights, den := solution(gram)
				u := make([]int64, dim)
				for i, n := range some {
					for j := range u {
						u[j] += weights[i] * all[n].a[j]
					}
				}
				if den > 0 && within(all, u, den) && !yield(u, den) {
					return
				}
			}
		}
	}
}

func within(all []constraint, u []int64, den int64) bool {
	for _, c := range all {
		if dot(c.a, u) > c.b*den {
			return false
		}
	}
	return true
}

func dot(a, b []int64) (sum int64) {
	for j, v := range a {
		sum += v * b[j]
	}
	return sum
}

// solution solves equations, in integers: each division is exact (Bareiss). The denominator is 0
// where there is not one solution.
func solution(m [][]int64) (u []int64, den int64) {
	n, last := len(m), int64(1)
	u = make([]int64, n)
	for c := range n {
		p := slices.IndexFunc(m[c:], func(row []int64) bool { return row[c] != 0 })
		if p < 0 {
			return u, 0
		}
		m[c], m[c+p] = m[c+p], m[c]
		for i := range m {
			if i == c {
				continue
			}
			factor := m[i][c]
			for j := range m[i] {
				m[i][j] = (m[i][j]*m[c][c] - factor*m[c][j]) / last
			}
		}
		last = m[c][c]
	}
	for i := range u {
		u[i] = m[i][n]
		if last < 0 {
			u[i] = -u[i]
		}
	}
	return u, max(last, -last)
}

// subsets yields the sets of so many of the numbers below n, which ascend.
func subsets(n, size int) func(yield func(some []int) bool) {
	return func(yield func(some []int) bool) {
		some := make([]int, size)
		var choose func(at, least int) bool
		choose = func(at, least int) bool {
			if at == size {
				return yield(some)
			}
			for some[at] = least; some[at] <= n-size+at; some[at]++ {
				if !choose(at+1, some[at]+1) {
					return false
				}
			}
			return true
		}
		choose(0, 0)
	}
}

// float returns the greatest float64 that is no more than the infimum.
func (in *lattice) float(infimum *big.Rat) float64 {
	if infimum == nil {
		return math.Inf(1)
	}
	v, _ := infimum.Float64()
	if in.norm == polytope.L2 {
		v = math.Sqrt(v)
	}
	for v = math.Nextafter(v, math.Inf(1)); ; v = math.Nextafter(v, 0) {
		r := new(big.Rat).SetFloat64(v)
		if in.norm == polytope.L2 {
			r.Mul(r, r)
		}
		if r.Cmp(infimum) <= 0 {
			return v
		}
	}
}
