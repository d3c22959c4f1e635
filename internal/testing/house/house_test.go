package house_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/seed-1a7dc1f9/facet"

// pkg is a package of the module, as go list sees it.
type pkg struct {
	ImportPath, Dir, Doc string
	Imports              []string
}

var list = sync.OnceValues(func() (all []pkg, err error) {
	list := exec.Command("go", "list", "-tags", "lpsolve",
		"-json=ImportPath,Dir,Doc,Imports", "./...")
	// the packages that need a C compiler count as well
	list.Env = append(os.Environ(), "CGO_ENABLED=1")
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p pkg
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
})

func packages(t *testing.T) []pkg {
	t.Helper()
	all, err := list()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// name is the path within the module.
func (p pkg) name() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
}

func (p pkg) public() bool {
	return !internal(p.name()) && !strings.HasPrefix(p.name(), "examples/")
}

// internal says whether a package lies beneath the façades: under internal/ of the module or of
// one of its packages.
func internal(name string) bool {
	return strings.Contains("/"+name+"/", "/internal/")
}

// story orders packages by where they stand: façades, the packages beneath, tests, programs.
func (p pkg) story() int {
	for i, prefix := range []string{"examples/", "internal/testing/"} {
		if strings.HasPrefix(p.name(), prefix) {
			return 3 - i
		}
	}
	if internal(p.name()) {
		return 1
	}
	return 0
}

// ours are the imports of this module.
func (p pkg) ours() (names []string) {
	for _, i := range p.Imports {
		if name, ok := strings.CutPrefix(i, module+"/"); ok {
			names = append(names, name)
		}
	}
	return names
}

// TestLayers keeps engines and data beneath the façades: a library package under internal/, of the
// module or of a package, imports no public package but the geometry. The checker of proofs shares
// no code with the searches, and searches of nearest neighbours none with the writers of proofs.
func TestLayers(t *testing.T) {
	t.Chdir(root)
	for _, p := range packages(t) {
		name := p.name()
		if name == "attack/proof" {
			for _, i := range p.Imports {
				if strings.Contains(i, ".") {
					t.Errorf("%s imports %s, which is not of the standard library", name, i)
				}
			}
		}
		if !internal(name) || p.story() > 1 {
			continue
		}
		searched := strings.HasPrefix(name, "internal/neighbors/") &&
			name != "internal/neighbors/neighborproof"
		for _, i := range p.ours() {
			if searched && (i == "internal/prooftext" || strings.HasSuffix(i, "proof")) {
				t.Errorf("%s imports %s: searches of neighbours know no proofs", name, i)
			}
			if !internal(i) && i != "polytope" && i != "polytope/native" {
				t.Errorf("%s imports %s", name, i)
			}
			if strings.HasPrefix(i, "internal/testing/") {
				t.Errorf("%s imports %s, which is for tests", name, i)
			}
		}
	}
}

// TestDesign compares the table of packages in docs/inside/design.md with the output of go list.
func TestDesign(t *testing.T) {
	t.Chdir(root)
	var table strings.Builder
	fmt.Fprintln(&table, "| package | imports of ours | holds |\n|---|---|---|")
	all := slices.Clone(packages(t))
	slices.SortStableFunc(all, func(a, b pkg) int { return cmp.Compare(a.story(), b.story()) })
	for _, p := range all[1:] { // the first one is the module's own, which holds no code
		imports := "–"
		if names := p.ours(); len(names) > 0 {
			imports = "`" + strings.Join(names, "`, `") + "`"
		}
		_, holds, _ := strings.Cut(strings.TrimPrefix(p.Doc, "Package "), " ")
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", p.name(), imports, holds)
	}
	compareTable(t, "docs/inside/design.md", table.String())
}
