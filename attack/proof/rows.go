package proof

import "slices"

// rowBody checks the body of a proof about nearest neighbours.
type rowBody struct {
	*checker
	*table
	seats, spare int
	squares      []num  // of the rows' distances from x
	member       []bool // by row: of the side, and not crowded

	pivot   int32
	within  []bool  // by row: rows of the side that may come before the pivot
	decided []uint8 // by row
	decides [kinds]int
}

// checkRows checks that no row of the side is the pivot.
func (c *checker) checkRows() {
	n := len(c.m.table.labels)
	b := &rowBody{checker: c, table: c.m.table, squares: c.m.table.squares(c.X), member: make([]bool, n), decided: make([]uint8, n)}
	if !b.quota() {
		return
	}
	b.expect("near")
	near := b.list(func(r int32) bool { return !b.ours(r) })
	b.unlist(near)
	for p := range b.member {
		crowd := 0 // rivals that come before the row, wherever in the ball
		for i := 0; i < len(near) && crowd <= b.spare && b.ours(int32(p)); i++ {
			if b.far(int32(p), near[i]) {
				crowd++
			}
		}
		b.member[p] = b.ours(int32(p)) && crowd <= b.spare
	}
	next := 0 // the first row that may be a pivot
	for b.has("pivot") {
		p := b.integer(n)
		b.demand(p >= next && b.member[p], "row %d is crowded, has a label that does not answer, or does not follow the pivot before", p)
		b.lonely(next, p)
		b.checkPivot(int32(p))
		next = p + 1
	}
	b.lonely(next, n)
}

// lonely makes sure that no row from one to another can be the pivot: too few can come before it.
func (b *rowBody) lonely(from, to int) {
	for p := from; p < to; p++ {
		if b.member[p] && len(b.mayPrecede(int32(p), b.seats-1)) >= b.seats-1 {
			b.demand(false, "row %d may be the pivot, and has no tree", p)
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
	side, most := 0, -1
	for label, n := range b.count {
		if b.answers(label) && n > 0 {
			tie := 0 // how many votes more than from's the label needs
			if b.From < label {
				tie = 1
			}
			side, most = side+n, max(most, min((b.k-tie)/2, n-tie))
		}
	}
	b.seats = b.k - most
	if b.Target >= 0 {
		for b.seats = 1; b.seats <= side && b.others(b.seats) < b.k-b.seats; {
			b.seats++
		}
	}
	b.spare = b.k - b.seats
	return b.seats <= min(b.k, side)
}

// others returns how many votes other labels can have while the target wins with so many.
func (b *rowBody) others(votes int) (sum int) {
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

// far reports whether "row p at least as near as row q" lies at the bound or farther. It does not if x itself is there.
func (b *rowBody) far(p, q int32) bool {
	side, sure := b.squares[p].minus(b.squares[q]).sign()
	return (side > 0 || !sure) && b.contradict(b.asNear(p, q))
}

// asNear is the half-space where row p is at least as near as row q: nothing, if both are at one place and q comes first.
func (t *table) asNear(p, q int32) half {
	h := half{p: t.row(p), q: t.row(q)}
	if p > q && slices.Equal(h.p, h.q) {
		h.t = -1
	}
	return h
}

// squares returns the squared distances of all rows from z, in floating point: each square has three roundings, their sum
// of d of them d more.
func (t *table) squares(z []float64) []num {
	all := make([]num, len(t.labels))
	for i := range all {
		sum := 0.0
		for j, v := range t.row(int32(i)) {
			sum += float64((v - z[j]) * (v - z[j]))
		}
		all[i] = near(sum, sum*float64(t.dim+8)*0x1p-52)
	}
	return all
}

// vote returns the label of z: exact distances, then row numbers, decide who is nearer.
func (t *table) vote(z []float64) int {
	squares := t.squares(z)
	nearer := func(p, q int32) bool {
		s, sure := squares[p].minus(squares[q]).sign()
		if !sure {
			var u, v num
			for j := range z {
				a, b := exact(t.row(p)[j]).minus(exact(z[j])), exact(t.row(q)[j]).minus(exact(z[j]))
				u, v = u.plus(a.times(a)), v.plus(b.times(b))
			}
			s = u.cmp(v)
		}
		return s < 0 || s == 0 && p < q
	}
	var nearest []int32 // in order
	for i := range int32(len(t.labels)) {
		place := len(nearest)
		for place > 0 && nearer(i, nearest[place-1]) {
			place--
		}
		nearest = slices.Insert(nearest, place, i)
		nearest = nearest[:min(len(nearest), t.k)]
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
