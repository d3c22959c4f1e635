package proof

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// Writer is a file of proofs that is being written, by attack.Options.Proof or by
// attack/property.Options.Proof. A file holds one kind of proofs, that of the first one: about
// single inputs, or properties of all. Many goroutines may write at once.
type Writer struct {
	mu     sync.Mutex
	to     io.Writer
	models [][32]byte
	kind   string // the first word of each proof; "" before the first one
}

// The first words of proofs.
const (
	aboutOne = "proof"
	aboutAll = "property"
)

// NewWriter returns the Writer of a file of proofs about the model whose file has this SHA-256, or
// of properties of one model or two. Models that are to accept an example besides follow in the
// order of attack.Options.Also. The first proof begins the file. Without
// models proofs are added to one that has been begun.
func NewWriter(to io.Writer, models ...[32]byte) *Writer {
	return &Writer{to: to, models: slices.Clone(models)}
}

// Models returns the number of models of the file, 0 if it has been begun elsewhere.
func (w *Writer) Models() int { return len(w.models) }

// Write adds whole proofs, from their first lines to their lines "end"; none begin a file about
// single inputs. It returns an error for those that a file of this kind does not hold.
func (w *Writer) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	kind := aboutOne
	if bytes.HasPrefix(text, []byte(aboutAll)) {
		kind = aboutAll
	}
	if err := w.refuse(kind); err != nil {
		return 0, err
	}
	whole := text
	if begin := w.begin(kind); begin != nil {
		whole = append(begin, text...)
	}
	n, err := w.to.Write(whole)
	if err != nil {
		return max(0, n-len(whole)+len(text)), fmt.Errorf("proof: writing: %w", err)
	}
	w.kind = kind
	return len(text), nil
}

// refuse returns an error if the file does not hold proofs of a kind.
func (w *Writer) refuse(kind string) error {
	switch {
	case w.to == nil:
		return errors.New("proof: no file to write to: a Writer is made by NewWriter")
	case len(w.models) > 2 && kind == aboutAll:
		return fmt.Errorf("proof: a file of properties is about one model or two, not %d",
			len(w.models))
	case w.kind == "" || w.kind == kind:
		return nil
	case kind == aboutAll:
		return errors.New("proof: a property of all inputs, and the file holds proofs about " +
			"single inputs: another Writer makes another file")
	}
	return errors.New("proof: a proof about a single input, and the file holds properties " +
		"of all: another Writer makes another file")
}

// begin returns the first lines of a file that has none.
func (w *Writer) begin(kind string) (text []byte) {
	if w.kind != "" || len(w.models) == 0 {
		return nil
	}
	text = []byte("facet-proofs 1\n")
	if kind == aboutAll {
		text = []byte("facet-properties 1\n")
	}
	for _, sum := range w.models {
		text = fmt.Appendf(text, "model sha256 %x\n", sum)
	}
	return text
}
