package house_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The columns of a line of Go, with tabs of four, and of one of Markdown.
const (
	goColumns       = 100
	markdownColumns = 120
)

// wide are a history, and pages that programs write.
var wide = []string{
	"CHANGELOG.md", "docs/use/python.md", "docs/inside/results.md",
}

// TestLines keeps lines short. Strings between back quotes are data, and may be longer.
func TestLines(t *testing.T) {
	t.Chdir(root)
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		}
		long := map[string]func(string) []int{
			".go": longGo, ".md": longMarkdown,
		}[filepath.Ext(path)]
		if long == nil || slices.ContainsFunc(wide, func(folder string) bool {
			return path == folder || strings.HasPrefix(path, folder+"/")
		}) {
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, number := range long(string(text)) {
			t.Errorf("%s:%d: the line is too long", path, number)
		}
		return nil
	})
	if err != nil || files < 500 {
		t.Fatalf("%d files, %v", files, err)
	}
}

// longGo returns the numbers of the lines that are too long, but for those of which a raw string
// that reaches over several lines has a part.
func longGo(text string) (numbers []int) {
	data := make(map[int]bool)
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, 0)
	for {
		at, kind, literal := s.Scan()
		if kind == token.EOF {
			break
		}
		if breaks := strings.Count(literal, "\n"); kind == token.STRING && breaks > 0 {
			for i := range breaks + 1 {
				data[file.Line(at)+i] = true
			}
		}
	}
	for i, line := range strings.Split(text, "\n") {
		columns := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
		if columns > goColumns && !data[i+1] {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// unwrapped are the parts of a page that are not wrapped: blocks of code, comments, tables.
var unwrapped = regexp.MustCompile("(?ms)^```.*?^```|<!--.*?-->|^    .*?$|^\\|.*?$")

// longMarkdown returns the numbers of the lines that are too long, outside of tables and code.
func longMarkdown(text string) (numbers []int) {
	text = unwrapped.ReplaceAllStringFunc(text, func(part string) string {
		return strings.Repeat("\n", strings.Count(part, "\n"))
	})
	for i, line := range strings.Split(text, "\n") {
		if utf8.RuneCountInString(line) > markdownColumns {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// TestLongLines: long lines, and lines that only look so.
func TestLongLines(t *testing.T) {
	words := strings.Repeat("x ", 70)
	for _, tt := range []struct {
		name string
		got  []int
		want []int
	}{
		{"tabs", longGo(strings.Repeat("\t", 25) + "\n" + strings.Repeat("\t", 26)), []int{2}},
		{"letters", longGo("// " + strings.Repeat("ℓ", 97)), nil},
		{"comment", longGo("package p\n\n// " + words), []int{3}},
		{"data", longGo("package p\n\nvar s = `\n" + words + "`\n"), nil},
		{"text", longMarkdown("short\n\n" + words), []int{3}},
		{"table", longMarkdown("| " + words), nil},
		{"code", longMarkdown("```\n" + words + "\n```\n\n    " + words), nil},
		{"after code", longMarkdown("```\n" + words + "\n```\n" + words), []int{4}},
	} {
		if !slices.Equal(tt.got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, tt.got, tt.want)
		}
	}
}
