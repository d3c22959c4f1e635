package proof

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Writer is a file of proofs that is being written, by attack.Options.Proof or by
// attack/property.Options.Proof. A file holds one kind of proofs: about single inputs, or
// properties of all. Many goroutines may write at once.
type Writer struct {
	mu   sync.Mutex
	to   io.Writer
	kind string // the first word of each proof; "" before the first one of a file that is continued
}

// What the first words of proofs are.
const (
	aboutOne = "proof"
	aboutAll = "property"
)

var errNoFile = errors.New("proof: no file to write to")

// NewWriter begins a file of proofs about the model whose file has this SHA-256.
func NewWriter(to io.Writer, model [32]byte) (*Writer, error) {
	if to == nil {
		return nil, errNoFile
	}
	if _, err := fmt.Fprintf(to, "facet-proofs 1\nmodel sha256 %x\n", model); err != nil {
		return nil, fmt.Errorf("proof: beginning a file: %w", err)
	}
	return &Writer{to: to, kind: aboutOne}, nil
}

// NewProperties begins a file of proofs about all inputs of one model, or two: attack/property adds
// them.
func NewProperties(to io.Writer, models ...[32]byte) (*Writer, error) {
	if to == nil {
		return nil, errNoFile
	}
	text := []byte("facet-properties 1\n")
	for _, sum := range models {
		text = fmt.Appendf(text, "model sha256 %x\n", sum)
	}
	if _, err := to.Write(text); err != nil {
		return nil, fmt.Errorf("proof: beginning a file: %w", err)
	}
	return &Writer{to: to, kind: aboutAll}, nil
}

// Continue returns a Writer that adds to a file that has been begun.
func Continue(to io.Writer) *Writer { return &Writer{to: to} }

// Write adds whole proofs, from their first lines to their lines "end". It returns an error for
// those that a file of this kind does not hold.
func (w *Writer) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	kind := aboutOne
	if bytes.HasPrefix(text, []byte(aboutAll)) {
		kind = aboutAll
	}
	switch {
	case w.to == nil:
		return 0, errors.New("proof: a Writer is made by NewWriter, NewProperties or Continue")
	case w.kind != "" && w.kind != kind && kind == aboutAll:
		return 0, errors.New("proof: a property of all inputs, and the file holds proofs about " +
			"single inputs: begin another one by NewProperties")
	case w.kind != "" && w.kind != kind:
		return 0, errors.New("proof: a proof about a single input, and the file holds properties " +
			"of all: begin another one by NewWriter")
	}
	w.kind = kind
	n, err := w.to.Write(text)
	if err != nil {
		return n, fmt.Errorf("proof: writing: %w", err)
	}
	return n, nil
}
