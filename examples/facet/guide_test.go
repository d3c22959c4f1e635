//go:build unix

package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the outputs in the guide anew")

// shown is a shell block of a page, and the output that stands below it, if any.
var shown = regexp.MustCompile("(?s)```sh\n(.*?)```\n(?:\n```text\n(.*?)```\n)?")

// untimed is output without times and without spaces at the ends of lines.
func untimed(text string) string {
	text = regexp.MustCompile(`[\d.e+-]+ s\b`).ReplaceAllString(text, "TIME")
	text = regexp.MustCompile(`"seconds":[\d.e+-]+`).ReplaceAllString(text, "SECONDS")
	return strings.TrimSpace(regexp.MustCompile(` +\n`).ReplaceAllString(text, "\n"))
}

// TestGuide runs what README.md, the guide, docs/use/costs.md, docs/use/regressors.md,
// docs/use/properties.md, docs/use/reasons.md and docs/use/gate.md show of a shell, page by page in
// a folder of its own, and compares the output.
func TestGuide(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	use := filepath.Join(root, "docs", "use")
	guide := filepath.Join(use, "guide")
	before := map[string]string{ // the commands that a page takes for granted
		"python.md": "facet train --train train.csv --model forest --save model.json",
		"costs.md": "cp docs/use/costs/applicants.csv docs/use/costs/new.csv " +
			"docs/../examples/credit/costs.json .",
	}
	files, err := filepath.Glob(filepath.Join(guide, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(
		files, filepath.Join(root, "README.md"), filepath.Join(use, "costs.md"),
		filepath.Join(use, "regressors.md"), filepath.Join(use, "properties.md"),
		filepath.Join(use, "reasons.md"), filepath.Join(use, "gate.md"),
	) {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list := shown.FindAllStringSubmatch(string(page), -1)
		if len(list) == 0 {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			f := folder{t, t.TempDir()}
			for name, target := range map[string]string{
				"train.csv": filepath.Join(guide, "train.csv"),
				"test.csv":  filepath.Join(guide, "test.csv"),
				"docs":      filepath.Join(root, "docs"), "bin/facet": os.Args[0],
			} {
				if err := os.MkdirAll(filepath.Dir(f.file(name)), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(target, f.file(name)); err != nil {
					t.Fatal(err)
				}
			}
			f.shell(before[filepath.Base(file)])
			text := string(page)
			for _, m := range list {
				got := f.shell(m[1])
				if m[2] == "" || untimed(got) == untimed(m[2]) {
					continue
				}
				text = strings.Replace(text, m[0], strings.Replace(m[0], m[2], got, 1), 1)
				if !*update {
					t.Errorf("%sprints\n%s\nand the page says\n%s\nIf that is meant, run go test "+
						"./examples/facet -run TestGuide -update", m[1], got, m[2])
				}
			}
			if *update {
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// shell runs commands in the folder, where facet is the program of the tests.
func (f folder) shell(commands string) string {
	f.t.Helper()
	sh := exec.CommandContext(f.t.Context(), "sh", "-e")
	sh.Dir, sh.Stdin = f.path, strings.NewReader(commands)
	sh.Env = append(os.Environ(), asProgram+"=1",
		"PATH="+f.file("bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	var stderr strings.Builder
	sh.Stderr = &stderr
	out, err := sh.Output()
	if err != nil {
		f.t.Errorf("%s: %v\n%s", commands, err, &stderr)
	}
	return string(out)
}
