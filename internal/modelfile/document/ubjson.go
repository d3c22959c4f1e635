package document

import (
	"encoding/binary"
	"math"
)

// ubjson is a document in UBJSON: each value begins with a byte for its type.
type ubjson struct {
	window
	objects objects
	typed   byte // the type of the value that is next, if its array says it for all
	// short are strings that were read, of which a document has the same again and again.
	short map[string]string
}

// integerSize returns how many bytes an integer of a type takes, 0 for other types.
func integerSize(kind byte) int {
	switch kind {
	case 'i', 'U':
		return 1
	case 'I':
		return 2
	case 'l':
		return 4
	case 'L':
		return 8
	}
	return 0
}

// size returns how many bytes a value of a type takes after it; false for those that say
// themselves.
func size(kind byte) (int, bool) {
	switch kind {
	case 'd':
		return 4, true
	case 'D':
		return 8, true
	case 'C':
		return 1, true
	case 'T', 'F', 'Z':
		return 0, true
	}
	n := integerSize(kind)
	return n, n > 0
}

// kind uses up the type of the next value.
func (u *ubjson) kind() (byte, error) {
	if kind := u.typed; kind != 0 {
		u.typed = 0
		return kind, nil
	}
	for u.fill(1) {
		u.at++
		if kind := u.buf[u.at-1]; kind != 'N' { // the no-operation of UBJSON
			return kind, nil
		}
	}
	return 0, u.Fault("")
}

// bytes uses up so many bytes, valid until more are read.
func (u *ubjson) bytes(n int) ([]byte, error) {
	if !u.fill(n) {
		u.at = u.end
		return nil, u.Fault("")
	}
	u.at += n
	return u.buf[u.at-n : u.at], nil
}

// integer uses up an integer of a type.
func (u *ubjson) integer(kind byte) (int64, error) {
	n := integerSize(kind)
	if n == 0 {
		return 0, u.Fault("the type %q before here, want that of a whole number", kind)
	}
	b, err := u.bytes(n)
	if err != nil {
		return 0, err
	}
	switch kind {
	case 'U':
		return int64(b[0]), nil
	case 'i':
		return int64(int8(b[0])), nil
	case 'I':
		return int64(int16(binary.BigEndian.Uint16(b))), nil
	case 'l':
		return int64(int32(binary.BigEndian.Uint32(b))), nil
	}
	return int64(binary.BigEndian.Uint64(b)), nil
}

// length uses up how long a string or a container is, and the type of that number.
func (u *ubjson) length() (int, error) {
	kind, err := u.kind()
	if err != nil {
		return 0, err
	}
	n, err := u.integer(kind)
	if err == nil && (n < 0 || n > math.MaxInt32) {
		err = u.Fault("a length of %d", n)
	}
	return int(n), err
}

// text uses up a string that follows its length.
func (u *ubjson) text() (string, error) {
	n, err := u.length()
	if err == nil && n <= longestShort {
		return u.shortText(n)
	}
	var s []byte
	for err == nil && n > 0 {
		var part []byte
		part, err = u.bytes(min(n, windowSize/2))
		s, n = append(s, part...), n-len(part)
	}
	return string(s), err
}

// Short strings are made once, as long as not many differ.
const longestShort, mostShort = 64, 1024

// shortText uses up a short string.
func (u *ubjson) shortText(n int) (string, error) {
	b, err := u.bytes(n)
	if err != nil {
		return "", err
	}
	s, ok := u.short[string(b)]
	if !ok {
		if s = string(b); len(u.short) < mostShort {
			u.short[s] = s
		}
	}
	return s, nil
}

func (u *ubjson) String() (string, error) {
	kind, err := u.kind()
	if err == nil && kind != 'S' {
		err = u.Fault("the type %q before here, want that of a string", kind)
	}
	if err != nil {
		return "", err
	}
	return u.text()
}

// container is how an array or an object begins.
type container struct {
	kind  byte // of all values, 0 if each says its own
	count int  // of values, −1 if their end is marked
}

// begin uses up the beginning of an array or an object.
func (u *ubjson) begin(bracket byte, what string) (c container, err error) {
	kind, err := u.kind()
	if err == nil && kind != bracket {
		err = u.Fault("the type %q before here, want %s", kind, what)
	}
	if err != nil {
		return c, err
	}
	return u.header()
}

// header uses up the type and the number of the values, which may follow a bracket.
func (u *ubjson) header() (c container, err error) {
	c.count = -1
	if u.fill(2) && u.buf[u.at] == '$' {
		c.kind = u.buf[u.at+1]
		if n, _ := size(c.kind); n == 0 {
			return c, u.Fault("a container of values of the type %q", c.kind)
		}
		if u.at += 2; !u.fill(1) || u.buf[u.at] != '#' {
			return c, u.Fault("a container with a type and without a count")
		}
	}
	if u.fill(1) && u.buf[u.at] == '#' {
		u.at++
		c.count, err = u.length()
	}
	return c, err
}

// list calls item for each value of a container, up to its end.
func (u *ubjson) list(c container, end byte, item func(i int) error) error {
	for i := 0; i != c.count; i++ {
		if c.count < 0 {
			if !u.fill(1) {
				return u.Fault("")
			}
			if u.buf[u.at] == end {
				u.at++
				return nil
			}
		}
		u.typed = c.kind
		if err := item(i); err != nil {
			return err
		}
	}
	return nil
}

func (u *ubjson) Object(member func(key string) error) error {
	c, err := u.begin('{', "an object")
	if err == nil && c.kind != 0 {
		err = u.Fault("an object of values of one type")
	}
	if err != nil {
		return err
	}
	seen := u.objects.begin()
	defer u.objects.end()
	return u.list(c, '}', func(int) error {
		key, err := u.text()
		if err == nil && seen.Have(key) {
			err = u.Fault("the key %.40q again in one object", key)
		}
		if err != nil {
			return err
		}
		return member(key)
	})
}

func (u *ubjson) Array(element func(i int) error) error {
	c, err := u.begin('[', "an array")
	if err != nil {
		return err
	}
	return u.list(c, ']', element)
}

func (u *ubjson) Close() error { return u.ended() }
