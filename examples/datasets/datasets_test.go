package main

import (
	"bytes"
	"crypto/sha256"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// call runs the program with an empty cache.
func call(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	status = program().Run(t.Context(), args, &out, &errs)
	return status, out.String(), errs.String()
}

// TestCatalogue: each file of each set is offered once.
func TestCatalogue(t *testing.T) {
	sizes, err := printed.Load(3)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, set := range setNames() {
		if got := shape(sizes, set); strings.Contains(got, "nil") {
			t.Errorf("%s has no shape: %s", set, got)
		}
		files, err := protocol.Files(set)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, files...)
	}
	slices.Sort(want)
	want = slices.Compact(want)
	var got []string
	for _, f := range catalogue() {
		got = append(got, f.base)
		if f.known.rows == nil && len(f.known.hex) != 2*sha256.Size {
			t.Errorf("%s: the checksum is no SHA-256", f.name())
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the catalogue has %q, the sets need %q", got, want)
	}
	const fashion = "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"
	const first = fashion + "t10k-images-idx3-ubyte.gz"
	if got := catalogue()[5].urls(""); got[0] != first {
		t.Errorf("first URL %s, want %s", got[0], first)
	}
}

// TestPublished checks the files at hand.
func TestPublished(t *testing.T) {
	folder := os.Getenv("FACET_DATA")
	if folder == "" {
		t.Skip("FACET_DATA is not set: it names the folder of the data sets")
	}
	s := &settings{folders: []string{folder}}
	n := 0
	for _, f := range catalogue() {
		if f.known.rows != nil && racetest.Count(0, 1) == 0 {
			continue // seconds, and nearly a minute under the race detector
		}
		found := s.look(t.Context(), f)
		if found.err != nil {
			t.Errorf("%s: %v", found.path, found.err)
		}
		if found.path != "" {
			n++
		}
	}
	if n == 0 {
		t.Error("none of the files is in FACET_DATA")
	}
}

func TestList(t *testing.T) {
	cache, data := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("FACET_DATA", data)
	put := func(folder, name, text string) {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	downloads := filepath.Join(cache, "facet", "data")
	put(downloads, "covtype.libsvm.binary.bz2.part", "some")
	put(downloads, "breast-cancer", "altered")
	put(downloads, "fashion-mnist/t10k-images-idx3-ubyte", strings.Repeat("x", 2_500_000))
	put(downloads, "fashion-mnist/t10k-labels-idx1-ubyte", strings.Repeat("x", 2_500))
	put(data, "good", "")
	s := &settings{catalogue: catalogue()}
	if err := s.place(); err != nil {
		t.Fatal(err)
	}
	s.catalogue = append(s.catalogue, &file{base: "fourclass", known: sum([]byte("good"))})
	s.catalogue = slices.DeleteFunc(s.catalogue,
		func(f *file) bool { return f.base == "fourclass" && f.places != nil })
	put(data, "fourclass", "good")
	var out strings.Builder
	if err := list(t.Context(), &out, s); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	for _, want := range []string{
		"australian 490 × 14 australian - missing -",
		"cancer 483 × 10 breast-cancer 7 bytes altered: wrong SHA-256 " +
			filepath.Join(downloads, "breast-cancer"),
		"covtype 2000 × 54 covtype.libsvm.binary.bz2 - missing, 4 bytes of it downloaded -",
		"covtype500 500 × 54 covtype.data.gz - missing -",
		"f-mnist06, f-mnist35 12000 × 25 fashion-mnist/t10k-images-idx3-ubyte.gz 2.5 MB not as " +
			"published, not checked " +
			filepath.Join(downloads, "fashion-mnist", "t10k-images-idx3-ubyte"),
		"fashion-mnist/train-labels-idx1-ubyte.gz - missing -",
		"fourclass 662 × 2 fourclass 4 bytes SHA-256 checked " + filepath.Join(data, "fourclass"),
		"halfmoon 2000 × 2 - - generated -",
		"ready: f-mnist06 (of its test images alone, not as in the paper), f-mnist35 (of its " +
			"test images alone, not as in the paper), fourclass, halfmoon",
		"to download what is missing: go run ./examples/datasets --download " +
			"australian,cancer,covtype,covtype500,diabetes,f-mnist06,f-mnist35,mnist17",
	} {
		if !slices.ContainsFunc(
			lines, func(l string) bool { return strings.Join(strings.Fields(l), " ") == want },
		) {
			t.Errorf("no line %q in\n%s", want, &out)
		}
	}
}

func TestListFromTheCommandLine(t *testing.T) {
	t.Setenv("FACET_DATA", "")
	folder := t.TempDir()
	status, stdout, stderr := call(t, "--dir", folder)
	if status != 0 || stderr != "" || !strings.Contains(stdout, "\nready: halfmoon\n") ||
		!strings.HasSuffix(stdout, "mnist17 --dir "+folder+"\n") {
		t.Errorf("exit status %d with %q, %q", status, stdout, stderr)
	}
	var errs strings.Builder
	if status := program().Run(t.Context(), nil, full{}, &errs); status != 1 ||
		errs.String() != "datasets: no space left\n" {
		t.Errorf("exit status %d with %q", status, &errs)
	}
}

func TestDownloadFromTheCommandLine(t *testing.T) {
	t.Setenv("FACET_DATA", "")
	folder := t.TempDir()
	status, stdout, stderr := call(t, "--download",
		"halfmoon, diabetes", "--dir", folder, "--mirror", serve(t, unranged))
	if status != 1 || stdout != "" || !strings.HasPrefix(stderr, "datasets: diabetes: http://") ||
		!strings.Contains(stderr, "sends an altered file") {
		t.Errorf("exit status %d with %q, %q", status, stdout, stderr)
	}
	status, stdout, stderr = call(t, "--download", "halfmoon", "--dir", folder)
	if want := "halfmoon is generated: there is nothing to download\n"; status != 0 ||
		stdout != want || stderr != "" {
		t.Errorf("halfmoon: exit status %d with %q, %q, want %q", status, stdout, stderr, want)
	}
	status, _, stderr = call(t, "--download", "all", "--dir", folder, "--mirror",
		serve(t, func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }))
	if n := len(catalogue()); status != 1 || strings.Count(stderr, "answers 404") != n ||
		strings.Count(stderr, "\n") != n {
		t.Errorf("all: exit status %d with %q, want %d lines", status, stderr, n)
	}
}

func TestWrongUse(t *testing.T) {
	t.Setenv("FACET_DATA", "")
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"unknown flag": {[]string{"-colour"}, "-colour"},
		"argument":     {[]string{"covtype"}, `"covtype" is not a flag`},
		"unknown set":  {[]string{"--download", "covtype,iris"}, `not "iris"`},
		"empty name":   {[]string{"--download", "covtype,"}, `not ""`},
		"mirror":       {[]string{"--mirror", "example.org"}, "flag --mirror: it is not the URL"},
		"bad URL":      {[]string{"--mirror", "http://a b"}, "is not the URL"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := call(t, c.args...)
			if status != 2 || stdout != "" || !strings.Contains(stderr, c.says) ||
				strings.Count(stderr, "\n") != 1 {
				t.Errorf("exit status %d with %q, %q, want 2 and a line about %s",
					status, stdout, stderr, c.says)
			}
		})
	}
	t.Run("no cache", func(t *testing.T) {
		for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
			t.Setenv(name, "")
		}
		if status, _, stderr := call(t); status != 2 ||
			!strings.Contains(stderr, "name a folder with --dir") {
			t.Errorf("exit status %d with %q", status, stderr)
		}
	})
}

func TestHelp(t *testing.T) {
	status, stdout, stderr := call(t, "--help")
	if status != 0 || stderr != "" || !strings.Contains(stdout, "--download sets") {
		t.Errorf("exit status %d with %q, %q", status, stdout, stderr)
	}
}

// TestPrepare: a model that is trained on the rows written is attacked where the paper attacks it.
func TestPrepare(t *testing.T) {
	f := fixture.Halfmoon(t)
	want := f.Split(t)
	folder := filepath.Join(t.TempDir(), "new")
	status, stdout, stderr := call(t, "--prepare", "halfmoon", "--to", folder)
	if status != 0 || stderr != "" ||
		stdout != "2000 training and 200 test rows of halfmoon written to "+folder+
			" as train_x.npy, train_y.npy, test_x.npy and test_y.npy\n" {
		t.Fatalf("exit status %d with %q, %q", status, stdout, stderr)
	}
	set, err := protocol.Halfmoon()
	if err != nil {
		t.Fatal(err)
	}
	array, y := readNPY(t, folder, "train_x.npy"), readNPY(t, folder, "train_y.npy")
	x := mat.NewDense(array.Shape[0], array.Shape[1], array.Data)
	if !mat.Equal(x, set.Train) || len(y.Data) != 2000 || int(y.Data[17]) != set.TrainY[17] {
		t.Error("the training rows are not those of the set")
	}
	knn, err := classifier.TrainKNN(t.Context(), x, set.TrainY, classifier.KNNOptions{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	var model bytes.Buffer
	if err := classifier.Save(&model, knn); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "model.json")
	if err := os.WriteFile(file, model.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := call(
		t, "--prepare", "halfmoon", "--to", folder, "--model", file,
	); status != 0 {
		t.Fatalf("exit status %d with %q", status, stderr)
	}
	rows, err := os.ReadFile(filepath.Join(folder, "rows.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, field := range strings.Fields(string(rows)) {
		row, _ := strconv.Atoi(field)
		got = append(got, row)
	}
	if !slices.Equal(got, want.Attacked["3nn"]) {
		t.Errorf("rows %v, want %v", got, want.Attacked["3nn"])
	}
}

func readNPY(t *testing.T, folder, name string) *dataset.Array {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	a, err := dataset.ReadNPY(bytes.NewReader(text), name, dataset.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestPrepareMisuse(t *testing.T) {
	t.Setenv("FACET_DATA", "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	folder := t.TempDir()
	other := filepath.Join(folder, "other.json")
	if err := os.WriteFile(other, []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	for says, args := range map[string][]string{
		"--prepare SET and --to FOLDER belong together": {"--prepare", "halfmoon"},
		"and --model to them":                           {"--model", other},
		"flag --prepare":                                {"--prepare", "iris", "--to", folder},
		"--prepare diabetes: ":                          {"--prepare", "diabetes", "--to", folder},
		"--model " + other +
			": ": {"--prepare", "halfmoon", "--to", folder, "--model", other},
		"no such file": {"--prepare", "halfmoon", "--to", folder, "--model", folder + "/nowhere"},
	} {
		status, stdout, stderr := call(t, args...)
		if status != 2 || stdout != "" || !strings.Contains(stderr, says) ||
			strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit status %d with %q, %q, want 2 and a line about %s",
				args, status, stdout, stderr, says)
		}
	}
}
