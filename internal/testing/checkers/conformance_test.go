package checkers

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
)

// conformance is the folder of files that checkers accept or refuse.
const conformance = "../../../attack/proof/testdata"

// TestConformance: both checkers, and the reader of models, say of each file what the table says.
func TestConformance(t *testing.T) {
	t.Parallel()
	p := python.StartChecker(t, "../../../docs")
	read := func(name string) []byte {
		content, err := os.ReadFile(filepath.Join(conformance, name))
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	rows := strings.Split(strings.TrimSpace(string(read("cases.tsv"))), "\n")
	for _, row := range rows[1:] {
		f := strings.Split(row, "\t")
		if len(f) != 7 {
			t.Fatalf("%q has %d fields", row, len(f))
		}
		verdict, reader, what, name, about, reason := f[0], f[1], f[2], f[3], f[4], f[6]
		k, _ := strconv.Atoi(f[5])
		file, subject := read(name), []byte(nil)
		if about != "-" {
			subject = read(about)
		} else {
			file, subject = nil, file
		}
		t.Run(name, func(t *testing.T) {
			if err := inGo(what, subject, file, k); (err == nil) != (verdict == "accept") {
				t.Errorf("attack/proof: %v, want %s: %s", err, verdict, reason)
			}
			says := p.RefusesRows(t, k, subject, file)
			if (says == "") != (verdict == "accept") {
				t.Errorf("docs/check_proofs.py: %q, want %s: %s", says, verdict, reason)
			}
			_, err := classifier.Read(bytes.NewReader(subject))
			if reader != "-" && (err == nil) != (reader == "accept") {
				t.Errorf("classifier.Read: %v, want %s: %s", err, reader, reason)
			}
		})
	}
}

// inGo returns what attack/proof says against a file about another.
func inGo(what string, subject, file []byte, k int) error {
	var m *proof.Model
	var err error
	if k > 0 {
		m, err = proof.ReadRows(bytes.NewReader(subject), k)
	} else {
		m, err = proof.ReadModel(bytes.NewReader(subject))
	}
	switch {
	case err != nil || file == nil:
		return err
	case what == "pruning":
		_, err = proof.CheckPruning(bytes.NewReader(file), m)
		return err
	}
	return proof.Check(bytes.NewReader(file), m, func(proof.Claim) error { return nil })
}
