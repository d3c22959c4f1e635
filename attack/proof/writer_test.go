package proof_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
)

// TestWriterKinds: a file holds one kind of proofs, and what is of another is an error that says
// so.
func TestWriterKinds(t *testing.T) {
	begin := func(w *proof.Writer, err error) *proof.Writer {
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	const one, all = "proof\nend\n", "property\nend\n"
	for _, test := range []struct {
		make  func(to *bytes.Buffer) *proof.Writer
		write []string
		says  string // of the last
	}{
		{func(to *bytes.Buffer) *proof.Writer { return begin(proof.NewWriter(to, [32]byte{})) },
			[]string{one, one, all}, "begin another one by NewProperties"},
		{func(to *bytes.Buffer) *proof.Writer { return begin(proof.NewProperties(to, [32]byte{})) },
			[]string{all, one}, "begin another one by NewWriter"},
		{func(to *bytes.Buffer) *proof.Writer { return proof.Continue(to) },
			[]string{one, all}, "NewProperties"},
		{func(to *bytes.Buffer) *proof.Writer { return proof.Continue(to) },
			[]string{all, one}, "NewWriter"},
		{func(*bytes.Buffer) *proof.Writer { return new(proof.Writer) },
			[]string{one}, "is made by NewWriter"},
	} {
		var text bytes.Buffer
		w, last := test.make(&text), len(test.write)-1
		for _, p := range test.write[:last] {
			if _, err := w.Write([]byte(p)); err != nil {
				t.Errorf("%q: %v", p, err)
			}
		}
		before := text.Len()
		_, err := w.Write([]byte(test.write[last]))
		if !strings.Contains(fmt.Sprint(err), test.says) || text.Len() > before {
			t.Errorf("%q: %v, want %q", test.write, err, test.says)
		}
	}
}
