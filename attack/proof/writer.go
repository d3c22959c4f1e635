package proof

import (
	"fmt"
	"io"
)

// Writer is a file of proofs that is being written: attack.RegionBased.Prove adds them, or the
// questions of attack/property.
type Writer struct {
	to io.Writer
}

// NewWriter begins a file of proofs about the model whose file has this SHA-256.
func NewWriter(to io.Writer, model [32]byte) (*Writer, error) {
	if _, err := fmt.Fprintf(to, "facet-proofs 1\nmodel sha256 %x\n", model); err != nil {
		return nil, fmt.Errorf("proof: beginning a file: %w", err)
	}
	return &Writer{to}, nil
}

// NewProperties begins a file of proofs about all inputs of one model, or two: attack/property adds
// them.
func NewProperties(to io.Writer, models ...[32]byte) (*Writer, error) {
	text := []byte("facet-properties 1\n")
	for _, sum := range models {
		text = fmt.Appendf(text, "model sha256 %x\n", sum)
	}
	if _, err := to.Write(text); err != nil {
		return nil, fmt.Errorf("proof: beginning a file: %w", err)
	}
	return &Writer{to}, nil
}

// Continue returns a Writer that adds to a file that has been begun.
func Continue(to io.Writer) *Writer { return &Writer{to} }

// Write adds a whole proof, from its first line to its line "end".
func (w *Writer) Write(text []byte) (int, error) { return w.to.Write(text) }
