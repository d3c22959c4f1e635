package house_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

// command writes anew the files that the tests compare.
const command = "go test ./internal/testing/house -update"

var update = flag.Bool("update", false, "write api.txt and the tables of documents anew")

// root is that of the module, where the tests work. A test goes there itself: files that it opens
// after that are known to go test, which else took its result for one of the same files.
const root = "../../.."

// compareTable compares the table of a page between two comments with the one made now.
func compareTable(t *testing.T, page, table string) {
	t.Helper()
	const first, last = "<!-- made by " + command + " -->\n", "<!-- end -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), first)
	_, after, ok2 := strings.Cut(rest, last)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no %q … %q", page, first, last)
	}
	compareFile(t, page, before+first+table+last+after)
}

// compareFile compares a file with the text wanted, or writes it.
func compareFile(t *testing.T, name, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) == want {
		return
	}
	have, wanted := strings.Split(string(got), "\n"), strings.Split(want, "\n")
	for _, line := range wanted {
		if !slices.Contains(have, line) {
			t.Errorf("%s lacks: %s", name, line)
		}
	}
	for _, line := range have {
		if !slices.Contains(wanted, line) {
			t.Errorf("%s has a line too many: %s", name, line)
		}
	}
	t.Errorf("%s is out of date: if that is meant, run %s", name, command)
}
