package figures

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// newLab returns a Lab that finds the files of the given folder.
func newLab(t *testing.T, folders ...string) *experiment.Lab {
	t.Helper()
	lab, err := experiment.New(experiment.Options{Folders: folders})
	if err != nil {
		t.Fatal(err)
	}
	return lab
}

func TestDraw(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		job  Job
		says []string
	}{
		"1": {Job{Figure: 1},
			[]string{"1-NN, 2000 points", "random forest, 1144 points",
				"label 0: predicted in this region; training points"}},
		"2": {Job{Figure: 2},
			[]string{"1-NN: 24 cells", "decision tree: 6 cells", "attacked point", "cell"}},
	} {
		if racetest.Enabled && c.job.Figure == 1 {
			continue // a million predictions of forests, which run one after another here
		}
		t.Run("figure "+name, func(t *testing.T) {
			t.Parallel()
			checkDraw(t, c.job, c.says)
		})
	}
}

func TestDrawImages(t *testing.T) {
	t.Parallel()
	checkDraw(t, Job{Figure: 6, Sets: []string{"mnist17"}},
		[]string{"7 and 1", "1 and 7", "t10k only"}, fixture.TestImages(t))
}

// checkDraw draws a figure into a new folder.
func checkDraw(t *testing.T, job Job, says []string, folders ...string) {
	t.Helper()
	job.Lab = newLab(t, folders...)
	job.Out = filepath.Join(t.TempDir(), "new", "folder")
	var stdout strings.Builder
	if err := job.Draw(t.Context(), &stdout); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(job.Out, fmt.Sprintf("figure%d", job.Figure))
	if want := path + ".png\n" + path + ".svg\n"; stdout.String() != want {
		t.Errorf("printed %q, want %q", &stdout, want)
	}
	checkPictures(t, job.Out, says)
}

// checkPictures expects one picture of each format, and words in the SVG.
func checkPictures(t *testing.T, folder string, says []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%d files in the folder (%v), want 2", len(entries), err)
	}
	raster, err := os.ReadFile(filepath.Join(folder, entries[0].Name()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(raster)); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, entries[1].Name()))
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := token.(xml.CharData); ok {
			words = append(words, strings.Split(string(s), "\n")...)
		}
	}
	for _, want := range says {
		if !slices.Contains(words, want) {
			t.Errorf("the text %q is missing", want)
		}
	}
}

func TestDrawRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	lab := newLab(t, t.TempDir())
	for says, job := range map[string]Job{
		"mnist17: the file t10k-images-idx3-ubyte": {
			Figure: 5,
			Sets:   []string{"mnist17"},
			Lab:    lab,
			Out:    t.TempDir(),
		},
		"-download australian":   {Figure: 4, Sets: Sets(4), Lab: lab, Out: t.TempDir()},
		"cannot make the folder": {Figure: 2, Lab: lab, Out: file},
	} {
		var stdout strings.Builder
		if err := job.Draw(t.Context(), &stdout); stdout.Len() > 0 || err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("figure %d: Draw = %v, want an error that says %q; printed %q",
				job.Figure, err, says, &stdout)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, figure := range []int{1, 2, 5} {
		out := t.TempDir()
		var stdout strings.Builder
		err := Job{
			Figure: figure,
			Sets:   []string{"halfmoon"},
			Lab:    newLab(t),
			Out:    out,
		}.Draw(ctx, &stdout)
		if stdout.Len() > 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("figure %d: Draw = %v, want %v; printed %q",
				figure, err, context.Canceled, &stdout)
		}
		if entries, err := os.ReadDir(out); err != nil || len(entries) > 0 {
			t.Errorf("figure %d: %d files are left (%v)", figure, len(entries), err)
		}
	}
}

// TestDrawRuns draws figure 5, of which only halfmoon is there, and checks that the runs are all
// that it asks the Lab for; without -full for the two classifiers that are soon trained.
func TestDrawRuns(t *testing.T) {
	t.Parallel()
	job := Job{Figure: 5, Sets: []string{"halfmoon"}, Lab: newLab(t), Out: t.TempDir()}
	of, says := []experiment.Classifier{experiment.OneNN, experiment.Tree}, "decision tree"
	if racetest.Count(0, 1) == 1 {
		of, says = experiment.Classifiers(), "random forest"
	}
	figure, err := accuracies(t.Context(), job.Lab, job.Sets, of)
	if err == nil {
		err = figure.Publish(t.Context(), io.Discard, job.Out, "figure5")
	}
	if err != nil {
		t.Fatal(err)
	}
	checkPictures(t, job.Out, []string{"halfmoon: 1-NN", "halfmoon: " + says,
		"ℓ∞ distance (scaled features)", "accuracy", "regular"})
	runs := runsOf(job.Sets, of)
	if len(runs) == 0 || len(job.Runs()) < len(runs) {
		t.Errorf("there are %d runs, %d in all", len(runs), len(job.Runs()))
	}
	for _, r := range runs {
		if kept, err := job.Lab.Kept(t.Context(), r); err != nil || !kept {
			t.Errorf("%v was not needed (%v)", r, err)
		}
	}
	job.Figure = 1
	if runs := job.Runs(); runs != nil {
		t.Errorf("figure 1 needs %v, want none", runs)
	}
}
