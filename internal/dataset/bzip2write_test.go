package dataset

import (
	"bytes"
	"math/rand/v2"
	"slices"
)

// bitWriter writes a bzip2 file with codes, choices and sizes of blocks that are random,
// most of which bzip2 itself does not choose.
type bitWriter struct {
	rng  *rand.Rand
	bits []byte // 0 or 1
}

func (w *bitWriter) write(value uint64, n int) {
	for n--; n >= 0; n-- {
		w.bits = append(w.bits, byte(value>>n&1))
	}
}

func (w *bitWriter) file() []byte {
	var file []byte
	for i, bit := range w.bits {
		if i%8 == 0 {
			file = append(file, 0)
		}
		file[i/8] |= bit << (7 - i%8)
	}
	return file
}

// zipped returns a stream of these texts, each a block.
func zipped(rng *rand.Rand, level byte, texts [][]byte) []byte {
	w := &bitWriter{rng: rng}
	for _, b := range []byte{'B', 'Z', 'h', level} {
		w.write(uint64(b), 8)
	}
	var sum uint32
	for _, text := range texts {
		w.write(blockMark, markBits)
		own := sumOf(text)
		sum = (sum<<1 | sum>>31) ^ own
		w.write(uint64(own), sumBits)
		w.block(text)
	}
	w.write(endMark, markBits)
	w.write(uint64(sum), sumBits)
	return w.file()
}

func (w *bitWriter) block(text []byte) {
	last, first := sorted(counted(text))
	w.write(0, 1)
	w.write(uint64(first), sizeBits)
	var occurs [1 << 8]bool
	for _, b := range last {
		occurs[b] = true
	}
	rows, list := make([]uint64, 16), []byte(nil)
	all := uint64(0)
	for b, is := range occurs {
		if is {
			rows[b/16] |= 1 << (15 - b%16)
			all |= 1 << (15 - b/16)
			list = append(list, byte(b))
		}
	}
	w.write(all, 16)
	for _, row := range rows {
		if row != 0 {
			w.write(row, 16)
		}
	}
	w.symbols(moved(last, list), len(list)+2)
}

// symbols writes codes and what is written in them.
func (w *bitWriter) symbols(symbols []int, kinds int) {
	codes := 2 + w.rng.IntN(mostCodes-1)
	choices := make([]int, (len(symbols)+perCode-1)/perCode+w.rng.IntN(3))
	w.write(uint64(codes), 3)
	w.write(uint64(len(choices)), 15)
	list := []int{0, 1, 2, 3, 4, 5}
	for i := range choices {
		choices[i] = w.rng.IntN(codes)
		place := slices.Index(list, choices[i])
		list = slices.Insert(slices.Delete(list, place, place+1), 0, choices[i])
		w.write(1<<(place+1)-2, place+1)
	}
	words, lengths := make([][]uint64, codes), make([][]int, codes)
	for i := range codes {
		lengths[i] = w.lengths(kinds)
		words[i] = wordsOf(lengths[i])
		at := lengths[i][0]
		w.write(uint64(at), 5)
		for _, length := range lengths[i] {
			for ; at < length; at++ {
				w.write(0b10, 2)
			}
			for ; at > length; at-- {
				w.write(0b11, 2)
			}
			w.write(0, 1)
		}
	}
	for i, symbol := range symbols {
		c := choices[i/perCode]
		w.write(words[c][symbol], lengths[c][symbol])
	}
}

// lengths returns those of a complete code: a random word is split until all have one.
func (w *bitWriter) lengths(kinds int) []int {
	lengths := []int{0}
	for len(lengths) < kinds {
		i := w.rng.IntN(len(lengths))
		if w.rng.IntN(2) == 0 {
			i = len(lengths) - 1 // long words
		}
		if lengths[i] == longestCode {
			continue
		}
		lengths[i]++
		lengths = append(lengths, lengths[i])
	}
	w.rng.Shuffle(kinds, func(i, j int) { lengths[i], lengths[j] = lengths[j], lengths[i] })
	return lengths
}

func wordsOf(lengths []int) []uint64 {
	words := make([]uint64, len(lengths))
	word := uint64(0)
	for length := 1; length <= longestCode; length++ {
		for symbol, l := range lengths {
			if l == length {
				words[symbol] = word >> (longestCode - length)
				word += 1 << (longestCode - length)
			}
		}
	}
	return words
}

// counted writes runs of four to 259 as four and a number.
func counted(text []byte) (out []byte) {
	for len(text) > 0 {
		n := 1
		for n < len(text) && n < 259 && text[n] == text[0] {
			n++
		}
		out = append(out, bytes.Repeat(text[:1], min(n, 4))...)
		if n >= 4 {
			out = append(out, byte(n-4))
		}
		text = text[n:]
	}
	return out
}

// sorted returns the last bytes of the sorted rotations of a text, and the place of itself.
func sorted(text []byte) (last []byte, first int) {
	twice := slices.Concat(text, text)
	order := make([]int, len(text))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return bytes.Compare(twice[i:i+len(text)], twice[j:j+len(text)])
	})
	for _, i := range order {
		last = append(last, twice[i+len(text)-1])
	}
	return last, slices.Index(order, 0)
}

// moved returns the symbols of bytes by a list in which the byte at hand moves to the front.
func moved(text, list []byte) (symbols []int) {
	end, run := len(list)+1, 0
	digits := func() {
		for ; run > 0; run = (run - 1) / 2 {
			symbols = append(symbols, (run-1)%2)
		}
	}
	for _, b := range text {
		place := bytes.IndexByte(list, b)
		if place == 0 {
			run++
			continue
		}
		digits()
		symbols = append(symbols, place+1)
		copy(list[1:], list[:place])
		list[0] = b
	}
	digits()
	return append(symbols, end)
}
