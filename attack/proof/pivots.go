package proof

import (
	"slices"
	"strings"
)

// listing is a line of rows that is gone through part by part: those before a part's row are
// decided one way, its own the other way.
type listing struct {
	rows   []int32
	old    []uint8 // what was decided of each
	passed uint8   // what is decided of those before
	own    uint8
	part   int
	parts  int
}

// tree checks that a row is not the pivot.
func (b *rowBody) tree(p int32) {
	b.done()
	b.pivot, b.within = p, nil
	b.decide(p, in)
	for whole := false; !whole && b.err == nil; {
		if b.key() == "c" {
			b.refute()
		} else if l := b.listing(); b.err == nil && l.parts > 0 {
			b.open = append(b.open, l)
			b.enter()
			continue
		}
		whole = b.next()
	}
	b.decide(p, 0)
}

// decide notes what is decided of a row.
func (b *rowBody) decide(r int32, now uint8) {
	was := b.decided[r]
	b.decided[r] = now
	change := func(what uint8) int {
		return int(now&what)/int(what) - int(was&what)/int(what)
	}
	b.befores += change(before)
	b.earlies += change(earlier)
	b.ins += change(in)
	b.votes[b.t.labels[r]] += change(in)
}

// enter decides the row of the part that begins.
func (b *rowBody) enter() {
	if l := &b.open[len(b.open)-1]; l.part < len(l.rows) {
		b.decide(l.rows[l.part], l.old[l.part]|l.own)
	}
}

// next goes to the part that follows a leaf, and reports whether there is none.
func (b *rowBody) next() (whole bool) {
	for len(b.open) > 0 {
		l := &b.open[len(b.open)-1]
		if l.part < len(l.rows) {
			b.decide(l.rows[l.part], l.old[l.part]|l.passed)
		}
		if l.part++; l.part < l.parts {
			b.enter()
			return false
		}
		for i, r := range l.rows {
			b.decide(r, l.old[i])
		}
		b.open = b.open[:len(b.open)-1]
	}
	return true
}

// listing reads a line of rows.
func (b *rowBody) listing() listing {
	key := b.word()
	l := listing{}
	undecided := func(r int32) bool { return b.decided[r]&(in|out) == 0 }
	enough := false
	switch key {
	case "r":
		l.rows = b.list(func(r int32) bool { return !b.ours(r) && b.decided[r]&(before|after) == 0 })
		l.passed, l.own = before|in, after
		enough = len(l.rows) > 0 && b.befores+len(l.rows) > b.spare
	case "q":
		l.rows = b.list(func(r int32) bool {
			return b.decided[r]&(earlier|later) == 0 && r != b.pivot && b.member[r] && !b.far(r, b.pivot)
		})
		l.passed, l.own = later, earlier|in
		rest := 0
		for _, r := range b.mayPrecede() {
			if b.decided[r]&(earlier|later|listed) == 0 {
				rest++
			}
		}
		enough = rest < b.seats-1-b.earlies
	case "m":
		l.rows = b.list(undecided)
		l.passed, l.own = in, out
		enough = b.ins+len(l.rows) >= b.t.k
	case "o":
		r := int32(b.integer(len(b.decided)))
		l.rows = b.list(undecided)
		l.passed, l.own = out, in
		enough = b.err == nil && b.decided[r]&out != 0 && b.few(r)
	default:
		b.fail("%.40q is none of c, r, q, m and o", key)
	}
	if !enough {
		b.last = 0
		b.fail("these rows are too few for %.40q", key)
	}
	l.parts = len(l.rows)
	if key == "m" && b.ins+len(l.rows) == b.t.k && b.answers(b.winner(l.rows)) {
		l.parts++
	}
	for _, r := range l.rows {
		l.old = append(l.old, b.decided[r]&^listed)
	}
	b.unlist(l.rows)
	b.done()
	return l
}

// mayPrecede returns the rows of the side that may come before the pivot.
func (b *rowBody) mayPrecede() []int32 {
	if b.within == nil {
		b.within = []int32{}
		for q := range int32(len(b.member)) {
			if q != b.pivot && b.member[q] && !b.far(q, b.pivot) {
				b.within = append(b.within, q)
			}
		}
	}
	return b.within
}

// few reports whether, if r and the rows listed are out, fewer than k can be in.
func (b *rowBody) few(r int32) bool {
	count := b.ins
	for i := range int32(len(b.decided)) {
		if count < b.t.k && b.decided[i]&(in|out|listed) == 0 && !b.far(i, r) {
			count++
		}
	}
	return count < b.t.k
}

// winner returns the label that the rows which are in give together with others.
func (b *rowBody) winner(others []int32) int {
	votes := slices.Clone(b.votes)
	for _, r := range others {
		votes[b.t.labels[r]]++
	}
	return argmax(votes)
}

// refute reads a combination and makes sure that nothing nearer than the bound satisfies what is
// decided.
func (b *rowBody) refute() {
	b.expect("c")
	var terms []half
	for first := true; first || b.more(); first = false {
		times, word := b.multiplied()
		var h half
		p, q, pair := strings.Cut(word, "<")
		switch {
		case pair:
			h = half{p: b.row(p), q: b.row(q)}
			if b.err == nil && (h.p == h.q || !b.known(h.p, h.q)) {
				b.fail("what is decided does not say that row %d is at least as near as row %d", h.p, h.q)
			}
		case strings.HasPrefix(word, "+"), strings.HasPrefix(word, "-"):
			h = b.domainSide(word)
		default:
			b.fail("%.40q is no half-space", word)
		}
		h.times = times
		terms = append(terms, h)
	}
	b.conclude(terms)
}

// row reads the number of a row, nothing for the pivot.
func (b *rowBody) row(word string) int32 {
	if word == "" {
		return b.pivot
	}
	return int32(b.below(word, len(b.decided)))
}

// known reports whether what is decided says that row p is at least as near as row q.
func (b *rowBody) known(p, q int32) bool {
	d, e := b.decided[p], b.decided[q]
	switch {
	case q == b.pivot && d&(before|earlier) != 0, p == b.pivot && e&(after|later) != 0:
		return true
	case p == b.pivot && !b.ours(q) && e&before == 0 && b.befores == b.spare:
		return true
	case p == b.pivot && b.ours(q) && e&earlier == 0 && b.earlies == b.seats-1:
		return true
	}
	return d&in != 0 && (e&out != 0 || (e&in == 0 && b.ins == b.t.k))
}
