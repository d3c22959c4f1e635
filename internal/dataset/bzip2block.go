package dataset

import "encoding/binary"

// A block of a bzip2 file has a table, of which an entry holds a byte of the text in its low
// eight bits and the place of the entry of the next byte above them.

const (
	sizeBits   = 24
	levelBytes = 100_000 // of a table, for each level of compression
	mostCodes  = 6
	perCode    = 50 // symbols in one code; then the next is chosen
	runSymbols = 2  // the digits of how often a byte follows
	longestRun = 20 // digits, of more than any table has
)

// bitReader reads a block: bits from one up to another. The file has slack zeros at its end,
// which are more than what a faulty block has read before that is noticed.
type bitReader struct {
	file    []byte
	at, end int
}

const slack = perCode*longestCode/8 + 16

func (r *bitReader) read(n int) int {
	r.at += n
	return int(bitsAt(r.file, r.at-n, n))
}

// table adds the table of a block, of at most so many entries, and returns where its text
// starts. It reports whether the block is as bzip2 writes it.
func (u *unpacker) table(r *bitReader, most int) (start uint32, ok bool) {
	if r.read(1) != 0 { // randomised, as bzip2 has not written since 1998
		return 0, false
	}
	first := r.read(sizeBits)
	list, n := readBytes(r)
	symbols := runSymbols + n // one for each byte but the first in the list, and the end
	choices, ok := u.readCodes(r, symbols)
	if !ok || n == 0 {
		return 0, false
	}
	begin := len(u.next)
	ok = u.readSymbols(r, &list, symbols-1, choices, begin+most)
	if !ok || first >= len(u.next)-begin {
		return 0, false
	}
	return u.link(begin, first), true
}

// link makes a table of the bytes at its end, which are those before the text's parts when
// these are sorted.
func (u *unpacker) link(begin, first int) (start uint32) {
	var places [1 << 8]uint32
	table := u.next[begin:]
	for _, b := range table {
		places[b]++
	}
	sum := uint32(0)
	for b, count := range places {
		places[b] = sum
		sum += count
	}
	for i, entry := range table {
		place := &places[byte(entry)]
		table[*place] |= uint32(begin+i) << 8
		*place++
	}
	return table[first] >> 8
}

// readBytes reads which bytes a block has.
func readBytes(r *bitReader) (list [1 << 8]byte, n int) {
	const side, top = 16, 1 << 15
	rows := r.read(side)
	for i := range side {
		if rows<<i&top == 0 {
			continue
		}
		row := r.read(side)
		for j := range side {
			if row<<j&top != 0 {
				list[n] = byte(side*i + j)
				n++
			}
		}
	}
	return list, n
}

// readSymbols adds the bytes of a block, up to the end, which must be the last of its bits.
func (u *unpacker) readSymbols(
	r *bitReader, list *[1 << 8]byte, end int, choices []byte, most int,
) bool {
	next, run, digits := u.next, 0, 0
	for _, choice := range choices {
		if r.at > r.end {
			return false
		}
		c := &u.codes[choice]
		for range perCode {
			symbol := c.read(r)
			if symbol < runSymbols {
				run += (symbol + 1) << digits
				if digits++; digits > longestRun {
					return false
				}
				continue
			}
			if run > most-len(next) {
				return false
			}
			for ; run > 0; run-- {
				next = append(next, uint32(list[0]))
			}
			if digits = 0; symbol == end {
				u.next = next
				return r.at == r.end
			}
			if len(next) == most {
				return false
			}
			b := list[symbol-1]
			copy(list[1:symbol], list[:symbol-1])
			list[0] = b
			next = append(next, uint32(b))
		}
	}
	return false
}

// readCodes reads the codes of a block, and which of them each fifty symbols are in.
func (u *unpacker) readCodes(r *bitReader, symbols int) (choices []byte, ok bool) {
	codes := r.read(3)
	if codes < 2 || codes > mostCodes {
		return nil, false
	}
	list := [mostCodes]byte{0, 1, 2, 3, 4, 5}
	choices = make([]byte, r.read(15))
	for i := range choices {
		place := 0
		for r.read(1) == 1 {
			if place++; place == codes {
				return nil, false
			}
		}
		choice := list[place]
		copy(list[1:], list[:place])
		list[0], choices[i] = choice, choice
	}
	lengths := make([]int, symbols)
	for i := range codes {
		length := r.read(5)
		for s := range lengths {
			for r.read(1) == 1 {
				length += 1 - 2*r.read(1)
			}
			if length < 1 || length > longestCode || r.at > r.end {
				return nil, false
			}
			lengths[s] = length
		}
		if !u.codes[i].make(lengths) {
			return nil, false
		}
	}
	return choices, true
}

// code is a complete prefix code, in which shorter words come before longer ones, and
// words of a length in the order of their symbols.
type code struct {
	short   [1 << shortCode]uint16 // by what begins with a short word: symbol<<lengthBits | length
	symbols []uint16               // by word
	begin   [longestCode + 2]int   // of the words of a length, among all of longestCode bits
	rank    [longestCode + 1]int   // of the first of them
}

const (
	longestCode = 20
	shortCode   = 10
	lengthBits  = 5
)

// make makes the code of symbols whose words have these lengths.
func (c *code) make(lengths []int) bool {
	clear(c.short[:])
	c.symbols = c.symbols[:0]
	word := 0
	for length := 1; length <= longestCode; length++ {
		c.begin[length], c.rank[length] = word, len(c.symbols)
		for symbol, l := range lengths {
			if l != length {
				continue
			}
			from := word
			if word += 1 << (longestCode - length); word > 1<<longestCode {
				return false
			}
			c.symbols = append(c.symbols, uint16(symbol))
			for length <= shortCode && from < word {
				c.short[from>>(longestCode-shortCode)] = uint16(symbol<<lengthBits | length)
				from += 1 << (longestCode - shortCode)
			}
		}
	}
	c.begin[longestCode+1] = word
	return word == 1<<longestCode
}

// read reads a symbol.
func (c *code) read(r *bitReader) int {
	bits := binary.BigEndian.Uint64(r.file[r.at/8:]) << (r.at % 8)
	if e := c.short[bits>>(64-shortCode)]; e != 0 {
		r.at += int(e & (1<<lengthBits - 1))
		return int(e >> lengthBits)
	}
	word := int(bits >> (64 - longestCode))
	length := shortCode + 1
	for word >= c.begin[length+1] {
		length++
	}
	r.at += length
	return int(c.symbols[c.rank[length]+(word-c.begin[length])>>(longestCode-length)])
}
