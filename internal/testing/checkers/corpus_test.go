package checkers

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
)

var corpus = flag.String("corpus", "", "take the models and proofs that tools/proof_corpus.py "+
	"made in this folder")

// corpusSubjects are the models of the corpus, if one is named, with a file of proofs each, about
// inputs or properties of all; only those that are not long.
func corpusSubjects(t *testing.T) (all []*subject) {
	t.Helper()
	if *corpus == "" {
		return nil
	}
	content := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(*corpus, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for line := range strings.Lines(string(content("corpus.tsv"))) {
		names := strings.Split(strings.TrimSpace(line), "\t")
		text, file := content(names[1]), content(names[2])
		if names[0] == "pruning" {
			continue
		}
		if len(text)+len(file) > 1<<17 {
			continue
		}
		m, err := proof.ReadModel(bytes.NewReader(file))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		s := &subject{name: names[1], file: file, model: m}
		if s.properties = bytes.HasPrefix(text, []byte("facet-properties")); !s.properties {
			s.c = read(t, file)
		}
		_, body, _ := bytes.Cut(text, []byte("\nmodel"))
		_, body, _ = bytes.Cut(body, []byte("\n"))
		for p := range bytes.SplitSeq(body, []byte("end\n")) {
			if len(p) > 0 {
				s.proofs = append(s.proofs, append(slices.Clip(p), "end\n"...))
			}
		}
		all = append(all, s)
	}
	return all
}
