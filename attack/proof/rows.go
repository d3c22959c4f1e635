package proof

import (
	"math"
	"slices"
)

// rowBody checks the body of a proof about nearest neighbours.
type rowBody struct {
	*checker
	*table
	required, allowed int
	squares           []num  // of the rows' distances from x
	member            []bool // by row: supporting, and not crowded

	pivot   int
	within  []bool     // by row: supporting, and may come before the pivot
	decided []uint8    // by row
	decides [kinds]int // how many rows a decision is about
}

// checkRows checks that no supporting row is the pivot.
func (c *checker) checkRows() {
	n := len(c.m.table.labels)
	b := &rowBody{
		checker: c,
		table:   c.m.table,
		squares: c.m.table.squares(c.X),
		member:  make([]bool, n),
		decided: make([]uint8, n),
	}
	if !b.quota() {
		return
	}
	b.expect("near")
	near := b.list(func(r int) bool { return !b.answers(b.labels[r]) })
	b.unlist(near)
	for p, label := range b.labels {
		rivals := 0 // rivals that come before the row, wherever in the ball
		b.member[p] = b.answers(label)
		for i := 0; i < len(near) && b.member[p]; i++ {
			if b.far(p, near[i]) {
				rivals++
			}
			b.member[p] = rivals <= b.allowed
		}
	}
	for next, p := 0, 0; p < n; next = p + 1 {
		if p = n; b.has("pivot") {
			p = b.integer(n)
			b.demand(p >= next && b.member[p], "row %d is crowded, has a label that does not "+
				"answer, or does not follow the pivot before", p)
		}
		for q := next; q < p; q++ { // too few others can come before these rows
			if b.member[q] && len(b.mayPrecede(q, b.required-1)) >= b.required-1 {
				b.demand(false, "row %d may be the pivot, and has no tree", q)
			}
		}
		if p < n {
			b.checkPivot(p)
		}
	}
}

// mayPrecede returns the other supporting rows that may come before row p, at most so many.
func (b *rowBody) mayPrecede(p, most int) (rows []int) {
	for q := range b.member {
		if len(rows) < most && q != p && b.member[q] && !b.far(q, p) {
			rows = append(rows, q)
		}
	}
	return rows
}

// quota computes how many supporting rows an answer needs, and reports whether there can be one.
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
	if b.required = b.k - most; b.Target >= 0 {
		for b.required = 1; b.required <= side && b.others(b.required) < b.k-b.required; {
			b.required++
		}
	}
	b.allowed = b.k - b.required
	return b.required <= min(b.k, side)
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

// far reports whether "row p before row q" lies at the bound or farther. It does not if x itself is
// there. It does if the distances u and v of p and q from x in ℓ2 differ by 2b√d or more: the
// half-space has β = v² − u², and a norm of a of 2·√d·(u + v) at most.
func (b *rowBody) far(p, q int) bool {
	u, v := b.squares[p], b.squares[q]
	if math.Sqrt(u.v-u.off) >
		(math.Sqrt(v.v+v.off)+2*b.Bound*math.Sqrt(float64(b.table.dim)))*(1+0x1p-40) {
		return true
	}
	side, sure := u.minus(v).sign()
	return (side > 0 || !sure) && b.contradict(b.comesFirst(p, q))
}

// comesFirst is the half-space where row p comes before row q.
func (t *table) comesFirst(p, q int) half {
	return half{p: t.row(p), q: t.row(q), open: p > q}
}

// squares returns the squared distances of all rows from z, in floating point: each square has
// three roundings, their sum of d of them d more.
func (t *table) squares(z []float64) []num {
	all := make([]num, len(t.labels))
	for i := range all {
		sum := 0.0
		for j, v := range t.row(i) {
			sum += float64((v - z[j]) * (v - z[j]))
		}
		all[i] = near(sum, sum*float64(t.dim+8)*0x1p-52)
	}
	return all
}

// vote returns the label of z: exact distances, then row numbers, decide who is nearer.
func (t *table) vote(z []float64) int {
	squares := t.squares(z)
	nearer := func(p, q int) bool {
		s := signOf(func(m mode) num {
			if m == rounded {
				return squares[p].minus(squares[q])
			}
			more := m.num(0)
			for j := range z {
				a, b := m.num(t.row(p)[j]).minus(m.num(z[j])), m.num(t.row(q)[j]).minus(m.num(z[j]))
				more = more.plus(a.times(a)).minus(b.times(b))
			}
			return more
		})
		return s < 0 || s == 0 && p < q
	}
	var nearest []int // in order
	for i := range t.labels {
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
func (t *table) winner(rows []int) int {
	votes := make([]int, t.classes)
	for _, i := range rows {
		votes[t.labels[i]]++
	}
	return argmax(votes)
}
