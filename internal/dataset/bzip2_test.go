package dataset

import (
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// lines is what testdata/lines.bz2 holds, which bzip2 -1 made of it.
func lines() []byte {
	var text []byte
	for i := range 12000 {
		text = fmt.Appendf(text, "%d line of many\n", i*i)
	}
	return text
}

func packedLines(t *testing.T) []byte {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join("testdata", "lines.bz2"))
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

func TestBunzip(t *testing.T) {
	packed := packedLines(t)
	if marks, ok := marksOf(packed); !ok || len(marks) != 4 {
		t.Fatalf("marks %v, %v, want three blocks and an end", marks, ok)
	}
	r, err := bunzip(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, lines()) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestBunzipOutOfTheOrdinary compares files that are not one sound stream with what
// package bzip2 makes of them: the bytes before a fault, and the error.
func TestBunzipOutOfTheOrdinary(t *testing.T) {
	packed := packedLines(t)
	marks, _ := marksOf(packed)
	files := map[string][]byte{
		"empty":          nil,
		"two streams":    append(slices.Clone(packed), packed...),
		"trailing bytes": append(slices.Clone(packed), 0, 1, 2),
		"text":           []byte("not compressed at all"),
		"no block":       slices.Concat(packed[:4], packed[len(packed)-10:]),
	}
	for _, n := range []int{
		3, 4, 100, len(packed) / 2, len(packed) - 11, len(packed) - 4, len(packed) - 1,
	} {
		files[fmt.Sprintf("cut at %d", n)] = packed[:n]
	}
	flip := func(bit int) []byte {
		file := slices.Clone(packed)
		file[bit/8] ^= 0x80 >> (bit % 8)
		return file
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range marks {
		files[fmt.Sprintf("mark %d", i)] = flip(marks[i] + 5)
		files[fmt.Sprintf("checksum %d", i)] = flip(marks[i] + markBits + 3)
	}
	for range 20 {
		bit := rng.IntN(8 * len(packed))
		files[fmt.Sprintf("bit %d", bit)] = flip(bit)
	}
	for name, file := range files {
		t.Run(name, func(t *testing.T) { checkBunzip(t, file) })
	}
}

// checkBunzip compares with package bzip2.
func checkBunzip(t *testing.T, file []byte) {
	t.Helper()
	want, wantErr := io.ReadAll(bzip2.NewReader(bytes.NewReader(file)))
	r, err := bunzip(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if !bytes.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Errorf("%d bytes, %v, want %d, %v", len(got), err, len(want), wantErr)
	}
}

// randomTexts draws a few texts of few kinds of bytes or many, with runs.
func randomTexts(rng *rand.Rand) (texts [][]byte) {
	kinds := 2 + rng.IntN(255)>>rng.IntN(8)
	for range 1 + rng.IntN(20) {
		var text []byte
		for range 1 + rng.IntN(200) {
			b := []byte{byte(rng.IntN(kinds) * 255 / (kinds - 1))}
			text = append(text, bytes.Repeat(b, 1+rng.IntN(8)>>rng.IntN(4))...)
		}
		texts = append(texts, text)
	}
	return texts
}

// TestUnpack reads streams of random blocks on its own, at all levels, and compares what
// package bzip2 makes of them, and of what is left when bits are turned.
func TestUnpack(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 60 {
		texts := randomTexts(rng)
		file := zipped(rng, byte('1'+i%9), texts)
		marks, ok := marksOf(file)
		padded := append(slices.Clone(file), make([]byte, slack)...)
		text := slices.Concat(texts...)
		if !ok || !bytes.Equal(new(unpacker).unpack(padded, marks), text) {
			t.Fatalf("%d texts are not read: marks %v, %v", len(texts), marks, ok)
		}
		checkBunzip(t, file)
		for range 3 {
			bit := rng.IntN(8 * len(file))
			file[bit/8] ^= 0x80 >> (bit % 8)
			checkBunzip(t, file)
			file[bit/8] ^= 0x80 >> (bit % 8)
		}
	}
}

// TestUnpackRuns reads a block, and leaves one of long runs, whose text would take much
// memory, to package bzip2.
func TestUnpackRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	short, long := bytes.Repeat([]byte("ab"), 2000), bytes.Repeat([]byte{7}, 20*1000)
	file := zipped(rng, '1', [][]byte{short, long, short})
	marks, _ := marksOf(file)
	padded := append(slices.Clone(file), make([]byte, slack)...)
	if got := new(unpacker).unpack(padded, marks[:2]); !bytes.Equal(got, short) {
		t.Errorf("%d bytes of a block", len(got))
	}
	if got := new(unpacker).unpack(padded, marks); got != nil {
		t.Errorf("%d bytes where there are long runs", len(got))
	}
	checkBunzip(t, file)
}

func TestBunzipKeepsErrors(t *testing.T) {
	if _, err := bunzip(&failing{"BZh9", io.ErrNoProgress}); err != io.ErrNoProgress {
		t.Errorf("error %v, want that of the reader", err)
	}
}
