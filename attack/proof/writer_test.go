package proof_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
)

// TestWriterKinds: a file holds one kind of proofs, which the first decides, and a proof of another
// is an error that says so.
func TestWriterKinds(t *testing.T) {
	const (
		one, all   = "proof\nend\n", "property\nend\n"
		also       = "proof\nalso 1\nby 1 0\nend\n"
		proofs     = "facet-proofs 1\n"
		properties = "facet-properties 1\n"
	)
	model := func(k int) string {
		return "model sha256 " + strings.Repeat("0"+strconv.Itoa(k), 32) + "\n"
	}
	for _, test := range []struct {
		models int
		write  []string
		want   string
		says   string // of the last
	}{
		{1, []string{""}, proofs + model(1), ""},
		{1, []string{one, one}, proofs + model(1) + one + one, ""},
		{1, []string{all, all + all}, properties + model(1) + all + all + all, ""},
		{2, []string{all}, properties + model(1) + model(2) + all, ""},
		{0, []string{one, one}, one + one, ""},
		{0, []string{all}, all, ""},
		{1, []string{one, all}, proofs + model(1) + one, "a property of all inputs"},
		{1, []string{all, one}, properties + model(1) + all, "a proof about a single input"},
		{0, []string{one, all}, one, "a property of all inputs"},
		{0, []string{all, one}, all, "a proof about a single input"},
		{2, []string{one, also}, proofs + model(1) + model(2) + one + also, ""},
		{3, []string{all}, "", "one model or two, not 3"},
	} {
		var sums [][32]byte
		for k := range test.models {
			sums = append(sums, [32]byte(bytes.Repeat([]byte{byte(k + 1)}, 32)))
		}
		var text bytes.Buffer
		w, err := proof.NewWriter(&text, sums...), error(nil)
		for k, p := range test.write {
			if _, err = w.Write([]byte(p)); err != nil && k < len(test.write)-1 {
				t.Errorf("%d models, %q: %v", test.models, p, err)
			}
		}
		if text.String() != test.want || (err == nil) != (test.says == "") ||
			!strings.Contains(fmt.Sprint(err), test.says) && err != nil {
			t.Errorf("%d models, %q: %q, %v, want %q, %q", test.models, test.write, text.String(),
				err, test.want, test.says)
		}
	}
}

// full is a file that takes no more than so many bytes.
type full int

func (f *full) Write(text []byte) (int, error) {
	n := min(len(text), int(*f))
	if *f -= full(n); n < len(text) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

// TestWriterFails: text that a file does not take is an error, and so is a Writer of none.
func TestWriterFails(t *testing.T) {
	const text = "proof\nend\n"
	for room, want := range map[full]int{0: 0, 50: 0, 100: 7} {
		n, err := proof.NewWriter(&room, [32]byte{}).Write([]byte(text))
		if n != want || !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("room for %d more: %d written, %v", room, n, err)
		}
	}
	for _, w := range []*proof.Writer{new(proof.Writer), proof.NewWriter(nil)} {
		if _, err := w.Write([]byte(text)); !strings.Contains(fmt.Sprint(err), "NewWriter") {
			t.Errorf("a Writer of no file: %v", err)
		}
	}
}
