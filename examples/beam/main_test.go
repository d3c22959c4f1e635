package main

import (
	"bytes"
	"cmp"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/attacking"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// asProgram makes the test binary behave as the program.
const asProgram = "BEAM_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	beam.Init()
	// the error holds all that a test wants to see of a failure
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

// folder is a temporary folder of files: train and test, of two classes that overlap.
type folder struct {
	t    *testing.T
	path string
}

func newFolder(t *testing.T, rows int) folder {
	f := folder{t, t.TempDir()}
	f.write("train.csv", moons(300, 0))
	f.write("test.csv", moons(rows, 0.05))
	return f
}

// moons returns rows of two classes that overlap.
func moons(n int, shift float64) string {
	var b strings.Builder
	b.WriteString("first,second,third,kind\n")
	for i := range n {
		v := float64(i) * 0.37
		fmt.Fprintf(&b, "%v,%v,%v,%s\n", math.Cos(v)+float64(i%2)+shift,
			math.Sin(v*1.7)-float64(i%2), math.Sin(v*v), []string{"yes", "no"}[i%2])
	}
	return b.String()
}

func (f folder) file(name string) string { return filepath.Join(f.path, name) }

func (f folder) write(name, text string) string {
	f.t.Helper()
	if err := os.WriteFile(f.file(name), []byte(text), 0o666); err != nil {
		f.t.Fatal(err)
	}
	return f.file(name)
}

func (f folder) read(name string) string {
	f.t.Helper()
	text, err := os.ReadFile(f.file(name))
	if err != nil {
		f.t.Fatal(err)
	}
	return string(text)
}

// base are flags that train a forest and attack test.csv.
func (f folder) base(extra ...string) []string {
	return append(
		[]string{"--train", f.file("train.csv"), "--model", "forest", "--trees", "10", "--test",
			f.file("test.csv"), "--max-nodes", "1000", "--include-misclassified"}, extra...,
	)
}

// call runs the program in this process.
func call(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = program().Run(t.Context(), args, &out, &errs)
	return status, out.String(), errs.String()
}

// mustRun runs the pipeline into a folder of its own and returns its output.
func (f folder) mustRun(out string, args ...string) string {
	f.t.Helper()
	status, stdout, stderr := call(f.t, append(args, "--out", f.file(out))...)
	if status != 0 || stderr != "" && !strings.HasPrefix(stderr, "note: ") {
		f.t.Fatalf("status %d, %s", status, stderr)
	}
	return stdout
}

// single runs facet attack --untimed and returns its file.
func (f folder) single(args ...string) string {
	f.t.Helper()
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	work := attacking.Begin(set)
	err := set.Parse(append(args, "--untimed", "--out", f.file("single")))
	if err := cmp.Or(err, work(f.t.Context(), new(bytes.Buffer), new(bytes.Buffer))); err != nil {
		f.t.Fatal(err)
	}
	return f.read("single")
}

// shards returns the files of a folder's shards.
func (f folder) shards(out string) []string {
	f.t.Helper()
	files, err := filepath.Glob(filepath.Join(f.file(out), "shard-*.jsonl"))
	if err != nil {
		f.t.Fatal(err)
	}
	return files
}

// merge joins shards as facet merge does.
func (f folder) merge(files []string) (string, error) {
	f.t.Helper()
	s, err := results.ReadShards(files)
	if err != nil {
		return "", err
	}
	defer s.Close()
	if err := s.Write(f.t.Context(), f.file("merged")); err != nil {
		f.t.Fatal(err)
	}
	return f.read("merged"), nil
}

func (f folder) mustMerge(out string) string {
	f.t.Helper()
	text, err := f.merge(f.shards(out))
	if err != nil {
		f.t.Fatal(err)
	}
	return text
}

// TestSplit: arguments after two dashes are the runner's, and a worker has no others.
func TestSplit(t *testing.T) {
	for args, want := range map[string][2]string{
		"--model m --workers 3":              {"--model m --workers 3", ""},
		"--model m -- --runner=flink":        {"--model m", "--runner=flink"},
		"--worker=true --id=1 --options={}":  {"", "--worker=true --id=1 --options={}"},
		"-worker -- --id=1":                  {"", "-worker -- --id=1"},
		"--model m -- --a -- --b":            {"--model m", "--a -- --b"},
		"--label workers --model=--worker=x": {"--label workers --model=--worker=x", ""},
	} {
		own, runners := split(strings.Fields(args))
		if got := [2]string{strings.Join(own, " "), strings.Join(runners, " ")}; got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// TestRefuses: wrong use is a sentence, and no file is written.
func TestRefuses(t *testing.T) {
	f := newFolder(t, 3)
	f.write("zipped.csv", "\x1f\x8bxxxxxx")
	f.write("empty.csv", "first,second,third,kind\n")
	f.write("broken.parquet", "PAR1xxxx")
	for want, args := range map[string][]string{
		"--out FOLDER is missing": f.base(),
		"--timeout does not go with a pipeline": f.base("--out",
			f.file("o"), "--timeout", "1s"),
		"flags of the runner follow --": f.base("--out", f.file("o"), "direct"),
		"there is no flag --runner": f.base("--out",
			f.file("o"), "--runner", "direct"),
		"no such file": f.base("--out",
			f.file("o"), "--test", f.file("nowhere")),
		"it is compressed as a whole": f.base("--out",
			f.file("o"), "--test", f.file("zipped.csv")),
		"empty.csv: there are no rows": f.base("--out",
			f.file("o"), "--test", f.file("empty.csv")),
		"--test " + f.file("broken.parquet") +
			": ": f.base("--out", f.file("o"), "--test", f.file("broken.parquet")),
		"is no file that could be read from the middle": f.base("--out",
			f.file("o"), "--test", f.path),
		"only files of folders and gs:// can be read from": f.base("--out",
			f.file("o"), "--test", "s3://bucket/test.csv"),
		"there is no column \"sort\"":            f.base("--out", f.file("o"), "--ignore", "sort"),
		"--shard-rows: \"0\" is no whole number": f.base("--out", f.file("o"), "--shard-rows", "0"),
	} {
		status, stdout, stderr := call(t, args...)
		if status != 2 || stdout != "" || !strings.Contains(stderr, want) ||
			strings.Count(stderr, "\n") != 1 {
			t.Errorf("status %d, %q, %q, want %q", status, stdout, stderr, want)
		}
	}
	if files, _ := filepath.Glob(f.file("o/*")); len(files) > 0 {
		t.Errorf("%q were written", files)
	}
	if status, stdout, _ := call(t, "--help"); status != 0 ||
		!strings.Contains(stdout, "--shard-rows") || strings.Contains(stdout, "--resume") {
		t.Errorf("status %d, %s", status, stdout)
	}
}

// reasons returns the lines of the files of errors of a folder.
func (f folder) reasons(out string) string {
	files, err := filepath.Glob(filepath.Join(f.file(out), "errors-*.jsonl"))
	if err != nil {
		f.t.Fatal(err)
	}
	slices.Sort(files)
	text := ""
	for _, file := range files {
		text += f.read(filepath.Join(out, filepath.Base(file)))
	}
	return text
}
