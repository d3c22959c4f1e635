package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	paper "github.com/seed-1a7dc1f9/facet/examples/internal/printed"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// want is the whole of standard output, in the folder "out".
const want = `halfmoon: 2000 training and 200 test points, 100 of these attacked exactly in the l-infinity norm

                                   empirical robustness        defscore
classifier     r    rows  accuracy       ours   printed      ours   printed      exact
1-NN        none    2000     0.920      0.0571*   0.058                        0.0571
1-NN         0.1    1702     0.915      0.1510    0.151      2.649*   2.603     0.1510
1-NN         0.3    1144     0.840      0.1606    0.161      2.825*   2.776     0.1606
1-NN         0.5    1004     0.480           -        -          -        -
3-NN        none    2000     0.940      0.0961    0.096                        0.0725
3-NN         0.1    1702     0.920      0.1587    0.159      1.656    1.656     0.1480
3-NN         0.3    1144     0.845      0.1842    0.184      1.917    1.917     0.1615
3-NN         0.5    1004     0.480           -        -          -        -
tree        none    2000     0.950      0.0848    0.085                        0.0848
tree         0.1    1702     0.895      0.1672    0.167      1.965    1.965     0.1672
tree         0.3    1144     0.670      0.2185*   0.219      2.565*   2.576     0.2185
tree         0.5    1004     0.480           -        -          -        -
forest      none    2000     0.930      0.1493    0.149                        0.1412
forest       0.1    1702     0.900      0.1982    0.198      1.329    1.329     0.1633
forest       0.3    1144     0.755      0.2711    0.271      1.819    1.819     0.1706
forest       0.5    1004     0.480           -        -          -        -

r         separation: differently labelled training points at most r apart conflict (prune.Adversarial{Radius: r/2})
ours      by the attack of the paper: exact on 1-NN and the tree, approximate on 3-NN and the forest
exact     the mean distance of nearest examples, which are proven; no attack can be nearer
defscore  robustness with pruning over that without it, both rounded to three decimals first, as in print
-         no number in print: the classifier gives the whole test set one label
*         not the printed number: the paper pulled its examples inside the cells (1-NN: by 5e-6 on raw bisectors, tree: by 1e-4)

out/halfmoon-regions-1nn.png
out/halfmoon-regions-1nn.svg
out/halfmoon-regions-3nn.png
out/halfmoon-regions-3nn.svg
out/halfmoon-regions-tree.png
out/halfmoon-regions-tree.svg
out/halfmoon-regions-forest.png
out/halfmoon-regions-forest.svg
`

// TestPage compares docs/inside/halfmoon.md with the program's output.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "inside", "halfmoon.md"))
	if err != nil {
		t.Fatal(err)
	}
	if table, _, _ := strings.Cut(want, "\nout/"); !strings.Contains(string(text), "\n"+table) {
		t.Errorf("docs/inside/halfmoon.md does not show\n%s", table)
	}
}

// small is the part of the study that is done soonest.
func small() *study {
	s := full()
	return &study{contenders: s.contenders[2:3], separations: []float64{0, shown}}
}

// TestRun runs all but the forest, which draws the longest; with -full the forest, too, as .ci/run
// does.
func TestRun(t *testing.T) {
	t.Chdir(t.TempDir())
	s, want := full(), want
	if racetest.Count(0, 1) == 0 {
		s.contenders = s.contenders[:len(s.contenders)-1]
		want = regexp.MustCompile(`(?m)^(forest|out/.*forest).*\n`).ReplaceAllString(want, "")
	}
	var stdout, stderr bytes.Buffer
	if status := s.program().Run(t.Context(), nil, &stdout, &stderr); status != 0 {
		t.Fatalf("exit status %d: %s", status, &stderr)
	}
	if got := filepath.ToSlash(stdout.String()); got != want {
		t.Errorf("standard output:\n%s\nwant:\n%s", got, want)
	}
	if stderr.Len() > 0 {
		t.Errorf("standard error, which is no terminal: %q", stderr.String())
	}
	checkPictures(t, "out", strings.Count(want, "\nout/"))
}

// checkPictures expects n complete pictures in the folder and no other file.
func checkPictures(t *testing.T, folder string, n int) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != n {
		t.Errorf("%d files in the folder, want %d", len(entries), n)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		switch filepath.Ext(e.Name()) {
		case ".png":
			_, err = png.Decode(bytes.NewReader(text))
		case ".svg":
			err = wellFormed(text)
		default:
			err = errors.New("is no picture")
		}
		if err != nil {
			t.Errorf("%s: %v", e.Name(), err)
		}
	}
}

func wellFormed(text []byte) error {
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestWrongUse(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"unknown flag":           {[]string{"-colour"}, 2, "-colour"},
		"flag without a value":   {[]string{"--out"}, 2, "--out"},
		"argument":               {[]string{"halfmoon"}, 2, `"halfmoon"`},
		"file for a folder":      {[]string{"--out", file}, 1, file},
		"folder inside a file":   {[]string{"--out", filepath.Join(file, "x")}, 1, file},
		"folder without a name":  {[]string{"--out", ""}, 2, "--out: it is empty"},
		"folder with a bad name": {[]string{"--out", "a\x00b"}, 1, "folder"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			status := small().program().Run(t.Context(), c.args, &stdout, &stderr)
			got := stderr.String()
			if status != c.status || !strings.Contains(got, c.says) ||
				strings.Count(got, "\n") != 1 {
				t.Errorf("exit status %d with %q, want %d and a line about %s",
					status, got, c.status, c.says)
			}
			if stdout.Len() > 0 {
				t.Errorf("standard output: %s", &stdout)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := small().program().Run(
		t.Context(), []string{"--help"}, &stdout, &stderr,
	); status != 0 || stderr.Len() > 0 {
		t.Errorf("exit status %d, standard error %q", status, &stderr)
	}
	if !strings.Contains(stdout.String(), "--out folder") {
		t.Errorf("standard output: %s", &stdout)
	}
}

// interrupter cancels as soon as the program writes to it.
type interrupter struct {
	cancel context.CancelFunc
}

func (w *interrupter) Write(p []byte) (int, error) {
	w.cancel()
	return len(p), nil
}

// fuse is a context that ends when it is looked at for the n-th time.
type fuse struct {
	context.Context
	cancel context.CancelFunc
	looks  *atomic.Int64
	n      int64
}

func (c fuse) Err() error {
	if c.looks.Add(1) == c.n {
		c.cancel()
	}
	return c.Context.Err()
}

func TestInterrupt(t *testing.T) {
	for _, name := range []string{"while attacking", "while drawing"} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var stdout io.Writer = &interrupter{cancel: cancel}
			if name == "while attacking" {
				ctx, stdout = fuse{ctx, cancel, new(atomic.Int64), 200}, io.Discard
			}
			var stderr bytes.Buffer
			if status := small().program().Run(ctx, nil, stdout, &stderr); status != 3 ||
				stderr.String() != "quickstart: interrupted\n" {
				t.Errorf("exit status %d, standard error %q, want 1 and one sentence",
					status, &stderr)
			}
			checkPictures(t, "out", 0)
		})
	}
}

// fullDisk is a disk without room.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestFullDisk(t *testing.T) {
	t.Chdir(t.TempDir())
	var stderr bytes.Buffer
	if status := small().program().Run(t.Context(), nil, fullDisk{}, &stderr); status != 1 ||
		!strings.HasSuffix(stderr.String(), "no space left\n") {
		t.Errorf("exit status %d, standard error %q", status, &stderr)
	}
}

// TestMarks checks that the table marks exactly the numbers that round to another number than the
// printed one.
func TestMarks(t *testing.T) {
	for _, c := range []struct {
		ours    float64
		printed *paper.Number
		want    string
	}{
		{0.1504, &paper.Number{Value: .15, Digits: 3}, "0.1504 0.150"},
		{0.1506, &paper.Number{Value: .151, Digits: 3}, "0.1506 0.151"},
		{0.1506, &paper.Number{Value: .15, Digits: 3}, "0.1506* 0.150"},
		{0.1506, nil, "0.1506* -"},
		{math.NaN(), &paper.Number{Value: .151, Digits: 3}, "-* 0.151"},
		{math.NaN(), nil, "- -"},
	} {
		if got := strings.Join(strings.Fields(compare(c.ours, 4, c.printed)), " "); got != c.want {
			t.Errorf("compare(%v, %v) = %q, want %q", c.ours, c.printed, got, c.want)
		}
	}
}
