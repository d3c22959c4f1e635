package house_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pages are the documents that people read, by file name.
func pages(t *testing.T) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	for _, pattern := range []string{"*.md", "docs/*/*.md", "docs/use/guide/*.md"} {
		files, err := filepath.Glob(filepath.FromSlash(pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[filepath.ToSlash(file)] = string(text)
		}
	}
	return texts
}

// block is a fenced block of a page.
type block struct{ language, text string }

var fenced = regexp.MustCompile("(?s)```([a-z]+)\n(.*?)```")

func blocks(page string) (list []block) {
	for _, m := range fenced.FindAllStringSubmatch(page, -1) {
		list = append(list, block{m[1], m[2]})
	}
	return list
}

func exists(t *testing.T, page, what, file string) {
	t.Helper()
	if _, err := os.Stat(filepath.FromSlash(file)); err != nil {
		t.Errorf("%s: %s: %v", page, what, err)
	}
}

// TestLinks follows the links of the pages within the repository.
func TestLinks(t *testing.T) {
	t.Chdir(root)
	link := regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)`)
	for page, text := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			if !strings.Contains(m[1], "://") {
				exists(t, page, m[1], filepath.Join(filepath.Dir(page), m[1]))
			}
		}
	}
}

var (
	spaces = regexp.MustCompile(`[ \t]+`)
	checks = regexp.MustCompile(`(?m)^\s*if err != nil \{\n\s*log\.Fatal\(err\)\n\s*\}\n`)
)

// code is Go as it is compared: without checks of errors, indentation and the alignment of
// comments.
func code(text string) string {
	var lines []string
	for line := range strings.Lines(checks.ReplaceAllString(text, "")) {
		if line = strings.TrimSpace(spaces.ReplaceAllString(line, " ")); line != "" {
			lines = append(lines, line)
		}
	}
	return "\n" + strings.Join(lines, "\n") + "\n"
}

// TestGo finds the pages' programs in Go, and their output, in the examples, which are compiled and
// run.
func TestGo(t *testing.T) {
	t.Chdir(root)
	file, err := os.ReadFile("internal/testing/house/guide_example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	examples, compared := strings.Split(string(file), "\nfunc Example"), 0
	for page, text := range pages(t) {
		before := ""
		for _, b := range blocks(text) {
			if b.language == "go" {
				before, compared = b.text, compared+1
				if !slices.ContainsFunc(
					examples, func(e string) bool {
						return strings.Contains(code(e), code(b.text))
					},
				) {
					t.Errorf("%s: no example of guide_example_test.go holds\n%s", page, b.text)
				}
				continue
			}
			if b.language == "text" && before != "" {
				printed := "// " + strings.ReplaceAll(strings.TrimSpace(b.text), "\n", "\n// ")
				if !slices.ContainsFunc(examples, func(e string) bool {
					return strings.Contains(code(e), code(before)) &&
						strings.Contains(code(e), "\n"+printed+"\n") ||
						strings.Contains(code(e), code(before)) &&
							strings.Contains(e, "// Output: "+strings.TrimSpace(b.text)+"\n")
				}) {
					t.Errorf("%s: no example prints\n%s", page, b.text)
				}
			}
			before = ""
		}
	}
	if compared < 12 {
		t.Errorf("%d blocks were compared", compared)
	}
}

// TestPython finds the Python of the guide in docs/use/python.md, which tools/python_walk.py runs.
func TestPython(t *testing.T) {
	t.Chdir(root)
	all, compared := pages(t), 0
	for _, b := range blocks(all["docs/use/guide/python.md"]) {
		if b.language == "python" {
			compared++
			if !strings.Contains(all["docs/use/python.md"], b.text) {
				t.Errorf("docs/use/python.md lacks\n%s", b.text)
			}
		}
	}
	if compared == 0 {
		t.Error("docs/use/guide/python.md has no Python")
	}
}

// TestCommands: programs, packages, tests, benchmarks and files that commands name are there.
func TestCommands(t *testing.T) {
	t.Chdir(root)
	const raw = "https://raw.githubusercontent.com/seed-1a7dc1f9/facet/main/"
	program := regexp.MustCompile(`go (?:run|install) (?:\./|` + module + `/)([a-z/]+)`)
	download := regexp.MustCompile(raw + `(\S+)`)
	script := regexp.MustCompile(`python3? ([a-z/_]+\.py)`)
	made := regexp.MustCompile(`(?s)<!-- made by .*?<!-- end -->`)
	bench := regexp.MustCompile("`(-bench [^`]* \\./[^`]*)`")
	gotest := regexp.MustCompile("go test ([^`\n#|]*(?:\\|[A-Z][^`\n#|]*)*)")
	compared := 0
	for page, text := range pages(t) {
		for _, m := range slices.Concat(
			program.FindAllStringSubmatch(text, -1), download.FindAllStringSubmatch(text, -1),
		) {
			exists(t, page, m[0], m[1])
		}
		for _, m := range script.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "/") {
				exists(t, page, m[0], m[1])
			}
		}
		text = made.ReplaceAllString(text, "")
		for _, m := range slices.Concat(
			gotest.FindAllStringSubmatch(text, -1), bench.FindAllStringSubmatch(text, -1),
		) {
			compared++
			testsNamed(t, page, strings.Fields(m[1]))
		}
	}
	if compared < 20 {
		t.Errorf("%d commands go test were compared", compared)
	}
}

// testsNamed finds the tests and benchmarks that the arguments of go test name.
func testsNamed(t *testing.T, page string, args []string) {
	var folders []string
	names := make(map[string]string) // func Test or func Benchmark: pattern
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-run" || arg == "-bench":
			if i++; i < len(args) && args[i] != "'^$'" {
				names[map[string]string{"-run": "Test", "-bench": "Benchmark"}[arg]] = strings.Trim(
					args[i], "'",
				)
			}
		case arg == "." || strings.HasPrefix(arg, "./"):
			folders = append(folders, strings.TrimSuffix(arg, "/..."))
		}
	}
	for kind, pattern := range names {
		if len(folders) != 1 {
			t.Errorf("%s: go test %s names no package", page, strings.Join(args, " "))
			continue
		}
		files, _ := filepath.Glob(filepath.Join(folders[0], "*_test.go"))
		var all strings.Builder
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
		for _, name := range strings.Split(pattern, "|") {
			name, _, _ = strings.Cut(name, "/")
			name = strings.Trim(name, "^$")
			if !regexp.MustCompile(
				`func ` + kind + `\w*` + strings.TrimPrefix(name, kind),
			).MatchString(all.String()) {
				t.Errorf("%s: %s has no %s that matches %s", page, folders[0], kind, name)
			}
		}
	}
}

// TestScale: docs/use/scale.md multiplies the measurements of docs/inside.
func TestScale(t *testing.T) {
	t.Chdir(root)
	all, rows := pages(t), 0
	for line := range strings.Lines(all["docs/use/scale.md"]) {
		cells := strings.Split(line, "|")
		if len(cells) != 8 {
			continue
		}
		numbers := make([]float64, len(cells))
		for i, cell := range cells {
			var err error
			text := strings.ReplaceAll(strings.TrimSpace(cell), ",", "")
			if numbers[i], err = strconv.ParseFloat(text, 64); err != nil {
				numbers[i] = math.NaN()
			}
		}
		ms, hours := numbers[2], numbers[5]
		if math.IsNaN(ms) || math.IsNaN(hours) {
			continue
		}
		rows++
		said := strings.TrimSpace(cells[2])
		table := all["docs/inside/performance.md"] + all["docs/inside/figures.md"]
		if !strings.Contains(table, "| "+said+" |") &&
			!strings.Contains(table, "mean "+said+",") {
			t.Errorf("docs/inside has no mean of %s ms: %s", said, line)
		}
		exact := ms * 1e8 / 3.6e6
		if math.Abs(hours/exact-1) > 0.02 || math.Abs(numbers[4]/(exact/100)-1) > 0.02 ||
			numbers[6] != math.Ceil(exact/160) {
			t.Errorf("%v core hours of 16 on %v machines: %s", exact, math.Ceil(exact/160), line)
		}
	}
	if rows != 6 {
		t.Errorf("%d rows of models, want 6", rows)
	}
}

// paragraphs are where lines begin that do not go on with the one before them.
var paragraphs = regexp.MustCompile(`(?m)^([|#]|- )`)

// TestSentences: the guide is read by people in a hurry.
func TestSentences(t *testing.T) {
	t.Chdir(root)
	const most = 15
	marks := regexp.MustCompile("`[^`]*`|\\[([^\\]]*)\\]\\([^)]*\\)|[*]")
	for page, text := range pages(t) {
		if !strings.HasPrefix(page, "docs/use/guide/") {
			continue
		}
		text = fenced.ReplaceAllString(text, "")
		for line := range strings.SplitSeq(paragraphs.ReplaceAllString(text, "\n\n$0"), "\n\n") {
			line = strings.TrimLeft(line, "\n")
			if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "|") ||
				strings.HasPrefix(line, "#") {
				continue
			}
			line = strings.TrimPrefix(marks.ReplaceAllStringFunc(strings.TrimSpace(line), func(
				s string,
			) string {
				if s[0] == '[' {
					return marks.ReplaceAllString(s, "$1")
				}
				return strings.Trim(strings.ReplaceAll(s, " ", "-"), "`*")
			}), "- ")
			for _, sentence := range regexp.MustCompile(`[.?!:;]\s`).Split(line, -1) {
				if n := len(strings.Fields(sentence)); n > most {
					t.Errorf("%s: %d words: %s", page, n, sentence)
				}
			}
		}
	}
}
