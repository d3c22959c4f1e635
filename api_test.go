package facet_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write api.txt and the table of docs/design.md anew")

// TestAPI compares every exported symbol of the public packages with api.txt: nobody
// changes what users build on without seeing it in the diff.
func TestAPI(t *testing.T) {
	var lines []string
	for _, p := range packages(t) {
		if p.public() {
			lines = append(lines, exported(t, p)...)
		}
	}
	compareFile(t, "api.txt", strings.Join(lines, "\n")+"\n")
}

// compareFile compares a file with what it is to hold, or writes it.
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
			t.Errorf("%s has what is no more: %s", name, line)
		}
	}
	t.Errorf("%s is out of date: if that is meant, run go test . -update", name)
}

// exported returns a line for each exported symbol of a package, field and method, those of
// embedded types included.
func exported(t *testing.T, p pkg) (lines []string) {
	fset, files := token.NewFileSet(), []*ast.File(nil)
	for _, file := range p.sources() {
		f, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	for _, f := range files {
		lines = append(lines, promoted(fset, p, f, files)...)
	}
	for _, f := range files {
		ast.FileExports(f)
		for _, d := range f.Decls {
			for _, text := range symbols(fset, d) {
				lines = append(lines, p.name()+": "+text)
			}
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// promoted returns a line for each method that an exported struct of a file has of an unexported
// one that it embeds.
func promoted(fset *token.FileSet, p pkg, f *ast.File, files []*ast.File) (lines []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || !spec.Name.IsExported() {
			return true
		}
		of, ok := spec.Type.(*ast.StructType)
		for i := 0; ok && i < len(of.Fields.List); i++ {
			if field := of.Fields.List[i]; len(field.Names) == 0 {
				for _, method := range methods(
					fset, strings.TrimLeft(source(fset, field.Type), "*"), files,
				) {
					lines = append(lines,
						fmt.Sprintf("%s: type %s struct, func %s", p.name(), spec.Name, method))
				}
			}
		}
		return true
	})
	return lines
}

// methods returns the exported methods of an unexported type.
func methods(fset *token.FileSet, name string, files []*ast.File) (texts []string) {
	for _, f := range files {
		for _, d := range f.Decls {
			m, ok := d.(*ast.FuncDecl)
			if ok && m.Recv != nil && m.Name.IsExported() && !ast.IsExported(name) &&
				strings.TrimLeft(source(fset, m.Recv.List[0].Type), "*") == name {
				texts = append(texts, m.Name.Name+strings.TrimPrefix(source(fset, m.Type), "func"))
			}
		}
	}
	return texts
}

// symbols describes what a declaration declares.
func symbols(fset *token.FileSet, d ast.Decl) (texts []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil &&
			!ast.IsExported(strings.TrimLeft(source(fset, d.Recv.List[0].Type), "*")) {
			return nil
		}
		d.Body = nil
		return []string{source(fset, d)}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() {
						texts = append(texts, fmt.Sprintf("%v %s", d.Tok, n.Name))
					}
				}
			case *ast.TypeSpec:
				texts = append(texts, types(fset, s)...)
			}
		}
	}
	return texts
}

// types describes a type, and the fields or methods that are seen of it.
func types(fset *token.FileSet, s *ast.TypeSpec) []string {
	head := "type " + s.Name.Name
	if s.Assign.IsValid() {
		head += " ="
	}
	var members *ast.FieldList
	switch of := s.Type.(type) {
	case *ast.StructType:
		head, members = head+" struct", of.Fields
	case *ast.InterfaceType:
		head, members = head+" interface", of.Methods
	default:
		return []string{head + " " + source(fset, of)}
	}
	texts := []string{head}
	for _, m := range members.List {
		if len(m.Names) == 0 {
			texts = append(texts, fmt.Sprintf("%s, %s", head, source(fset, m.Type)))
		}
		for _, n := range m.Names {
			if n.IsExported() {
				texts = append(texts, fmt.Sprintf("%s, %s %s", head, n.Name, source(fset, m.Type)))
			}
		}
	}
	return texts
}

// source prints a node on one line.
func source(fset *token.FileSet, node any) string {
	var text bytes.Buffer
	if err := printer.Fprint(&text, fset, node); err != nil {
		return err.Error()
	}
	line := strings.Join(strings.Fields(text.String()), " ")
	return strings.NewReplacer("( ", "(", ", )", ")").Replace(line)
}
