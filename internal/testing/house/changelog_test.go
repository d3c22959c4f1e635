package house_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestChangelog: testdata/candidate.txt is api.txt as it is to be frozen, and each symbol of which
// the two say different things has a line "- `attack.Options.Gap` …" under "### API" of the
// changelog's "Unreleased". A line there names a symbol that differs.
func TestChangelog(t *testing.T) {
	t.Chdir(root)
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	differ := changed(read("internal/testing/house/testdata/candidate.txt"), read("api.txt"))
	named := changesNamed(read("CHANGELOG.md"))
	for _, symbol := range differ {
		if !slices.Contains(named, symbol) {
			t.Errorf("CHANGELOG.md lacks a line that begins \"- `%s`\" under \"### API\" of "+
				"\"## Unreleased\": that symbol of api.txt has changed", symbol)
		}
	}
	for _, symbol := range named {
		if !slices.Contains(differ, symbol) {
			t.Errorf("CHANGELOG.md says that %s has changed, which api.txt does not", symbol)
		}
	}
}

// TestChangesOfAnAPI: each difference of two lists of symbols is named once.
func TestChangesOfAnAPI(t *testing.T) {
	old := "attack: const Exact\nattack: func (Result) Optimal() bool\nattack: type Mode int\n" +
		"metrics: type Options struct, Norm polytope.Norm\npolytope/native: type Solver struct\n"
	for _, test := range []struct{ from, to, want string }{
		{"const Exact", "const Precise", "attack.Exact attack.Precise"},
		{"Optimal() bool", "Optimal() int", "attack.Result.Optimal"},
		{"Norm polytope.Norm", "Norm int", "metrics.Options.Norm"},
		{"type Mode int", "type Mode uint", "attack.Mode"},
		{"type Solver struct", "func Solve(x int)", "native.Solve native.Solver"},
		{"attack: const Exact\n", "", "attack.Exact"},
		{"Exact", "Exact", ""},
	} {
		got := changed(old, strings.Replace(old, test.from, test.to, 1))
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q to %q changes %v, want %s", test.from, test.to, got, test.want)
		}
	}
	text := "# Changes\n\n## Unreleased\n\n- `a.B` is no line of the API.\n" +
		"\n### API\n\n- `c.D` went.\n- `e.F`\n\n## 1.0\n\n### API\n\n- `g.H`\n"
	if got := changesNamed(text); !slices.Equal(got, []string{"c.D", "e.F"}) {
		t.Errorf("named are %v", got)
	}
}

var (
	symbolLine = regexp.MustCompile(
		`(\w+): (?:func \((\w+)\) (\w+)|type (\w+) struct, (\w+)|\w+ (\w+))`)
	changeLine = regexp.MustCompile("(?m)^- `([^`]+)`")
)

// changed returns the symbols of the lines that one of two lists has and the other one has not.
func changed(old, new string) (symbols []string) {
	before, after := strings.Split(old, "\n"), strings.Split(new, "\n")
	for _, line := range append(before, after...) {
		if slices.Contains(before, line) && slices.Contains(after, line) {
			continue
		}
		parts := slices.DeleteFunc(symbolLine.FindStringSubmatch(line)[1:],
			func(part string) bool { return part == "" })
		symbols = append(symbols, strings.Join(parts, "."))
	}
	slices.Sort(symbols)
	return slices.Compact(symbols)
}

// changesNamed returns the symbols that lines under "### API" of "## Unreleased" begin with.
func changesNamed(changelog string) (symbols []string) {
	_, text, _ := strings.Cut(changelog, "\n## Unreleased\n")
	text, _, _ = strings.Cut(text, "\n## ")
	_, text, _ = strings.Cut(text, "\n### API\n")
	text, _, _ = strings.Cut(text, "\n### ")
	for _, m := range changeLine.FindAllStringSubmatch(text, -1) {
		symbols = append(symbols, m[1])
	}
	return symbols
}
