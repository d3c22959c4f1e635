package house_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// row returns the cells of the first line of a table of a page that begins with a name.
func row(t *testing.T, page, name string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(page, "\n| "+name+" | ")
	line, _, _ := strings.Cut(rest, "\n")
	if !ok {
		t.Fatalf("no line %q", name)
	}
	return strings.Split(strings.TrimSuffix(line, " |"), " | ")
}

// TestCounts compares the sentences of README.md about the paper's tables with
// docs/inside/results.md.
func TestCounts(t *testing.T) {
	t.Chdir(root)
	all := pages(t)
	results := all["docs/inside/results.md"]
	_, rest, _ := strings.Cut(all["README.md"], "<!-- counts of docs/inside/results.md -->")
	said, _, _ := strings.Cut(rest, "<!-- end -->")
	table, _, _ := strings.Cut(results[strings.Index(results, "| the paper's cells"):], "\n\n")
	at, rs := row(t, results, "adversarial training"), row(t, results, "robust splitting")
	wants := []string{
		table,
		fmt.Sprintf("Adversarial training: %s of %s equal, %s more explained.",
			at[1], at[0], at[2]),
		fmt.Sprintf("Robust splitting: %s of %s equal, %s more as the paper's code did it.",
			rs[1], rs[0], rs[2]),
		fmt.Sprintf("on %d of nine sets", gains(t, results, "`3nn_ap`", 1)),
		fmt.Sprintf("The forest gains less on %d of nine.", gains(t, results, "`rf_ap`", -1)),
	}
	for _, want := range wants {
		if !strings.Contains(words(said), words(want)) {
			t.Errorf("README.md does not say what docs/inside/results.md does: %s", want)
		}
	}
}

// words returns a text without its line breaks.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// gains counts the sets on which a defscore becomes larger, or smaller, when robustness is exact.
func gains(t *testing.T, results, column string, sign float64) (n int) {
	t.Helper()
	_, results, _ = strings.Cut(results, "## What exactness changes")
	for _, cell := range row(t, results, column)[:9] {
		before, after, ok := strings.Cut(cell, " → ")
		if !ok {
			continue // it is the same, or was not computed
		}
		b, err1 := strconv.ParseFloat(before, 64)
		a, err2 := strconv.ParseFloat(after, 64)
		if err1 != nil || err2 != nil {
			t.Fatalf("%s: %q is no change", column, cell)
		}
		if sign*(a-b) > 0 {
			n++
		}
	}
	return n
}
