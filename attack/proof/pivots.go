package proof

import (
	"math/bits"
	"slices"
	"strings"
)

// Decisions about a row; listed says only that it stands in the line which is being read.
const (
	before  = 1 << iota // a rival before the pivot
	after               // a rival after it
	earlier             // a supporting row before the pivot
	later               // one after it
	in                  // one of the k nearest
	out                 // none of them
	listed
	kinds = iota - 1 // that are counted
)

// checkPivot checks that a row is not the pivot.
func (b *rowBody) checkPivot(p int) {
	b.pivot, b.within = p, make([]bool, len(b.member))
	for _, q := range b.mayPrecede(p, len(b.member)) {
		b.within[q] = true
	}
	b.decide(p, in)
	b.part(0)
	b.decide(p, 0)
}

// decide notes decisions about a row.
func (b *rowBody) decide(r int, now uint8) {
	for kind := range b.decides {
		b.decides[kind] += int(now>>kind&1) - int(b.decided[r]>>kind&1)
	}
	b.decided[r] = now
}

// size is how many rows a decision is about.
func (b *rowBody) size(decision uint8) int { return b.decides[bits.TrailingZeros8(decision)] }

// list reads the rest of the line: different rows, marked as listed.
func (b *rowBody) list(fits func(r int) bool) (rows []int) {
	for b.more {
		r := b.integer(len(b.decided))
		b.demand(b.decided[r]&listed == 0 &&
			fits(r), "row %d stands there twice, or not with reason", r)
		b.decided[r] |= listed
		rows = append(rows, r)
	}
	return rows
}

func (b *rowBody) unlist(rows []int) {
	for _, r := range rows {
		b.decided[r] &^= listed
	}
}

// part checks a node of the pivot's tree and those below it: a leaf, or a line of rows. In the part
// of each of these the rows before it are decided one way, it itself the other way; one more part
// may decide all of them the first way.
func (b *rowBody) part(depth int) {
	b.demand(depth <= deepest, "more than 100000 nodes on a path")
	b.key()
	key := b.word()
	if key == "c" {
		b.refute(b.term)
		return
	}
	rows, passed, own, rest := b.listing(key)
	was := make([]uint8, len(rows))
	for i, r := range rows {
		was[i] = b.decided[r]
		b.decide(r, was[i]|own)
		b.part(depth + 1)
		b.decide(r, was[i]|passed)
	}
	if rest {
		b.part(depth + 1)
	}
	for i, r := range rows {
		b.decide(r, was[i])
	}
}

// listing reads a line of rows, and returns the decisions about them: in the part of a row about
// those before it and about itself, and whether there is another part, for all.
func (b *rowBody) listing(key string) (rows []int, passed, own uint8, rest bool) {
	isOpen := func(r int) bool { return b.decided[r]&(in|out) == 0 }
	enough := false
	switch key {
	case "r":
		rows = b.list(func(r int) bool {
			return !b.answers(b.labels[r]) && b.decided[r]&(before|after) == 0
		})
		passed, own = before|in, after
		enough = len(rows) > 0 && b.size(before)+len(rows) > b.allowed
	case "q":
		isOpen = func(r int) bool { return b.decided[r]&(earlier|later|listed) == 0 }
		rows = b.list(func(r int) bool { return b.within[r] && isOpen(r) })
		passed, own = later, earlier|in
		left := 0
		for r, within := range b.within {
			if within && isOpen(r) {
				left++
			}
		}
		enough = left < b.required-1-b.size(earlier)
	case "m":
		rows = b.list(isOpen)
		passed, own = in, out
		enough = b.size(in)+len(rows) >= b.k
		rest = b.size(in)+len(rows) == b.k
		if all := slices.Clone(rows); rest {
			for r, d := range b.decided {
				if d&in != 0 {
					all = append(all, r)
				}
			}
			rest = b.answers(b.winner(all))
		}
	case "o":
		r := b.integer(len(b.decided))
		rows = b.list(isOpen)
		passed, own = out, in
		count := b.size(in) // of rows that can be in if r and the rows listed are out
		for i, d := range b.decided {
			if count < b.k && d&(in|out|listed) == 0 && !b.far(i, r) {
				count++
			}
		}
		enough = b.decided[r]&out != 0 && count < b.k
	default:
		b.demand(false, "%.40q is none of c, r, q, m and o", key)
	}
	b.demand(enough, "these rows are too few for %.40q", key)
	b.unlist(rows)
	return rows, passed, own, rest
}

// term returns the half-space of "P<Q", if the decisions say that row P comes before row Q.
func (b *rowBody) term(word string) half {
	words := strings.Split(word, "<")
	b.demand(len(words) == 2, "%.40q is no half-space", word)
	pair := [2]int{b.pivot, b.pivot}
	for i, w := range words {
		if w != "" {
			pair[i] = b.below(w, len(b.decided))
		}
	}
	p, q := pair[0], pair[1]
	b.demand(p != q &&
		b.known(p, q), "what is decided does not say that row %d comes before row %d", p, q)
	return b.comesFirst(p, q)
}

// parted reports whether the decisions say that row p is one of the k nearest and row q is not.
func (b *rowBody) parted(p, q int) bool {
	e := b.decided[q]
	return b.decided[p]&in != 0 && (e&out != 0 || e&in == 0 && b.size(in) == b.k)
}

// known reports whether the decisions say that row p comes before row q.
func (b *rowBody) known(p, q int) bool {
	d, e := b.decided[p], b.decided[q]
	switch {
	case q == b.pivot && d&(before|earlier) != 0, p == b.pivot && e&(after|later) != 0:
		return true
	case p == b.pivot && !b.answers(b.labels[q]) && e&before == 0 && b.size(before) == b.allowed:
		return true
	case p == b.pivot && b.answers(b.labels[q]) && e&earlier == 0 &&
		b.size(earlier) == b.required-1:
		return true
	}
	return b.parted(p, q)
}
