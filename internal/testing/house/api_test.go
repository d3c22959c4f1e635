package house_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestAPI compares every symbol that a user can reach with api.txt: the exports of public packages,
// and the fields and methods of all types that their signatures mention. Nobody changes the ground
// of users without seeing it in the diff.
func TestAPI(t *testing.T) {
	t.Chdir(root)
	a := &api{seen: map[*types.Named]bool{}, lines: map[string]bool{}}
	var public []string
	for _, p := range packages(t) {
		if p.public() {
			public = append(public, p.ImportPath)
		}
	}
	load := exports(t, public)
	for _, path := range public {
		of, err := load.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range of.Scope().Names() {
			if o := of.Scope().Lookup(name); o.Exported() {
				a.object(o)
			}
		}
	}
	var lines []string
	for line := range a.lines {
		lines = append(lines, line)
		if name, _, _ := strings.Cut(line, ":"); internal(name) {
			t.Errorf("an internal type is reachable: %s", line)
		}
	}
	slices.Sort(lines)
	compareFile(t, "api.txt", strings.Join(lines, "\n")+"\n")
}

// exports returns an importer of packages, and of those that they import, as the compiler exports
// them.
func exports(t *testing.T, paths []string) types.Importer {
	t.Helper()
	list := exec.Command("go", slices.Concat(
		[]string{"list", "-export", "-deps", "-json=ImportPath,Export"}, paths)...)
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		files[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	})
}

// api collects the symbols that users can reach.
type api struct {
	seen  map[*types.Named]bool
	lines map[string]bool
}

// add adds a symbol of a package of the module.
func (a *api) add(p *types.Package, format string, args ...any) {
	name := strings.TrimPrefix(strings.TrimPrefix(p.Path(), module), "/")
	a.lines[name+": "+fmt.Sprintf(format, args...)] = true
}

// brief names packages by their last element, as users write them.
func brief(p *types.Package) string { return path.Base(p.Path()) }

// object adds an exported object, and the symbols of its type.
func (a *api) object(o types.Object) {
	switch o := o.(type) {
	case *types.Const:
		a.add(o.Pkg(), "const %s", o.Name())
	case *types.Var:
		a.add(o.Pkg(), "var %s", o.Name())
	case *types.Func:
		a.add(o.Pkg(), "func %s%s", o.Name(), signature(o, o.Pkg()))
	case *types.TypeName:
		if o.IsAlias() {
			a.add(o.Pkg(), "type %s = %s", o.Name(), types.TypeString(o.Type(), brief))
		}
	}
	a.reach(o.Type())
}

// signature is that of a function without the word func.
func signature(f *types.Func, from *types.Package) string {
	return strings.TrimPrefix(types.TypeString(f.Type(), func(p *types.Package) string {
		if p == from {
			return ""
		}
		return p.Name()
	}), "func")
}

// reach adds the symbols that can be reached through a type.
func (a *api) reach(of types.Type) {
	switch of := of.(type) {
	case *types.Named:
		a.named(of)
	case *types.Alias:
		a.reach(types.Unalias(of))
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels, and maps
		a.reach(of.Elem())
		if m, ok := of.(*types.Map); ok {
			a.reach(m.Key())
		}
	case *types.Signature:
		a.reach(of.Params())
		a.reach(of.Results())
	case *types.Tuple:
		for v := range of.Variables() {
			a.reach(v.Type())
		}
	case *types.Struct:
		for f := range of.Fields() {
			if f.Exported() || f.Embedded() {
				a.reach(f.Type())
			}
		}
	case *types.Interface:
		for m := range of.Methods() {
			a.reach(m.Type())
		}
	}
}

// named adds a type of the module, its fields and its methods, those of embedded types included.
func (a *api) named(of *types.Named) {
	for arg := range of.TypeArgs().Types() {
		a.reach(arg)
	}
	of = of.Origin()
	o := of.Obj()
	if a.seen[of] || o.Pkg() == nil || !strings.HasPrefix(o.Pkg().Path(), module) {
		return
	}
	a.seen[of] = true
	head := "type " + o.Name()
	switch under := of.Underlying().(type) {
	case *types.Struct:
		head += " struct"
		for f := range under.Fields() {
			if f.Exported() {
				a.add(o.Pkg(), "%s, %s %s", head, f.Name(), types.TypeString(f.Type(), brief))
			}
		}
	case *types.Interface:
		head += " interface"
	default:
		head += " " + types.TypeString(under, brief)
	}
	if o.Exported() {
		a.add(o.Pkg(), "%s", head)
	}
	a.reach(of.Underlying())
	var methods types.Type = of
	if !types.IsInterface(of) {
		methods = types.NewPointer(of)
	}
	for m := range types.NewMethodSet(methods).Methods() {
		f := m.Obj().(*types.Func)
		if !f.Exported() {
			continue
		}
		a.add(o.Pkg(), "func (%s) %s%s", o.Name(), f.Name(), signature(f, o.Pkg()))
		a.reach(f.Type())
	}
}
