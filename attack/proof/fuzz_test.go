package proof

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sums are where a file of proofs names its subject.
var sums = regexp.MustCompile(`sha256 [0-9a-f]{64}`)

// FuzzCheck reads a changed model or training set of testdata, and checks changed proofs, which are
// made to name the changed file: there is no panic, and each error about proofs wraps ErrProof.
// Only refusals are recovered on the way.
func FuzzCheck(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, subject, file []byte, k uint8) {
		file = sums.ReplaceAll(file, fmt.Appendf(nil, "sha256 %x", sha256.Sum256(subject)))
		m, err := ReadModel(bytes.NewReader(subject))
		if k > 0 {
			m, err = ReadRows(bytes.NewReader(subject), int(k))
		}
		if err != nil {
			return
		}
		if m.dim < 1 || m.classes < 1 {
			t.Errorf("%d features, %d classes", m.dim, m.classes)
		}
		about := "proof: pruning is about a training set"
		switch {
		case bytes.HasPrefix(file, []byte("facet-pruning")):
			_, err = CheckPruning(bytes.NewReader(file), m)
		case bytes.HasPrefix(file, []byte("facet-properties")):
			about = "proof: proofs about all inputs"
			err = CheckProperties(bytes.NewReader(file), func(Property) error { return nil }, m)
		default:
			err = Check(bytes.NewReader(file), m, func(Claim) error { return nil })
		}
		if err != nil && !errors.Is(err, ErrProof) &&
			!strings.HasPrefix(err.Error(), about) {
			t.Error(err)
		}
	})
}

// seeds adds all small files of testdata.
func seeds(f *testing.F) {
	content := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		return text
	}
	lines := strings.Split(strings.TrimSpace(string(content("cases.tsv"))), "\n")
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		k, _ := strconv.Atoi(cells[5])
		subject, file := content(cells[3]), []byte(nil)
		if about := cells[4]; about != "-" {
			subject, file = content(strings.Fields(about)[0]), subject
		}
		if len(subject)+len(file) < 1<<14 {
			f.Add(subject, file, uint8(k))
		}
	}
}
