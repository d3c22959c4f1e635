package dataset

import (
	"hash/crc32"
	"math/bits"
	"slices"
)

// unpacker uncompresses some blocks of a bzip2 file in one goroutine. The text of a block is
// a walk through a table of some megabytes, of which each step depends on the one before and
// misses the cache. The unpacker takes a step in each block in turn, so that their misses
// overlap.
type unpacker struct {
	codes [mostCodes]code
	next  []uint32 // the tables, one after the other
	found []byte   // by the walks through them
}

// walk is the way through a table.
type walk struct {
	at    uint32
	found []byte // a byte for each step to go
}

// widest is how many times as long as its table the text of a block may be. It bounds memory:
// fifty times are possible.
const widest = 5

// unpack returns the text of the blocks between the marks of a file, or nil if one is faulty
// or out of the ordinary.
func (u *unpacker) unpack(file []byte, marks []int) []byte {
	blocks := len(marks) - 1
	most := levelBytes * int(file[headBits/8-1]-'0')
	u.next = u.next[:0]
	ends, starts := make([]int, blocks), make([]uint32, blocks)
	for i := range blocks {
		r := &bitReader{file, marks[i] + markBits + sumBits, marks[i+1]}
		var ok bool
		if starts[i], ok = u.table(r, most); !ok {
			return nil
		}
		ends[i] = len(u.next)
	}
	u.found = slices.Grow(u.found[:0], len(u.next))[:len(u.next)]
	u.follow(starts, ends)
	text := make([]byte, 0, len(u.next)+len(u.next)/16)
	from := 0
	for i, end := range ends {
		begin := len(text)
		var ok bool
		text, ok = expand(text, u.found[from:end])
		if !ok || sumOf(text[begin:]) != uint32(bitsAt(file, marks[i]+markBits, sumBits)) {
			return nil
		}
		from = end
	}
	return text
}

// follow walks through all tables, from starts, each up to an end.
func (u *unpacker) follow(starts []uint32, ends []int) {
	next, walks, from := u.next, make([]walk, len(starts)), 0
	for k, end := range ends {
		walks[k] = walk{starts[k], u.found[from:end]}
		from = end
	}
	for len(walks) > 0 {
		steps := len(next)
		for _, w := range walks {
			steps = min(steps, len(w.found))
		}
		for i := range steps {
			for k := range walks {
				w := &walks[k]
				entry := next[w.at]
				w.found[i], w.at = byte(entry), entry>>8
			}
		}
		for k := range walks {
			walks[k].found = walks[k].found[steps:]
		}
		walks = slices.DeleteFunc(walks, func(w walk) bool { return len(w.found) == 0 })
	}
}

// expand adds to text what a walk found, in which the byte after four that are equal says
// how often theirs follows. It reports whether that is not too much.
func expand(text, found []byte) ([]byte, bool) {
	const equal = 4
	begin, run := 0, 0
	most := len(text) + widest*len(found)
	for i, b := range found {
		switch {
		case run == equal:
			text = append(text, found[begin:i]...)
			for range b {
				text = append(text, found[i-1])
			}
			if begin, run = i+1, 0; len(text) > most {
				return nil, false
			}
		case run > 0 && b == found[i-1]:
			run++
		default:
			run = 1
		}
	}
	return append(text, found[begin:]...), true
}

// sumOf is the checksum of a text: that of package crc32 with all bits in reversed order.
func sumOf(text []byte) uint32 {
	var sum uint32
	var turned [4096]byte
	for piece := range slices.Chunk(text, len(turned)) {
		for i, b := range piece {
			turned[i] = bits.Reverse8(b)
		}
		sum = crc32.Update(sum, crc32.IEEETable, turned[:len(piece)])
	}
	return bits.Reverse32(sum)
}
