package dataset

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// endless repeats a text, calling seen for each time.
type endless struct {
	text string
	seen func()
}

func (e endless) Read(p []byte) (int, error) {
	e.seen()
	n := 0
	for n+len(e.text) <= len(p) {
		n += copy(p[n:], e.text)
	}
	return n, nil
}

// TestLimits reads files that are just within a limit of 400 values, and one step beyond.
func TestLimits(t *testing.T) {
	limits := Limits{Values: 400} // 100 rows, 6400 bytes
	readLIBSVM := func(r io.Reader) error { _, err := ReadLIBSVM(r, "f", limits); return err }
	readNPY := func(r io.Reader) error { _, err := ReadNPY(r, "f", limits); return err }
	readIDX := func(r io.Reader) error { _, err := ReadIDX(r, "f", limits); return err }
	npy := func(shape string, n int) string {
		return string(npyFile(npyHeader("|u1", shape), make([]byte, n)))
	}
	idx := func(n int, shape ...uint32) string { return string(idxFile(shape, make([]byte, n)...)) }
	spaces := strings.Repeat(" ", 6000) + "\n"
	for name, c := range map[string]struct {
		read         func(io.Reader) error
		good, beyond string
		says         string
	}{
		"LIBSVM rows": {readLIBSVM, strings.Repeat("1\n", 100), strings.Repeat("1\n", 101),
			"f:101: too large: 101 rows, at most 100 are allowed within the limit of 400 values"},
		"LIBSVM values": {readLIBSVM, strings.Repeat("1 1:1 2:1\n", 80),
			strings.Repeat("1 1:1 2:1\n", 81),
			"f:81: too large: at most 400 labels, indices and values"},
		"LIBSVM bytes": {readLIBSVM, "1\n" + spaces, "1\n" + spaces + spaces,
			"f:4: too large: more than 6400 bytes of contents, at most so many are allowed " +
				"within the limit of 400 values"},
		"NPY rows": {readNPY, npy("(100,)", 100), npy("(101,)", 101),
			"f: too large: 101 rows"},
		"NPY values": {readNPY, npy("(4, 100)", 400), npy("(5, 100)", 500),
			"f: too large: 5 rows of 100 features"},
		"NPY announced": {readNPY, npy("(4, 100)", 400), npy("(1000000000000000000, 1)", 0),
			"f: too large: 1000000000000000000 rows, at most 100"},
		"IDX rows": {readIDX, idx(100, 100), idx(101, 101), "f: too large: 101 rows"},
		"IDX values": {readIDX, idx(400, 4, 10, 10), idx(500, 5, 10, 10),
			"f: too large: 5 rows of 100 features"},
	} {
		t.Run(name, func(t *testing.T) {
			guarded := func(text string) io.Reader {
				return Guard(t.Context(), strings.NewReader(text), limits)
			}
			if err := c.read(guarded(c.good)); err != nil {
				t.Errorf("within the limits: %v", err)
			}
			err := c.read(guarded(c.beyond))
			if !errors.Is(err, ErrLimit) || !errors.Is(err, ErrTooLarge) {
				t.Errorf("error %v, want one that wraps ErrLimit", err)
			}
			checkError(t, err, c.says)
		})
	}
}

// TestLimitOfDense raises the limit with which the rows are read, and so that of the set.
func TestLimitOfDense(t *testing.T) {
	text := "1 50:1\n" + strings.Repeat("0\n", 9)
	for values, want := range map[int]error{499: ErrLimit, 500: nil} {
		s, err := ReadLIBSVM(strings.NewReader(text), "f", Limits{Values: values})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Dense(1, 50); !errors.Is(err, want) {
			t.Errorf("limit %d: error %v, want %v", values, err, want)
		}
	}
}

// TestReadingIsCancelled ends the context while an endless file is read.
func TestReadingIsCancelled(t *testing.T) {
	header := npyHeader("<f8", "(1000000, 10)")
	for name, c := range map[string]struct {
		head, text string
		read       func(io.Reader) error
	}{
		"LIBSVM": {"", "1 1:1\n",
			func(r io.Reader) error { _, err := ReadLIBSVM(r, "f", Limits{}); return err }},
		"blank lines": {"", "\n",
			func(r io.Reader) error { _, err := ReadLIBSVM(r, "f", Limits{}); return err }},
		"NPY": {string(npyFile(header, nil)), "\x00",
			func(r io.Reader) error { _, err := ReadNPY(r, "f", Limits{}); return err }},
		"IDX": {string(idxFile([]uint32{1_000_000, 10})), "\x00",
			func(r io.Reader) error { _, err := ReadIDX(r, "f", Limits{}); return err }},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			reads := 0
			source := endless{c.text, func() {
				if reads++; reads == 3 {
					cancel()
				}
			}}
			err := c.read(Guard(ctx, io.MultiReader(strings.NewReader(c.head), source), Limits{}))
			if !errors.Is(err, context.Canceled) || reads != 3 {
				t.Errorf("error %v after %d reads, want %v after 3", err, reads, context.Canceled)
			}
		})
	}
}

func TestLoadCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	libsvm := writeFile(t, "a", []byte("1 1:1\n"))
	idx := writeFile(t, "a-ubyte.gz", idxFile([]uint32{1}, 1))
	for name, load := range map[string]func() error{
		"Load":       func() error { _, err := Load(ctx, libsvm); return err },
		"LoadImages": func() error { _, err := LoadImages(ctx, idx, idx); return err },
	} {
		if err := load(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want %v", name, err, context.Canceled)
		}
	}
}

func TestGuardIsTransparent(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789"), 160)
	for n, want := range map[int]error{1599: nil, 1600: nil} {
		got, err := io.ReadAll(Guard(t.Context(), bytes.NewReader(text[:n]), Limits{Values: 100}))
		if !errors.Is(err, want) || !bytes.Equal(got, text[:n]) {
			t.Errorf("%d of %d bytes, %v, want %v", len(got), n, err, want)
		}
	}
}
