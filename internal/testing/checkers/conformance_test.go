package checkers

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
)

// conformance is the folder of files that checkers accept or refuse.
const conformance = "../../../attack/proof/testdata"

// TestConformance: both checkers, and the reader of models, give each file the verdict of the
// table.
func TestConformance(t *testing.T) {
	t.Parallel()
	p := python.StartChecker(t, folder)
	for _, c := range cases(t) {
		t.Run(c.name, func(t *testing.T) {
			if err := c.inGo(); (err == nil) != (c.verdict == "accept") {
				t.Errorf("attack/proof: %v, want %s: %s", err, c.verdict, c.reason)
			}
			says := c.inPython(t, p)
			if (says == "") != (c.verdict == "accept") {
				t.Errorf("check_proofs.py: %q, want %s: %s", says, c.verdict, c.reason)
			}
			_, err := classifier.Read[classifier.Classifier](bytes.NewReader(c.subject),
				classifier.ReadOptions{})
			if c.reader != "-" && (err == nil) != (c.reader == "accept") {
				t.Errorf("classifier.Read: %v, want %s: %s", err, c.reader, c.reason)
			}
		})
	}
}

// TestOddBytes changes bytes of these files: both checkers say the same of the changed files, and
// so does the reader of models, but where the table has it that they differ, and of lengths of
// numbers and counts of features, which checkers limit.
func TestOddBytes(t *testing.T) {
	t.Parallel()
	p, rng := python.StartChecker(t, folder), rand.New(rand.NewPCG(*seed, 5))
	all, total, accepted := cases(t), *mutants, 0
	if total == 0 {
		total = instance.Count(1000, 100_000)
	}
	for range total {
		c := all[rng.IntN(len(all))]
		at := &c.subject // or the proofs about it, whose sum would not fit another subject
		if c.file != nil {
			at = &c.file
		}
		if *at = slices.Clone(*at); len(*at) == 0 || len(*at) > 1<<16 {
			continue
		}
		for range 1 + rng.IntN(2) {
			*at = oddly(rng, *at)
		}
		err := c.inGo()
		says := c.inPython(t, p)
		if (says == "") != (err == nil) {
			t.Errorf("%s: attack/proof says %v, check_proofs.py %q\n%.1500q",
				c.name, err, says, *at)
		}
		limited := strings.Contains(c.name, "number-long") || strings.Contains(c.name, "features")
		if _, refused := classifier.Read[classifier.Classifier](bytes.NewReader(c.subject),
			classifier.ReadOptions{}); c.file == nil && !limited &&
			c.reader == c.verdict && (refused == nil) != (err == nil) {
			t.Errorf("%s: attack/proof says %v, classifier.Read %v\n%.1500q",
				c.name, err, refused, *at)
		}
		if err == nil {
			accepted++
		}
	}
	t.Logf("%d files, of which %d are accepted", total, accepted)
}

// oddly changes a byte of a file, or leaves it out, or puts another beside it.
func oddly(rng *rand.Rand, file []byte) []byte {
	const odd = "0123456789 \n\t\r,.:;+-eExXpPaAnNfFiI\"[]{}#*@<=\\\x00\x80\xc3\xa4\x1f"
	i, c := rng.IntN(len(file)), odd[rng.IntN(len(odd))]
	switch rng.IntN(4) {
	case 0:
		return slices.Delete(file, i, min(len(file), i+1+rng.IntN(3)))
	case 1:
		return slices.Insert(file, i, c)
	case 2:
		return slices.Insert(file, i, file[i:min(len(file), i+1+rng.IntN(9))]...)
	}
	file[i] = c
	return file
}

// odd is a line of the table.
type odd struct {
	verdict, reader, what, name, reason string
	k                                   int
	subject, file                       []byte // file: nil for a model or rows
	others                              [][]byte
}

// cases reads the table and its files.
func cases(t *testing.T) (all []odd) {
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
		c := odd{verdict: f[0], reader: f[1], what: f[2], name: f[3], reason: f[6]}
		c.k, _ = strconv.Atoi(f[5])
		if about := f[4]; about == "-" {
			c.subject = read(c.name)
		} else {
			models := strings.Fields(about)
			c.subject, c.file = read(models[0]), read(c.name)
			for _, other := range models[1:] {
				c.others = append(c.others, read(other))
			}
		}
		all = append(all, c)
	}
	return all
}

// inGo returns the objection of attack/proof.
func (c *odd) inGo() error {
	var m *proof.Model
	var err error
	if c.k > 0 {
		m, err = proof.ReadRows(bytes.NewReader(c.subject), c.k)
	} else {
		m, err = proof.ReadModel(bytes.NewReader(c.subject))
	}
	switch {
	case err != nil || len(c.file) == 0:
		return err
	case c.what == "pruning":
		_, err = proof.CheckPruning(bytes.NewReader(c.file), m)
		return err
	case c.what == "properties":
		return proof.CheckProperties(bytes.NewReader(c.file),
			func(proof.Property) error { return nil }, m)
	}
	var others []*proof.Model
	for _, text := range c.others {
		other, err := proof.ReadModel(bytes.NewReader(text))
		if err != nil {
			return err
		}
		others = append(others, other)
	}
	return proof.Check(bytes.NewReader(c.file), m, func(proof.Claim) error { return nil },
		others...)
}

// inPython returns the objection of check_proofs.py.
func (c *odd) inPython(t *testing.T, p *python.Checker) string {
	if c.others == nil {
		return p.RefusesRows(t, c.k, c.subject, c.file)
	}
	return p.RefusesProperties(t, append([][]byte{c.subject}, c.others...), c.file)
}
