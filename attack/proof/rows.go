package proof

import (
	"math"
	"slices"
)

// What is decided of a row.
const (
	before  = 1 << iota // a rival before the pivot
	after               // a rival after it
	earlier             // a row of the side before the pivot
	later               // one after it
	in                  // one of the k nearest
	out                 // none of them
	listed              // in the line that is being read
)

// rowBody checks the bodies of proofs about nearest neighbours.
type rowBody struct {
	*checker
	t            *table
	seats, spare int
	squares      []float64 // of each row: its squared distance from x
	lengths      []float64 // and its length in the dual norm
	near         []int32   // rivals
	member       []bool    // rows of the side that are not crowded

	pivot   int32
	within  []int32 // rows of the side that may come before the pivot; nil: not known yet
	decided []uint8 // by row
	befores int     // rows that are before, and so on
	earlies int
	ins     int
	votes   []int // of the rows that are in
	open    []listing
}

func newRowBody(c *checker, t *table) *rowBody {
	n := len(t.labels)
	return &rowBody{
		checker: c, t: t, squares: make([]float64, n), lengths: make([]float64, n), member: make([]bool, n),
		decided: make([]uint8, n), votes: make([]int, t.classes),
	}
}

func (b *rowBody) ours(row int32) bool { return b.answers(b.t.labels[row]) }

// check checks that no row of the side is the pivot.
func (b *rowBody) check() {
	if !b.quota() {
		return
	}
	b.measure()
	b.expect("near")
	b.near = b.list(func(r int32) bool { return !b.ours(r) })
	b.unlist(b.near)
	b.done()
	for p := range int32(len(b.t.labels)) {
		b.member[p] = b.err == nil && b.ours(p) && !b.crowded(p)
	}
	pivot := int32(-1)
	for p := range int32(len(b.t.labels)) {
		if b.key() == "pivot" && pivot < 0 && b.err == nil {
			b.expect("pivot")
			pivot = int32(b.integer(len(b.t.labels)))
		}
		switch {
		case b.err != nil:
			return
		case p == pivot && !b.member[p]:
			b.fail("row %d is crowded, or has a label that does not answer", p)
		case p == pivot:
			b.tree(p)
			pivot = -1
		case b.member[p] && !b.lonely(p):
			b.fail("row %d may be the pivot, and has no tree", p)
		}
	}
	if pivot >= 0 {
		b.fail("pivot %d does not follow those before", pivot)
	}
}

// quota computes how many rows of the side an answer needs, and reports whether there can be one.
func (b *rowBody) quota() bool {
	k, side := b.t.k, 0
	for label, n := range b.t.count {
		if b.answers(label) {
			side += n
		}
	}
	if b.Target >= 0 {
		b.seats = 1
		for b.seats <= side && b.others(b.seats) < k-b.seats {
			b.seats++
		}
	} else {
		b.seats = k + 1
		for label, n := range b.t.count {
			if label != b.From && n > 0 {
				tie := 0 // how many votes more than from's the label needs
				if b.From < label {
					tie = 1
				}
				b.seats = min(b.seats, k-min((k-tie)/2, n-tie))
			}
		}
	}
	b.spare = k - b.seats
	return b.seats <= min(k, side)
}

// others returns how many votes other labels can have while the target wins with so many.
func (b *rowBody) others(votes int) (sum int) {
	for label, n := range b.t.count {
		switch {
		case label > b.Target:
			sum += min(n, votes)
		case label < b.Target:
			sum += min(n, votes-1)
		}
	}
	return sum
}

// measure computes how far the rows are.
func (b *rowBody) measure() {
	gaps := make([]float64, b.t.dim)
	for i := range b.squares {
		squares := 0.0
		for j, v := range b.t.row(int32(i)) {
			gaps[j] = v - b.X[j]
			squares += float64(gaps[j] * gaps[j])
		}
		b.squares[i], b.lengths[i] = squares, b.norm.dual().length(gaps)
	}
}

// far reports whether "row p is at least as near as row q" lies at the bound or farther.
func (b *rowBody) far(p, q int32) bool {
	// Each square has three roundings, their sum d more; ‖p − q‖ is at most both lengths.
	u, v := b.squares[p], b.squares[q]
	noise := float64(b.t.dim+8) * 0x1p-51
	off := (u+v)*noise + 0x1p-900
	switch reach := 2 * b.Bound * (b.lengths[p] + b.lengths[q]) * (1 + noise); {
	case v-u > off:
		return false
	case u-v-off > reach+0x1p-500 && u < 0x1p900 && b.Bound < 0x1p400:
		return true
	}
	return b.contradicts([]half{{p: p, q: q}})
}

// crowded reports whether too many rivals come before a row, wherever in the ball.
func (b *rowBody) crowded(p int32) bool {
	room := b.spare
	for _, r := range b.near {
		if b.far(p, r) {
			if room--; room < 0 {
				return true
			}
		}
	}
	return false
}

// lonely reports whether too few rows of the side can come before one.
func (b *rowBody) lonely(p int32) bool {
	missing := b.seats - 1
	for q := range int32(len(b.member)) {
		if missing > 0 && q != p && b.member[q] && !b.far(q, p) {
			missing--
		}
	}
	return missing > 0
}

// list reads the rest of the line: different rows, marked as listed.
func (b *rowBody) list(fits func(r int32) bool) []int32 {
	var rows []int32
	for b.more() {
		r := int32(b.integer(len(b.decided)))
		if b.err == nil && (b.decided[r]&listed != 0 || !fits(r)) {
			b.fail("row %d stands there twice, or not with reason", r)
		}
		b.decided[r] |= listed
		rows = append(rows, r)
	}
	return rows
}

func (b *rowBody) unlist(rows []int32) {
	for _, r := range rows {
		b.decided[r] &^= listed
	}
}

// vote returns the label of z: exact distances, then row numbers, decide who is nearer.
func (t *table) vote(z []float64) int {
	squares := make([]float64, len(t.labels))
	for i := range squares {
		for j, v := range t.row(int32(i)) {
			squares[i] += (v - z[j]) * (v - z[j])
		}
	}
	exact := func(i int32) *dyadic {
		gaps := make([]*dyadic, t.dim)
		for j, v := range t.row(i) {
			gaps[j] = difference(v, z[j])
		}
		return norm2.power(gaps)
	}
	nearer := func(p, q int32) bool {
		u, v := squares[p], squares[q]
		if math.Abs(u-v) > (u+v)*float64(t.dim+8)*0x1p-51+0x1p-900 {
			return u < v
		}
		c := exact(p).cmp(exact(q))
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
	votes := make([]int, t.classes)
	for _, i := range nearest {
		votes[t.labels[i]]++
	}
	return argmax(votes)
}
