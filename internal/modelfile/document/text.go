package document

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"
)

// Text is a document in JSON.
type Text struct {
	window
	objects objects
	known   map[string]string // keys that were met
}

// NewText returns the reader of a document in JSON that is all in memory. It keeps the text, and
// does not change it.
func NewText(json []byte) *Text {
	return &Text{window: window{buf: json, end: len(json), err: io.EOF}}
}

// Kind returns the kind of the next value in the words of JSON, empty where none begins.
func (t *Text) Kind() string {
	switch c := t.next(); {
	case c == '{':
		return "object"
	case c == '[':
		return "array"
	case c == '"':
		return "string"
	case c == 't' || c == 'f':
		return "bool"
	case c == 'n':
		return "null"
	case c == '-' || c >= '0' && c <= '9':
		return "number"
	}
	return ""
}

// next returns the first byte that is no white space, 0 at the end.
func (t *Text) next() byte {
	for t.at < t.end || t.fill(1) {
		c := t.buf[t.at]
		if !isSpace(c) {
			return c
		}
		t.at++
	}
	return 0
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// take uses up a byte that must be next.
func (t *Text) take(want byte, what string) error {
	if c := t.next(); c != want {
		return t.Fault("%q, want %s", c, what)
	}
	t.at++
	return nil
}

func (t *Text) Object(member func(key string) error) error {
	if err := t.take('{', "an object"); err != nil {
		return err
	}
	seen := t.objects.begin()
	defer t.objects.end()
	return t.list('}', func() error {
		if t.next() != '"' {
			return t.Fault("%q, want a key", t.next())
		}
		key, err := t.key()
		if err == nil && seen.Have(key) {
			err = t.Fault("the key %.40q again in one object", key)
		}
		if err == nil {
			err = t.take(':', "a colon")
		}
		if err != nil {
			return err
		}
		return member(key)
	})
}

func (t *Text) Array(element func(i int) error) error {
	if err := t.take('[', "an array"); err != nil {
		return err
	}
	i := -1
	return t.list(']', func() error {
		i++
		return element(i)
	})
}

// list reads values separated by commas, up to the end of the list.
func (t *Text) list(end byte, item func() error) error {
	if t.next() == end {
		t.at++
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		switch c := t.next(); c {
		case ',':
			t.at++
		case end:
			t.at++
			return nil
		default:
			return t.Fault("%q, want a comma or %q", c, end)
		}
	}
}

// key reads a key. Those of the same name, which objects of one kind have, share their memory.
func (t *Text) key() (string, error) {
	name, ok := t.plain()
	if !ok {
		return t.String()
	}
	key, ok := t.known[string(name)]
	if !ok {
		key = string(name)
		if t.known == nil {
			t.known = make(map[string]string)
		}
		if len(t.known) < mostKnown {
			t.known[key] = key
		}
	}
	t.at += len(name) + 2
	return key, nil
}

// mostKnown is more than the keys of any model, but for those of its attributes.
const mostKnown = 1000

// plain returns the text between the quotes of a string that lies whole in the window and has
// no escapes, without using it up.
func (t *Text) plain() ([]byte, bool) {
	if t.next() != '"' {
		return nil, false
	}
	t.fill(longestWord)
	name, _, ok := bytes.Cut(t.buf[t.at+1:t.end], []byte{'"'})
	return name, ok && bytes.IndexByte(name, '\\') < 0 && isText(name)
}

// isText reports whether the text between quotes is UTF-8 without control characters.
func isText(s []byte) bool {
	for _, c := range s {
		if c < ' ' {
			return false
		}
	}
	return utf8.Valid(s)
}

func (t *Text) String() (string, error) {
	if s, ok := t.plain(); ok {
		t.at += len(s) + 2
		return string(s), nil
	}
	if err := t.take('"', "a string"); err != nil {
		return "", err
	}
	quoted, escaped := []byte{'"'}, false
	for {
		if !t.fill(1) {
			return "", t.Fault("")
		}
		c := t.buf[t.at]
		t.at++
		quoted = append(quoted, c)
		if c == '\\' && t.fill(1) {
			quoted, escaped = append(quoted, t.buf[t.at]), true
			t.at++
		}
		if c == '"' {
			break
		}
	}
	if !isText(quoted) {
		return "", t.Fault("a string that ends here has a control character, or is not UTF-8")
	}
	if !escaped {
		return string(quoted[1 : len(quoted)-1]), nil
	}
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return "", t.Fault("a string that ends here has an escape that JSON has not")
	}
	return s, nil
}

// Word reads a number, true, false or null. The word is valid until the next value is read, or as
// long as a document that is in memory.
func (t *Text) Word() ([]byte, error) {
	w, err := t.word()
	t.at += len(w)
	return w, err
}

// word is Word, which it does not use up.
func (t *Text) word() ([]byte, error) {
	t.next()
	t.fill(longestWord)
	most := longestWord
	if t.r == nil { // all is in memory
		most = t.end - t.at + 1
	}
	rest := t.buf[t.at:min(t.end, t.at+most)]
	n := wordLength(rest)
	if n > 0 && n == t.end-t.at { // no bracket closes
		t.at = t.end
		return nil, t.Fault("")
	}
	if n == 0 || n == most {
		return nil, t.Fault("%q, want a number", t.next())
	}
	return rest[:n], nil
}

// longestWord is one more than the bytes of the longest number of a document that is not in memory.
const longestWord = 1001

var wordBytes = func() (is [256]bool) {
	for _, c := range "0123456789+-.eEabcdfghijklmnopqrstuvwxyzABCDFGHIJKLMNOPQRSTUVWXYZ" {
		is[c] = true
	}
	return is
}()

func (t *Text) Ints(to []int32) ([]int32, error) {
	return scalars(t, to, integer, "a whole number in the range of 32 bits")
}

func (t *Text) Bools(to []bool) ([]bool, error) {
	return scalars(t, to, func(b []byte) (yes bool, n int) {
		if v, n := integer(b); n > 0 && uint32(v) <= 1 {
			return v == 1, n
		}
		return Truth(b)
	}, "0 or 1")
}

func (t *Text) Floats(to []float32) ([]float32, error) {
	return scalars(t, to, float, "a number in the range of float32")
}

func (t *Text) Doubles(to []float64) ([]float64, error) {
	return scalars(t, to, Double, "a number in the range of float64")
}

// scalars reads an array of words, each by a function that returns how long it is.
func scalars[T any](t *Text, to []T, read func(b []byte) (T, int), want string) ([]T, error) {
	return Words(t, to, read, func() (v T, err error) {
		w, err := t.word()
		if err != nil {
			return v, err
		}
		v, n := read(w)
		if n != len(w) {
			return v, t.Fault("%q, want %s", w, want)
		}
		t.at += n
		return v, nil
	})
}

// Words appends the values of an array. A function reads those that lie whole in the window, and
// returns how long they are; of one that it does not know it returns 0, and another reads that.
func Words[T any](
	t *Text, to []T, read func(b []byte) (T, int), other func() (T, error),
) ([]T, error) {
	err := t.Array(func(int) error {
		count := len(to)
		if to = ahead(t, to, read); len(to) > count {
			return nil
		}
		v, err := other()
		if err == nil {
			to = append(to, v)
		}
		return err
	})
	return to, err
}

// ahead reads values of an array in the window, with the commas between them, up to one that is not
// whole there or that it does not know, which may be the next one.
func ahead[T any](t *Text, to []T, read func(b []byte) (T, int)) []T {
	for at := t.at; ; at++ {
		for at < t.end && isSpace(t.buf[at]) {
			at++
		}
		rest := t.buf[at:min(t.end, at+longestWord)]
		v, n := read(rest)
		if n == 0 || n == len(rest) {
			return to
		}
		at += n
		if to, t.at = append(to, v), at; t.buf[at] != ',' {
			return to
		}
	}
}

// mostNested is how deep brackets may lie within a skipped value.
const mostNested = 1000

func (t *Text) Skip() error { return t.skip(0) }

// skip skips a value within so many others.
func (t *Text) skip(depth int) error {
	c := t.next()
	switch {
	case depth > mostNested:
		return t.Fault("brackets nested more than %d deep", mostNested)
	case c == '{':
		return t.Object(func(string) error { return t.skip(depth + 1) })
	case c == '[':
		return t.Array(func(int) error {
			if len(ahead(t, []struct{}(nil), passed)) > 0 {
				return nil
			}
			return t.skip(depth + 1)
		})
	case c == '"':
		_, err := t.String()
		return err
	}
	w, err := t.word()
	if err == nil && !isWord(w) {
		return t.Fault("%q, want a value of JSON", w)
	}
	t.at += len(w)
	return err
}

// isWord reports whether it is a number of JSON, or one of its names or those that libraries write
// for numbers that are not finite.
func isWord(w []byte) bool {
	switch string(w) {
	case "true", "false", "null", "NaN", "Infinity", "-Infinity":
		return true
	}
	return number(w) == len(w)
}

// passed reads a number of JSON that nobody wants.
func passed(b []byte) (none struct{}, n int) {
	if n = number(b); !ends(b, n) {
		n = 0
	}
	return none, n
}

// Raw reads a value of any kind of a document in memory, and returns its text.
func (t *Text) Raw() ([]byte, error) {
	t.next()
	begin := t.at
	err := t.Skip()
	return t.buf[begin:t.at], err
}

// Place returns where in a document in memory the next value is read.
func (t *Text) Place() int { return t.at }

func (t *Text) Close() error {
	t.next()
	return t.ended()
}
