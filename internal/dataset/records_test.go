package dataset

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRecords reads an array of records that numpy wrote, with names that need quotes.
func TestRecords(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "records.npy"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := ReadNPY(bytes.NewReader(b), "records", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"it's", `a "b", c`, "\\n\n", "Größe", "label", "big", "u8", "wide"}
	if !slices.Equal(a.Names, names) {
		t.Errorf("names %q", a.Names)
	}
	const want = "[2 8] [1.5 -2.5 -3 40000 1 -5 6 70000 NaN 1 2 3 0 4 5 6]"
	if got := fmt.Sprint(a.Shape, a.Data); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for n := range b {
		if _, err := ReadNPY(bytes.NewReader(b[:n]), "file", Limits{}); err == nil {
			t.Fatalf("the first %d bytes were accepted", n)
		}
	}
	if _, err := ReadNPY(bytes.NewReader(append(b, 0)), "file", Limits{}); err == nil {
		t.Error("the file with a byte added was accepted")
	}
}

func TestRecordsRefused(t *testing.T) {
	for file, want := range map[string]string{
		"records_inexact": `field "a": the integer 9007199254740993 is too large to be exact`,
		"records_words":   `field "a": values of type "<U1" are not supported`,
		"records_wide":    `field "a" holds several values`,
		"records_matrix":  "the records are no vector",
	} {
		b, err := os.ReadFile(filepath.Join("testdata", file+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = ReadNPY(bytes.NewReader(b), file, Limits{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", file, err, want)
		}
	}
	if _, err := ReadNPY(
		strings.NewReader("\x93NUMPY\x000\x00\x00"), "file", Limits{},
	); err == nil {
		t.Error("version 0 was accepted")
	}
	for _, descr := range []string{
		"[('a', '<f8'), ('a', '<f8')]", "[('a', '<f8')", "[('a' '<f8')]", "[('a', '<f8']", "[]",
		"[('\\x', '<f8')]", "[('\\xff', '<f8'", "[['a', '<f8']]", "[('a', <f8)]", "[(",
	} {
		header := fmt.Sprintf("{'descr': %s, 'fortran_order': False, 'shape': (1,), }", descr)
		if a, err := ReadNPY(bytes.NewReader(npyFile(header, make([]byte, 8))), "file",
			Limits{}); err == nil {
			t.Errorf("%s: %v", descr, a)
		}
	}
}

// TestRecordsEscaped reads names in the escapes in which numpy writes them.
func TestRecordsEscaped(t *testing.T) {
	for escaped, want := range map[string]string{
		`'per\xa0cent'`: "per\u00a0cent", `'\xad'`: "\u00ad", `'\xc3\xa4'`: "\u00c3\u00a4",
		`'\\xa0'`: `\xa0`, `'\u200b'`: "\u200b", `'both\'"'`: `both'"`, `"it's"`: "it's",
		`"a], 'fortran_order': True, 'shape': (9,)"`: "a], 'fortran_order': True, 'shape': (9,)",
	} {
		header := fmt.Sprintf("{'descr': [(%s, '<f8')], 'fortran_order': False, 'shape': (1,), }",
			escaped)
		a, err := ReadNPY(bytes.NewReader(npyFile(header, make([]byte, 8))), "file", Limits{})
		if err != nil || !slices.Equal(a.Names, []string{want}) {
			t.Errorf("%s: %v, %v, want the name %q", escaped, a, err, want)
		}
	}
}
