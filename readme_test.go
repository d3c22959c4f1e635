package facet_test

import (
	"fmt"
	"regexp"
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

// TestCounts compares what README.md says about the paper's tables with docs/results.md.
func TestCounts(t *testing.T) {
	all := pages(t)
	results := all["docs/results.md"]
	_, rest, _ := strings.Cut(all["README.md"], "<!-- counts of docs/results.md -->")
	said, _, _ := strings.Cut(rest, "<!-- end -->")
	printed := regexp.MustCompile(`prints (\d+) cells`).FindStringSubmatch(results)
	twice, once := row(t, results, "all, with what is printed twice"), row(t, results, "all, each once")
	at, rs := row(t, results, "adversarial training"), row(t, results, "robust splitting")
	wants := []string{
		fmt.Sprintf("Of the paper's %s printed cells %s are compared.", printed[1], twice[0]),
		fmt.Sprintf("these are %s: %s equal to the printed digit, %s explained by a cause that was tried, %s differ.", once[0], once[1], once[2], once[3]),
		fmt.Sprintf("Adversarial training: %s of %s equal, %s more as the paper's code did it.", at[1], at[0], at[2]),
		fmt.Sprintf("Robust splitting: %s of %s equal, %s more so.", rs[1], rs[0], rs[2]),
		fmt.Sprintf("on %s six sets", map[int]string{6: "all"}[gains(t, results, "`3nn_ap`", 1)]),
		fmt.Sprintf("The forest gains less on %s of six.", map[int]string{4: "four"}[gains(t, results, "`rf_ap`", -1)]),
	}
	for _, want := range wants {
		if !strings.Contains(said, want) {
			t.Errorf("README.md does not say what docs/results.md does: %s", want)
		}
	}
}

// gains counts the sets on which a defscore becomes larger, or smaller, when robustness is exact.
func gains(t *testing.T, results, column string, sign float64) (n int) {
	t.Helper()
	_, results, _ = strings.Cut(results, "## What exactness changes")
	for _, cell := range row(t, results, column)[:6] {
		before, after, ok := strings.Cut(cell, " → ")
		b, err1 := strconv.ParseFloat(before, 64)
		a, err2 := strconv.ParseFloat(after, 64)
		if !ok || err1 != nil || err2 != nil {
			t.Fatalf("%s: %q is no change", column, cell)
		}
		if sign*(a-b) > 0 {
			n++
		}
	}
	return n
}
