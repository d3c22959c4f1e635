package house_test

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// contributing is the page for those who change facet.
const contributing = "CONTRIBUTING.md"

// TestMap finds each package of the library in the map of the house, and finds the names of the map
// in the tree.
func TestMap(t *testing.T) {
	t.Chdir(root)
	page := pages(t)[contributing]
	for _, p := range packages(t) {
		if p.story() > 1 || p.name() == "" {
			continue
		}
		if !strings.Contains(page, "\n    "+p.name()+" ") &&
			!strings.Contains(page, "\n    "+p.name()+"\n") {
			t.Errorf("the map of %s lacks %s", contributing, p.name())
		}
	}
	house, _, _ := strings.Cut(page, "\n## What tests need")
	for _, m := range regexp.MustCompile(`(?m)^    ([a-z/0-9]+)(?: |$)`).FindAllStringSubmatch(
		house, -1,
	) {
		exists(t, contributing, "the map", m[1])
	}
}

// TestChecklists finds the files that the checklists name, but for those that are to be added.
func TestChecklists(t *testing.T) {
	t.Chdir(root)
	_, lists, _ := strings.Cut(pages(t)[contributing], "\n## How to")
	added := regexp.MustCompile(`…|(^|/|_)x(_test)?(\.|/|$)|xfile`)
	named := 0
	for _, row := range regexp.MustCompile(`(?m)^\| (.+?) \|`).FindAllStringSubmatch(lists, -1) {
		folder := ""
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			file := m[1]
			if strings.Contains(file, "/") {
				folder = path.Dir(file)
			} else {
				file = path.Join(folder, file)
			}
			if folder == "" || added.MatchString(file) {
				continue
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %v", contributing, err)
			}
			named++
		}
	}
	if named < 50 {
		t.Errorf("%d files were looked for", named)
	}
}

// TestFirstLevel keeps packages that one package alone uses out of the first level of internal.
func TestFirstLevel(t *testing.T) {
	t.Chdir(root)
	importers := make(map[string][]string)
	for _, p := range packages(t) {
		for _, name := range p.ours() {
			importers[name] = append(importers[name], p.name())
		}
	}
	for name, of := range importers {
		if path.Dir(name) == "internal" && len(of) == 1 {
			t.Errorf("%s is of %s alone: it lies under that", name, of[0])
		}
	}
}
