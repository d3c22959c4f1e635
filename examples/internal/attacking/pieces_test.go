package attacking

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// moons returns rows of two classes that overlap.
func moons(n int, shift float64) string {
	text := "first,second,kind\n"
	for i := range n {
		v := float64(i) * 0.37
		text += fmt.Sprintf("%v,%v,%s\n",
			v*math.Cos(v)+shift, math.Sin(v)*3, []string{"yes", "no"}[i%2])
	}
	return text
}

func writeFile(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// mustLoad begins pieces with flags.
func mustLoad(t *testing.T, text string, args ...string) *Pieces {
	t.Helper()
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	p := BeginPieces(f)
	if err := cmp.Or(f.Parse(args), p.Check()); err != nil {
		t.Fatal(err)
	}
	if err := p.Load(
		t.Context(), tabular.Beginning{Path: "test", Text: []byte(text)}, new(bytes.Buffer),
	); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPieces: the lines of rows that come one by one, and the description of their run, are those
// of facet attack.
func TestPieces(t *testing.T) {
	folder := t.TempDir()
	text := moons(40, 0.1)
	train, test := writeFile(t, filepath.Join(folder, "train"), moons(60, 0)), writeFile(t,
		filepath.Join(folder, "test"), text)
	rules := writeFile(t, filepath.Join(folder, "rules"),
		`{"features": {"first": {"up": 2, "down": "inf"}}}`)
	for _, flags := range []string{
		"", "--k 3 --include-misclassified", "--scale minmax --norm 2",
		"--model forest --trees 7 --target yes", "--model tree --domain 0,1 --scale minmax",
		"--max-nodes 1 --k 3",
		"--model forest --trees 5 --norm 0 --counterfactuals 2 --include-misclassified --costs " +
			rules,
	} {
		out := filepath.Join(folder, "out")
		args := append(strings.Fields(flags), "--train", train, "--test", test, "--out", out)
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		work := Begin(f)
		if err := cmp.Or(
			f.Parse(append(args, "--untimed", "--overwrite")),
			work(t.Context(), new(bytes.Buffer), new(bytes.Buffer)),
		); err != nil {
			t.Fatal(flags, err)
		}
		p := mustLoad(t, text, args...)
		lines := make([]results.Line, 40)
		var group errgroup.Group
		row := 0
		for line := range strings.Lines(text[p.Text().Offset:]) {
			cells, err := p.Text().Cells([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			at := row
			row++
			group.Go(func() (err error) {
				lines[at], err = p.Line(t.Context(), at, cells)
				return err
			})
		}
		if err := group.Wait(); err != nil || row != len(lines) {
			t.Fatal(flags, row, err)
		}
		meta := p.Meta(len(lines), p.whole.data.Sums["train"])
		meta.Lines = len(lines)
		got, gotMeta, err := results.Encode(meta, lines)
		want, wantErr := os.ReadFile(out)
		if err != nil || wantErr != nil || string(got) != string(want) {
			t.Errorf("%s: %d lines, %v, %v, or they differ", flags, len(lines), err, wantErr)
		}
		wantMeta, err := os.ReadFile(results.MetaPath(out))
		before, _, _ := strings.Cut(string(wantMeta), `    "test"`) // its checksum is the caller's
		if err != nil || !strings.HasPrefix(string(gotMeta), before) {
			t.Errorf("%s: made by %s, want %s, %v", flags, gotMeta, wantMeta, err)
		}
	}
}

// TestFaultsOfPieces: a fault in a row is an error about that row.
func TestFaultsOfPieces(t *testing.T) {
	folder := t.TempDir()
	train := writeFile(t, filepath.Join(folder, "train"), moons(60, 0))
	args := []string{"--train", train, "--test", "test", "--out", folder}
	p := mustLoad(t, moons(2, 0), args...)
	for want, cells := range map[string][]string{
		`column "first" has no value: "nan"`:             {"nan", "2", "no"},
		"it has 2 cells where the first line has 3":      {"1", "2"},
		`its label "perhaps" is none of the classes`:     {"1", "2", "perhaps"},
		`column "second": "1,5" has a decimal comma; wr`: {"1", "1,5", "no"},
	} {
		if _, err := p.Line(t.Context(), 7, cells); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", cells, err, want)
		}
	}
	if l, err := mustLoad(t, moons(2, 0), append(args, "--unknown-labels", "wrong")...).Line(
		t.Context(), 7, []string{"1", "2", "perhaps"},
	); err != nil || l.Row != 7 || l.Status != results.Misclassified {
		t.Errorf("%+v, %v, want a row that is misclassified", l, err)
	}
}

func TestFlagsOfPieces(t *testing.T) {
	for flags, want := range map[string]string{
		"--model m --test t": "--out FOLDER is missing",
		"--model m --test t --out o --timeout 1s": "--timeout does not go with a " +
			"pipeline: a row that is tried again must get the same line",
		"--model m --test t --out o --resume": "--resume does not go with a " +
			"pipeline: the same command goes on where it ended",
		"--model m --out o": "--test FILE is missing",
		"--model m --test t --out o --depth 3": "--depth is for --model tree, " +
			"forest, boosted, oblique, not m",
		"--model m --test t --out o --target change:1": "--target change does not go",
		"--model m --test t --out o --shard 1/2": "--shard-rows says how large " +
			"the shards are",
		"--train t --test t --out o --model tree": "",
	} {
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		p := BeginPieces(f)
		if err := f.Parse(strings.Fields(flags)); err != nil {
			t.Fatal(err)
		}
		if err := p.Check(); (err == nil) != (want == "") ||
			err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", flags, err, want)
		}
	}
}

// TestPiecesAbove: numbers are labelled by the threshold when rows come one by one, too.
func TestPiecesAbove(t *testing.T) {
	models := filepath.Join("..", "..", "..", "docs", "use", "models")
	test := filepath.Join(models, "houses.csv")
	text, err := os.ReadFile(test)
	if err != nil {
		t.Fatal(err)
	}
	p := mustLoad(t, string(text), "--model", filepath.Join(models, "houses.json"), "--test", test,
		"--out", t.TempDir(), "--target", "output:2", "--include-misclassified")
	for row, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		cells := strings.Split(line, ",")
		l, err := p.Line(t.Context(), row, cells)
		if err != nil || l.Status != results.Optimal || l.Output == nil ||
			(l.Label.String() == "above") != (cells[len(cells)-1] >= "2") {
			t.Fatalf("row %d, %v: %+v, %v", row, cells, l, err)
		}
	}
}
