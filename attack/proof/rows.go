package proof

import (
	"math"
	"slices"
)

// rowBody checks the body of a proof about nearest neighbours.
type rowBody struct {
	*checker
	*table
	seats, spare int
	squares      []float64 // of each row: its squared distance from x, rounded
	near         []int32   // rivals
	member       []bool    // by row: of the side, and not crowded

	pivot   int32
	within  []int32    // rows of the side that may come before the pivot
	decided []uint8    // by row
	decides [kinds]int // how many rows each kind of decision is about
}

// checkRows checks that no row of the side is the pivot.
func (c *checker) checkRows() {
	n := len(c.m.table.labels)
	b := &rowBody{checker: c, table: c.m.table, squares: make([]float64, n), member: make([]bool, n), decided: make([]uint8, n)}
	if !b.quota() {
		return
	}
	for i := range b.squares {
		b.squares[i] = b.square(int32(i), c.X)
	}
	b.expect("near")
	b.near = b.list(func(r int32) bool { return !b.ours(r) })
	b.unlist(b.near)
	for p := range b.member {
		b.member[p] = b.ours(int32(p)) && !b.crowded(int32(p))
	}
	next := 0 // the first row that may be a pivot
	for b.has("pivot") {
		p := b.integer(n)
		if p < next || !b.member[p] {
			b.fail("row %d is crowded, has a label that does not answer, or does not follow the pivot before", p)
		}
		b.alone(next, p)
		b.checkPivot(int32(p))
		next = p + 1
	}
	b.alone(next, n)
}

// alone makes sure that no row from one to another can be the pivot: too few can come before it.
func (b *rowBody) alone(from, to int) {
	for p := from; p < to; p++ {
		if b.member[p] && len(b.mayPrecede(int32(p), b.seats-1)) >= b.seats-1 {
			b.fail("row %d may be the pivot, and has no tree", p)
		}
	}
}

// mayPrecede returns the other rows of the side that may be as near as row p, at most so many.
func (b *rowBody) mayPrecede(p int32, most int) (rows []int32) {
	for q := range int32(len(b.member)) {
		if len(rows) < most && q != p && b.member[q] && !b.far(q, p) {
			rows = append(rows, q)
		}
	}
	return rows
}

func (b *rowBody) ours(row int32) bool { return b.answers(b.labels[row]) }

// quota computes how many rows of the side an answer needs, and reports whether there can be one.
func (b *rowBody) quota() bool {
	side, others := 0, func(votes int) (sum int) { // votes that other labels can have while the target wins with so many
		for label, n := range b.count {
			switch {
			case label > b.Target:
				sum += min(n, votes)
			case label < b.Target:
				sum += min(n, votes-1)
			}
		}
		return sum
	}
	b.seats = b.k + 1
	for label, n := range b.count {
		if b.answers(label) {
			side += n
		}
		if b.Target < 0 && label != b.From && n > 0 {
			tie := 0 // how many votes more than from's the label needs
			if b.From < label {
				tie = 1
			}
			b.seats = min(b.seats, b.k-min((b.k-tie)/2, n-tie))
		}
	}
	if b.Target >= 0 {
		for b.seats = 1; b.seats <= side && others(b.seats) < b.k-b.seats; {
			b.seats++
		}
	}
	b.spare = b.k - b.seats
	return b.seats <= min(b.k, side)
}

// far reports whether "row p at least as near as row q" lies at the bound or farther.
func (b *rowBody) far(p, q int32) bool {
	// At x itself row p is nearer, for sure.
	if u, v := b.squares[p], b.squares[q]; u < v && b.differ(u, v) {
		return false
	}
	return b.contradict(b.asNear(p, q))
}

// asNear is the half-space where row p is at least as near as row q: nothing, if both are at one place and q comes first.
func (t *table) asNear(p, q int32) half {
	h := half{p: t.row(p), q: t.row(q)}
	if p > q && slices.Equal(h.p, h.q) {
		h.t = -1
	}
	return h
}

// crowded reports whether too many rivals come before a row, wherever in the ball.
func (b *rowBody) crowded(p int32) bool {
	room := b.spare
	for _, r := range b.near {
		if room >= 0 && b.far(p, r) {
			room--
		}
	}
	return room < 0
}

// square returns the squared distance of row i from z, rounded.
func (t *table) square(i int32, z []float64) (sum float64) {
	for j, v := range t.row(i) {
		sum += float64((v - z[j]) * (v - z[j]))
	}
	return sum
}

// differ reports whether two squares that were rounded differ for sure, and in the same sense as without rounding.
func (t *table) differ(u, v float64) bool {
	// Each square has three roundings, their sum one more for each feature.
	return math.Abs(u-v) > (u+v)*float64(t.dim+8)*0x1p-51+0x1p-900
}

// vote returns the label of z: exact distances, then row numbers, decide who is nearer.
func (t *table) vote(z []float64) int {
	squares := make([]float64, len(t.labels))
	for i := range squares {
		squares[i] = t.square(int32(i), z)
	}
	nearer := func(p, q int32) bool {
		if u, v := squares[p], squares[q]; t.differ(u, v) {
			return u < v
		}
		gaps := [2][]number{make([]number, t.dim), make([]number, t.dim)}
		for side, i := range []int32{p, q} {
			for j, v := range t.row(i) {
				gaps[side][j] = minus(exact(v), exact(z[j]))
			}
		}
		c := norm("2").power(gaps[0]).Cmp(norm("2").power(gaps[1]))
		return c < 0 || (c == 0 && p < q)
	}
	nearest := make([]int32, 0, t.k+1) // in order
	for i := range int32(len(t.labels)) {
		at := len(nearest)
		for at > 0 && nearer(i, nearest[at-1]) {
			at--
		}
		if nearest = slices.Insert(nearest, at, i); len(nearest) > t.k {
			nearest = nearest[:t.k]
		}
	}
	return t.winner(nearest)
}

// winner returns the label that most rows have.
func (t *table) winner(rows []int32) int {
	votes := make([]int, t.classes)
	for _, i := range rows {
		votes[t.labels[i]]++
	}
	return argmax(votes)
}
