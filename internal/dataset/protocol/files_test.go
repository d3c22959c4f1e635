package protocol_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
)

// touch makes empty files and returns their paths.
func touch(t *testing.T, folder string, files ...string) []string {
	t.Helper()
	var paths []string
	for _, file := range files {
		path := filepath.Join(folder, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func TestFind(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	first := touch(t, a, "diabetes", "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte")
	second := touch(t, b, "diabetes", "covtype.libsvm.binary.bz2", "train-images-idx3-ubyte",
		"train-labels-idx1-ubyte.gz")
	for _, c := range []struct {
		set     string
		folders []string
		want    []string
	}{
		{"halfmoon", nil, nil},
		{"diabetes", []string{a, b}, first[:1]},
		{"diabetes", []string{b, a}, second[:1]},
		{"covtype", []string{a, b}, second[1:2]},
		{"mnist17", []string{a}, first[1:]},
		{"mnist17", []string{b, a}, slices.Concat(first[1:], second[2:])},
	} {
		got, err := protocol.Find(c.set, c.folders...)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Find(%s, %q) = %q, %v, want %q", c.set, c.folders, got, err, c.want)
		}
	}
}

func TestFindRefuses(t *testing.T) {
	a, b, c := t.TempDir(), t.TempDir(), t.TempDir()
	touch(t, a, "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte", "train-images-idx3-ubyte",
		"file")
	for _, test := range []struct {
		set     string
		folders []string
		want    string
	}{
		{"fourclass", nil,
			`fourclass: the file fourclass, or the same with .gz or .bz2, is not in any folder, ` +
				`for none was named`},
		{"cancer", []string{b},
			`cancer: the file breast-cancer, or the same with .gz or .bz2, is not in the folder ` +
				b + `; "go run ./examples/datasets -download cancer" gets it`},
		{"f-mnist35", []string{a, b, c},
			`fashion-mnist/t10k-images-idx3-ubyte, or the same with .gz or .bz2, ` +
				`is not in the folders ` + a + ", " + b + " and " + c},
		{"mnist17", []string{a}, "mnist17: the file train-labels-idx1-ubyte"},
	} {
		paths, err := protocol.Find(test.set, test.folders...)
		if paths != nil || !errors.Is(err, fs.ErrNotExist) ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("Find(%s, %q) = %q, %v, want an error that says %q",
				test.set, test.folders, paths, err, test.want)
		}
		if s, err := protocol.Load(t.Context(), test.set, test.folders...); s != nil ||
			!errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Load(%s, %q) = %v, %v, want an error", test.set, test.folders, s, err)
		}
	}
	for _, f := range []func(string, ...string) ([]string, error){
		protocol.Find,
		func(name string, _ ...string) ([]string, error) { return protocol.Files(name) },
	} {
		if paths, err := f("iris", a); paths != nil || err == nil ||
			!strings.Contains(err.Error(), `"iris"`) {
			t.Errorf("%q, %v about a set that does not exist", paths, err)
		}
	}
	if s, err := protocol.Load(t.Context(), "iris", a); s != nil || err == nil ||
		!strings.Contains(err.Error(), `"iris"`) {
		t.Errorf("Load(iris) = %v, %v, want an error", s, err)
	}
	file := filepath.Join(a, "file")
	if _, err := protocol.Find("diabetes", file); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Find in a file = %v, want an error other than that of a missing file", err)
	}
}

func TestFolders(t *testing.T) {
	cache, data := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("FACET_DATA", data)
	downloads, err := protocol.DownloadFolder()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := protocol.Folders(), []string{data, downloads}; !slices.Equal(got, want) {
		t.Errorf("Folders() = %q, want %q", got, want)
	}
	t.Setenv("FACET_DATA", "")
	if got, want := protocol.Folders(), []string{downloads}; !slices.Equal(got, want) {
		t.Errorf("Folders() without FACET_DATA = %q, want %q", got, want)
	}
}
