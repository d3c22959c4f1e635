package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/attacking"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

// The sets that most tests use: a 1-NN classifier trained on square has its border at
// x₀ = 2, and labels row 3 of points wrong.
var (
	square = table{{-1, 0, 0}, {-1, 0, 1}, {1, 4, 0}, {1, 4, 1}}
	points = table{{-1, 1, 0}, {1, 3, 1}, {-1, 0.5, 0.5}, {-1, 3.5, 0}, {1, 2.5, 1}}
	radii  = []float64{1, 1, 1.5, 1.5, 0.5}
)

// table holds rows that begin with their label.
type table [][]float64

func (t table) libsvm(base int) string {
	var b strings.Builder
	for _, row := range t {
		fmt.Fprint(&b, row[0])
		for j, v := range row[1:] {
			if v != 0 {
				fmt.Fprintf(&b, " %d:%v", j+base, v)
			}
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}

func (t table) csv(header string) string {
	text := header
	for _, row := range t {
		for _, v := range row[1:] {
			text += fmt.Sprintf("%v,", v)
		}
		text += fmt.Sprintln(row[0])
	}
	return text
}

// npy returns the features and the labels.
func (t table) npy() (features, labels string) {
	var x, y []float64
	for _, row := range t {
		x, y = append(x, row[1:]...), append(y, row[0])
	}
	return npyArray(x, fmt.Sprintf("(%d, %d)", len(t), len(t[0])-1)), npyArray(y,
		fmt.Sprintf("(%d,)", len(t)))
}

func npyArray(v []float64, shape string) string {
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", shape)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	b := bytes.NewBufferString("\x93NUMPY\x01\x00")
	binary.Write(b, binary.LittleEndian, uint16(len(header)))
	b.WriteString(header)
	binary.Write(b, binary.LittleEndian, v)
	return b.String()
}

func zip(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	if err := cmp.Or(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// folder is a temporary folder of files.
type folder struct {
	t    *testing.T
	path string
}

// newFolder has the LIBSVM files train and test of square and points.
func newFolder(t *testing.T) folder {
	f := folder{t, t.TempDir()}
	f.write("train", square.libsvm(1))
	f.write("test", points.libsvm(1))
	return f
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

func (f folder) exists(name string) bool {
	_, err := os.Stat(f.file(name))
	return err == nil
}

// base are the flags that name train, test and --out.
func (f folder) base(extra ...string) []string {
	return append(
		[]string{"--train", f.file("train"), "--test", f.file("test"), "--out", f.file("out")},
		extra...,
	)
}

// line is a line of facet attack about a row whose labels are numbers.
type line struct {
	Row              int       `json:"row"`
	Label            float64   `json:"label"`
	Predicted        float64   `json:"predicted"`
	Status           string    `json:"status"`
	Optimal          bool      `json:"optimal"`
	Distance         *float64  `json:"distance"`
	Bound            *float64  `json:"bound"`
	AdversarialLabel *float64  `json:"adversarial_label"`
	Adversarial      []float64 `json:"adversarial"`
	Nodes            int       `json:"nodes"`
	Solves           int       `json:"solves"`
	Seconds          float64   `json:"seconds"`
}

// call runs facet attack in this process.
func call(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	return callFacet(t, append([]string{"attack"}, args...)...)
}

// replacing adds --overwrite where a test writes to the same file again and again.
func replacing(args []string) []string {
	writing := []string{"attack", "certify", "explain", "info", "merge", "predict", "prune",
		"range", "report", "train", "verify"}
	if len(args) == 0 || !slices.Contains(writing, args[0]) ||
		slices.Contains(args, "--overwrite") {
		return args
	}
	return slices.Insert(slices.Clone(args), 1, "--overwrite")
}

// ofPaper are flags of facet attack that go run ./examples/paper attack has alone.
var ofPaper = []string{"--attack", "--regions", "--solver", "--weights", "--criterion", "--seed",
	"--robust", "--prune", "--adversarial-training"}

// runEither runs facet, or facet attack as the paper's program has it where a flag needs that.
func runEither(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	paper := func(arg string) bool { return slices.Contains(ofPaper, arg) }
	if len(args) == 0 || args[0] != "attack" || !slices.ContainsFunc(args, paper) {
		return run(ctx, args, stdout, stderr)
	}
	p := &command.Program{Name: "facet attack", Begin: attacking.BeginBaselines}
	return p.Run(ctx, args[1:], stdout, stderr)
}

// callFacet runs facet in this process.
func callFacet(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = runEither(t.Context(), replacing(args), &out, &errs)
	return status, out.String(), errs.String()
}

// mustRun runs the program and returns the lines of --out that were attacked, by row.
func (f folder) mustRun(args ...string) []line {
	f.t.Helper()
	if status, _, stderr := call(f.t, args...); status != 0 || withoutNotes(stderr) != "" {
		f.t.Fatalf("facet attack %v = %d, %s", args, status, stderr)
	}
	name := "out"
	for i, arg := range args[:len(args)-1] {
		if arg == "--out" {
			name = filepath.Base(args[i+1])
		}
	}
	return f.attacked(name)
}

// attacked reads the lines of rows that were attacked, in which a finished file is sorted by row.
func (f folder) attacked(name string) []line {
	f.t.Helper()
	lines := f.inOrder(name)
	return slices.DeleteFunc(lines,
		func(l line) bool { return l.Status == "misclassified" || l.Status == "reached" })
}

// lines reads all lines, sorted by row.
func (f folder) lines(name string) []line {
	f.t.Helper()
	lines := f.inOrder(name)
	slices.SortFunc(lines, func(a, b line) int { return cmp.Compare(a.Row, b.Row) })
	return lines
}

// inOrder reads all lines as they stand in the file.
func (f folder) inOrder(name string) []line {
	f.t.Helper()
	if text := f.read(name); text != "" && !strings.HasSuffix(text, "\n") {
		f.t.Fatalf("%s ends in the middle of a line: %q", name, text)
	}
	return linesOf[line](f.t, f, name)
}

// meta reads the file that says how a file was made.
func (f folder) meta(name string) (m map[string]any) {
	f.t.Helper()
	if err := json.Unmarshal([]byte(f.read(name+".meta.json")), &m); err != nil {
		f.t.Fatal(err)
	}
	return m
}

// spiral returns rows of two classes, no two of them equal.
func spiral(n int) table {
	t := make(table, n)
	for i := range t {
		v := float64(i)
		t[i] = []float64{float64(i % 2), v * math.Cos(v/7), v * math.Sin(v/7), math.Sqrt(v)}
	}
	return t
}

// timeless drops the fields that differ from run to run.
func timeless(lines []line) []line {
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i].Seconds = 0
	}
	return lines
}

// goType matches a type of Go, which no sentence for users holds.
var goType = regexp.MustCompile(`Go (struct|value)|\b[a-z]+\.[A-Z][A-Za-z]+\b|interface \{|map\[`)

// checkComplaint checks that the program failed with one sentence.
func checkComplaint(t *testing.T, status, want int, stdout, stderr string, says ...string) {
	t.Helper()
	if status != want || stdout != "" {
		t.Errorf("status %d with output %q, want %d without", status, stdout, want)
	}
	stderr = withoutNotes(stderr)
	if !strings.HasPrefix(stderr, "facet") || strings.Count(stderr, "\n") != 1 ||
		!strings.HasSuffix(stderr, "\n") {
		t.Errorf("standard error %q, want one sentence", stderr)
	}
	if goType.MatchString(stderr) {
		t.Errorf("standard error %q speaks of Go's types", stderr)
	}
	for _, text := range says {
		if !strings.Contains(stderr, text) {
			t.Errorf("standard error %q, want it to say %q", stderr, text)
		}
	}
}

// withoutNotes drops the notes about input that is none the less used.
func withoutNotes(stderr string) string {
	for strings.HasPrefix(stderr, "note: ") {
		_, stderr, _ = strings.Cut(stderr, "\n")
	}
	return stderr
}

// refused checks that a command ends with status 2 and one sentence that says something.
func refused(t *testing.T, says string, args ...string) {
	t.Helper()
	status, stdout, stderr := callFacet(t, args...)
	checkComplaint(t, status, 2, stdout, stderr, says)
}

// attackRefused is refused of facet attack.
func attackRefused(t *testing.T, says string, args ...string) {
	t.Helper()
	refused(t, says, append([]string{"attack"}, args...)...)
}
