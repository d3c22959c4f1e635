package dataset

import (
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"io"
	"runtime"
)

// wholeFile is the size up to which a bzip2 file is read into memory, so that its blocks
// can be uncompressed side by side.
const wholeFile = 32 << 20

// bunzip returns what a bzip2 file holds, of which r reads the bytes. Its blocks depend on
// nothing outside them. A file that is out of the ordinary (large, torn, of more streams
// than one, with another checksum) is read by package bzip2 alone, which says what is
// wrong with it.
func bunzip(r io.Reader) (io.Reader, error) {
	file, err := io.ReadAll(io.LimitReader(r, wholeFile))
	if err != nil {
		return nil, err
	}
	if len(file) == wholeFile {
		return bzip2.NewReader(io.MultiReader(bytes.NewReader(file), r)), nil
	}
	marks, ok := marksOf(file)
	if !ok {
		return bzip2.NewReader(bytes.NewReader(file)), nil
	}
	blocks := len(marks) - 1
	b := &blockReader{file: file, marks: marks, results: make([]chan []byte, blocks)}
	b.start(min(runtime.GOMAXPROCS(0), blocks))
	return b, nil
}

// A block and the end of a stream each begin with 48 bits of their own. That they
// stand inside a block has a probability of 1 in 2⁴⁸ for each bit.
const (
	blockMark = 0x314159265359
	endMark   = 0x177245385090
	markBits  = 48
	sumBits   = 32
	headBits  = 32 // "BZh" and a digit
)

// marksOf returns at which bits the blocks of a file of one stream begin, and then its
// end. It reports whether the file is such a stream as a whole.
func marksOf(file []byte) (marks []int, ok bool) {
	const mask = 1<<markBits - 1
	var window uint64
	end := -1
	for i, b := range file {
		window = window<<8 | uint64(b)
		for shift := 7; shift >= 0; shift-- {
			switch window >> shift & mask {
			case blockMark:
				marks = append(marks, 8*i+8-shift-markBits)
			case endMark:
				end = 8*i + 8 - shift - markBits
				marks = append(marks, end)
			}
		}
	}
	n := len(marks)
	ok = n > 1 && marks[0] == headBits && marks[n-1] == end &&
		(end+markBits+sumBits+7)/8 == len(file) &&
		streamSum(file, marks) == bitsAt(file, end+markBits, sumBits)
	return marks, ok
}

// streamSum is the checksum of a stream, made of those of its blocks.
func streamSum(file []byte, marks []int) uint64 {
	var sum uint32
	for _, at := range marks[:len(marks)-1] {
		sum = sum<<1 | sum>>31
		sum ^= uint32(bitsAt(file, at+markBits, sumBits))
	}
	return uint64(sum)
}

// bitsAt returns up to 48 bits of a file, from the given one on; what is beyond is 0.
func bitsAt(file []byte, at, bits int) uint64 {
	var window [8]byte
	copy(window[:], file[min(at/8, len(file)):])
	return binary.BigEndian.Uint64(window[:]) << (at % 8) >> (64 - bits)
}

// stream returns the bits from one mark to the next as a stream of one block.
func stream(file []byte, from, to int) []byte {
	out := append(make([]byte, 0, (to-from)/8+32), file[:headBits/8]...)
	for at := from; at < to; at += 8 {
		out = append(out, byte(bitsAt(file, at, 8)))
	}
	// The end mark and the sum follow the last bit of the block.
	used := (to - from) % 8
	var end [markBits/8 + sumBits/8]byte
	binary.BigEndian.PutUint64(end[:], endMark<<16)
	binary.BigEndian.PutUint32(end[markBits/8:], uint32(bitsAt(file, from+markBits, sumBits)))
	if used == 0 {
		return append(out, end[:]...)
	}
	last := len(out) - 1
	out[last] &= 0xff << (8 - used)
	for _, b := range end {
		out[last] |= b >> used
		out = append(out, b<<(8-used))
		last++
	}
	return out
}

// blockReader reads blocks that goroutines uncompress ahead of it, as many at a time as
// there are processors.
type blockReader struct {
	file    []byte
	marks   []int
	results []chan []byte // by block, made when one is begun; nil for a faulty block
	begun   int
	next    int       // the block to wait for
	text    []byte    // of the last block, what is not read yet
	read    int64     // bytes that were
	rest    io.Reader // after a faulty block
}

// start begins the blocks before the given one.
func (b *blockReader) start(end int) {
	for ; b.begun < min(end, len(b.results)); b.begun++ {
		result := make(chan []byte, 1)
		b.results[b.begun] = result
		from, to := b.marks[b.begun], b.marks[b.begun+1]
		go func() {
			text, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(stream(b.file, from, to))))
			if err != nil {
				text = nil
			}
			result <- text
		}()
	}
}

func (b *blockReader) Read(p []byte) (int, error) {
	for len(b.text) == 0 && b.rest == nil {
		if b.next == len(b.results) {
			return 0, io.EOF
		}
		b.text = <-b.results[b.next]
		if b.results[b.next] = nil; len(b.text) == 0 { // no block is empty
			return b.again(p)
		}
		b.next++
		b.start(b.begun + 1)
	}
	if b.rest != nil {
		return b.rest.Read(p)
	}
	n := copy(p, b.text)
	b.text, b.read = b.text[n:], b.read+int64(n)
	return n, nil
}

// again reads a file with a faulty block from the beginning, up to where it was.
func (b *blockReader) again(p []byte) (int, error) {
	b.rest = bzip2.NewReader(bytes.NewReader(b.file))
	if _, err := io.CopyN(io.Discard, b.rest, b.read); err != nil {
		return 0, err
	}
	return b.rest.Read(p)
}
