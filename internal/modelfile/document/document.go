package document

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Reader reads a document. Each method but Close reads the next value, which must be of
// its kind; within an object or an array that is the one which the callback is called for.
type Reader interface {
	// Object calls member with each key, which reads its value.
	Object(member func(key string) error) error
	// Array calls element before each of its values, which it reads.
	Array(element func(i int) error) error
	String() (string, error)
	// Ints, Bools, Floats and Doubles read an array of numbers and append them. Bools are true,
	// false, 1 or 0.
	Ints(to []int32) ([]int32, error)
	Bools(to []bool) ([]bool, error)
	Floats(to []float32) ([]float32, error)
	Doubles(to []float64) ([]float64, error)
	// Skip reads a value of any kind.
	Skip() error
	// Close checks that the document ends.
	Close() error
	// Size returns how many bytes have been read.
	Size() int
}

// New returns the reader of a document, in UBJSON if it begins with an object of that.
func New(r io.Reader) Reader {
	w := window{r: r, buf: make([]byte, windowSize)}
	if w.fill(2) && IsBinary(w.buf[:2]) {
		return &ubjson{window: w, short: make(map[string]string)}
	}
	return &Text{window: w}
}

// IsBinary reports whether a document that begins so is UBJSON: an object whose first key
// has a length, or whose keys are counted.
func IsBinary(begin []byte) bool {
	return len(begin) > 1 && begin[0] == '{' && integerSize(begin[1]) > 0 ||
		len(begin) > 1 && begin[0] == '{' && begin[1] == '#'
}

// windowSize is how much of a document is in memory at a time.
const windowSize = 1 << 16

// window is the part of a document that is in memory.
type window struct {
	r       io.Reader
	buf     []byte
	at, end int   // buf[at:end] is still to use
	before  int   // bytes of the document before the buffer
	err     error // that ended reading
}

// fill makes so many bytes available, at most half the buffer; false if the document ends
// before.
func (w *window) fill(n int) bool {
	if w.end-w.at >= n || w.err != nil {
		return w.end-w.at >= n
	}
	w.before += w.at
	w.end = copy(w.buf, w.buf[w.at:w.end])
	w.at = 0
	for w.end < n && w.err == nil {
		var read int
		read, w.err = w.r.Read(w.buf[w.end:])
		w.end += read
	}
	return w.end >= n
}

// Fault is an error at the place that is read next.
func (w *window) Fault(format string, args ...any) error {
	if w.at == w.end && w.err != nil {
		if w.err != io.EOF {
			return w.err
		}
		return trees.AtByte(w.before+w.at, errors.New("the file ends in the middle of the model"))
	}
	return trees.AtByte(w.before+w.at, fmt.Errorf(format, args...))
}

// Size implements Reader.
func (w *window) Size() int { return w.before + w.end }

// ended reports a document that goes on, or that could not be read.
func (w *window) ended() error {
	if w.fill(1) {
		return w.Fault("%q after the end of the model", w.buf[w.at])
	}
	if w.err != io.EOF {
		return w.err
	}
	return nil
}

// objects are the keys of the objects that are open, one within the other.
type objects struct {
	keys []*Keys // and memory of those that were as deep
	open int
}

// begin returns the keys of an object that begins: none.
func (o *objects) begin() *Keys {
	if o.open == len(o.keys) {
		o.keys = append(o.keys, new(Keys))
	}
	k := o.keys[o.open]
	k.few, k.many = k.few[:0], nil
	o.open++
	return k
}

// end closes the last one.
func (o *objects) end() { o.open-- }

// Keys are those of an object so far: mostly few.
type Keys struct {
	few  []string
	many map[string]bool
}

// Have adds a key, and reports whether it was there.
func (k *Keys) Have(key string) bool {
	if k.many[key] || slices.Contains(k.few, key) {
		return true
	}
	if len(k.few) < 32 {
		k.few = append(k.few, key)
		return false
	}
	if k.many == nil {
		k.many = make(map[string]bool)
	}
	k.many[key] = true
	return false
}
