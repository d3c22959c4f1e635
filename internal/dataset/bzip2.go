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
// than one, with another checksum, with runs of enormous length) is read by package bzip2
// alone, which says what is wrong with it.
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
	return newBlockReader(file, marks), nil
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
	var maybe [1 << 8]bool // bytes within a mark, wherever its first bit is
	for shift := range 8 {
		maybe[blockMark>>(9+shift)&0xff], maybe[endMark>>(9+shift)&0xff] = true, true
	}
	var window uint64
	end := -1
	for i, b := range file {
		window = window<<8 | uint64(b)
		if !maybe[byte(window>>16)] {
			continue
		}
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
	ok = n > 1 && marks[0] == headBits && string(file[:3]) == "BZh" &&
		'1' <= file[3] && file[3] <= '9' && marks[n-1] == end &&
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

// blockReader reads blocks that goroutines uncompress ahead of it, some together in each.
type blockReader struct {
	file    []byte // with slack
	marks   []int
	size    int           // of a group of blocks
	results []chan []byte // by group, made when one is begun; nil for a faulty one
	idle    chan *unpacker
	next    int       // the group to wait for
	text    []byte    // of the last group, what is not read yet
	read    int64     // bytes that were
	rest    io.Reader // after a faulty group
}

const (
	// together is how many blocks are uncompressed in one goroutine, which takes up to six
	// megabytes for each.
	together = 8
	// unpackers is how many goroutines at most do: who reads what they find is slower.
	unpackers = 4
)

func newBlockReader(file []byte, marks []int) *blockReader {
	blocks, workers := len(marks)-1, min(unpackers, runtime.GOMAXPROCS(0))
	size := min(together, (blocks+workers-1)/workers)
	groups := (blocks + size - 1) / size
	b := &blockReader{
		file: append(file, make([]byte, slack)...), marks: marks, size: size,
		results: make([]chan []byte, groups), idle: make(chan *unpacker, workers),
	}
	for g := range workers {
		b.idle <- new(unpacker)
		b.start(g)
	}
	return b
}

// start begins a group if there is such.
func (b *blockReader) start(g int) {
	if g >= len(b.results) {
		return
	}
	begin := g * b.size
	marks := b.marks[begin:min(begin+b.size+1, len(b.marks))]
	result := make(chan []byte, 1)
	b.results[g] = result
	go func() {
		u := <-b.idle
		result <- u.unpack(b.file, marks)
		b.idle <- u
	}()
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
		b.start(b.next + cap(b.idle) - 1)
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
	b.rest = bzip2.NewReader(bytes.NewReader(b.file[:len(b.file)-slack]))
	if _, err := io.CopyN(io.Discard, b.rest, b.read); err != nil {
		return 0, err
	}
	return b.rest.Read(p)
}
