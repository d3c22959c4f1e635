package document

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// numbers appends the numbers of an array, which one reads. Those of a usual type, if the array
// says that all have it, are decoded many at a time.
func numbers[T any](
	u *ubjson, to []T, one func(kind byte) (T, error),
	usual string, decode func(to []T, kind byte, b []byte) error,
) ([]T, error) {
	c, err := u.begin('[', "an array")
	if err != nil {
		return to, err
	}
	if strings.IndexByte(usual, c.kind) < 0 || c.count < 0 {
		return to, u.list(c, ']', func(int) error {
			kind, err := u.kind()
			if err != nil {
				return err
			}
			v, err := one(kind)
			to = append(to, v)
			return err
		})
	}
	size, _ := size(c.kind)
	for left := int64(c.count) * int64(size); left > 0 && err == nil; left -= windowSize / 2 {
		var b []byte
		if b, err = u.bytes(int(min(left, windowSize/2))); err == nil {
			n := len(to)
			to = slices.Grow(to, len(b)/size)[:n+len(b)/size]
			err = decode(to[n:], c.kind, b)
		}
	}
	return to, err
}

func (u *ubjson) Ints(to []int32) ([]int32, error) {
	return numbers(u, to, func(kind byte) (int32, error) {
		v, err := u.integer(kind)
		if err == nil && int64(int32(v)) != v {
			err = u.Fault("%d before here is not in the range of 32 bits", v)
		}
		return int32(v), err
	}, "lU", func(to []int32, kind byte, b []byte) error {
		if kind == 'U' {
			for i, v := range b {
				to[i] = int32(v)
			}
			return nil
		}
		for i := range to {
			to[i] = int32(binary.BigEndian.Uint32(b[4*i:]))
		}
		return nil
	})
}

func (u *ubjson) Bools(to []bool) ([]bool, error) {
	return numbers(u, to, func(kind byte) (yes bool, err error) {
		v := int64(0)
		switch {
		case kind == 'T':
			v = 1
		case kind != 'F':
			v, err = u.integer(kind)
		}
		if err == nil && v != 0 && v != 1 {
			err = u.Fault("%d before here, want 0 or 1", v)
		}
		return v == 1, err
	}, "U", func(to []bool, _ byte, b []byte) error {
		for i, v := range b {
			if v > 1 {
				u.at -= len(b) - i - 1
				return u.Fault("%d before here, want 0 or 1", v)
			}
			to[i] = v == 1
		}
		return nil
	})
}

func (u *ubjson) Floats(to []float32) ([]float32, error) {
	return numbers(u, to, u.float, "d", func(to []float32, _ byte, b []byte) error {
		for i := range to {
			to[i] = math.Float32frombits(binary.BigEndian.Uint32(b[4*i:]))
		}
		return nil
	})
}

func (u *ubjson) Doubles(to []float64) ([]float64, error) {
	return numbers(u, to, u.double, "D", func(to []float64, _ byte, b []byte) error {
		for i := range to {
			to[i] = math.Float64frombits(binary.BigEndian.Uint64(b[8*i:]))
		}
		return nil
	})
}

// float uses up a number of a type, which float32 must hold.
func (u *ubjson) float(kind byte) (float32, error) {
	if kind != 'd' && kind != 'D' {
		v, err := u.integer(kind)
		return float32(v), err
	}
	v, err := u.double(kind)
	if math.IsInf(float64(float32(v)), 0) && !math.IsInf(v, 0) {
		return 0, u.Fault("%v before here is not in the range of float32", v)
	}
	return float32(v), err
}

// double uses up a number of a type.
func (u *ubjson) double(kind byte) (float64, error) {
	switch kind {
	case 'd':
		b, err := u.bytes(4)
		if err != nil {
			return 0, err
		}
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b))), nil
	case 'D':
		b, err := u.bytes(8)
		if err != nil {
			return 0, err
		}
		return math.Float64frombits(binary.BigEndian.Uint64(b)), nil
	}
	v, err := u.integer(kind)
	return float64(v), err
}

func (u *ubjson) Skip() error { return u.skip(0) }

// skip skips a value that lies in so many containers.
func (u *ubjson) skip(depth int) error {
	kind, err := u.kind()
	if err != nil {
		return err
	}
	if n, ok := size(kind); ok {
		_, err := u.bytes(n)
		return err
	}
	switch kind {
	case 'S', 'H':
		_, err := u.text()
		return err
	case '[', '{':
		return u.skipContainer(kind, depth)
	}
	return u.Fault("the unknown type %q before here", kind)
}

// skipContainer skips the rest of an array or an object.
func (u *ubjson) skipContainer(bracket byte, depth int) error {
	if depth == mostNested {
		return u.Fault("containers nested more than %d deep", mostNested)
	}
	c, err := u.header()
	if err != nil {
		return err
	}
	if n, _ := size(c.kind); bracket == '[' && n > 0 {
		for left := int64(c.count) * int64(n); left > 0 && err == nil; left -= windowSize / 2 {
			_, err = u.bytes(int(min(left, windowSize/2)))
		}
		return err
	}
	return u.list(c, bracket+2, func(int) error { // in ASCII
		if bracket == '{' {
			typed := u.typed
			u.typed = 0
			if _, err := u.text(); err != nil {
				return err
			}
			u.typed = typed
		}
		return u.skip(depth + 1)
	})
}
