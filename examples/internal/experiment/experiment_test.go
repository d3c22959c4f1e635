package experiment_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

func newLab(t *testing.T, options experiment.Options) *experiment.Lab {
	t.Helper()
	lab, err := experiment.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return lab
}

var (
	plain  = experiment.Subject{Set: "halfmoon", Classifier: experiment.Tree}
	pruned = experiment.Subject{
		Set: "halfmoon", Classifier: experiment.OneNN,
		Defence: experiment.Defence{Method: experiment.Pruning, Strength: 0.3},
	}
)

// TestAgainstFixtures compares tests, attacked points and exact radii with those
// of an independent implementation.
func TestAgainstFixtures(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		if racetest.Enabled && c.Set.Name != "fourclass" {
			return
		}
		lab := newLab(t, experiment.Options{Folders: protocol.Folders()})
		split, exact := c.Split(t), c.Exact(t)
		for _, name := range experiment.Classifiers() {
			s := experiment.Subject{Set: c.Set.Name, Classifier: name}
			test, err := lab.Test(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			if test.Rows != len(c.Set.TrainY) || test.Accuracy != split.Accuracy[string(name)] ||
				!reflect.DeepEqual(test.Attacked, split.Attacked[string(name)]) {
				t.Errorf("%v: test %+v", s, test)
			}
			points, err := lab.Points(t.Context(), experiment.Run{
				Subject: s,
				Attack:  experiment.RBAExact,
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range exact[string(name)+"_inf"] {
				if p := points[i]; !p.Optimal() || math.Abs(p.Distance-want) > 2e-7 {
					t.Errorf("%v: row %d lies at %v, want %v", s, p.Row, p.Distance, want)
				}
			}
			s.Defence = experiment.Defence{Method: experiment.Pruning, Strength: 0.3}
			want := split.Pruned["0.3"]
			if test, err = lab.Test(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if test.Rows != len(want.Keep) || test.Accuracy != want.Accuracy[string(name)] ||
				!reflect.DeepEqual(test.Attacked, want.Attacked[string(name)]) {
				t.Errorf("%v: test %+v", s, test)
			}
		}
	})
}

// TestKept checks that results survive in their folder, and are made anew when
// they are torn, of other data or not wanted.
func TestKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	run := experiment.Run{Subject: pruned, Attack: experiment.RBAExact}
	attacked := 0
	options := experiment.Options{Work: folder, Progress: func(n int) { attacked += n }}
	points := func() []metrics.Point {
		t.Helper()
		lab := newLab(t, options)
		points, err := lab.Points(t.Context(), run)
		if err != nil || len(points) != 100 {
			t.Fatalf("%d points, %v", len(points), err)
		}
		if kept, err := lab.Kept(t.Context(), run); !kept || err != nil {
			t.Errorf("not kept: %v", err)
		}
		return points
	}
	first := points()
	if attacked != 100 {
		t.Errorf("%d points attacked, want 100", attacked)
	}
	if again := points(); attacked != 100 || !reflect.DeepEqual(again, first) {
		t.Errorf("%d points attacked when continued, or they changed", attacked)
	}

	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("files %v, %v, want two", files, err)
	}
	path := filepath.Join(folder, "halfmoon-1nn-ap0.3-rba_exact.gob")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var about struct{ Program, Data string }
	if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&about); err != nil ||
		about.Program == about.Data {
		t.Fatalf("the file is about %+v, %v", about, err)
	}
	for name, damage := range map[string]string{
		"empty":   "",
		"torn":    string(text[:len(text)/2]),
		"foreign": strings.Replace(string(text), about.Data, about.Program, 1),
		"older":   strings.Replace(string(text), about.Program, about.Data, 1),
		"another": strings.Replace(string(text), "ap0.3", "ap0.1", 1),
	} {
		if err := os.WriteFile(path, []byte(damage), 0o666); err != nil {
			t.Fatal(err)
		}
		attacked = 0
		if points(); attacked != 100 {
			t.Errorf("%s file: %d points attacked, want 100", name, attacked)
		}
	}
}

// TestNotAttacked is the cell of a classifier that knows one label.
func TestNotAttacked(t *testing.T) {
	s := pruned
	s.Defence.Strength = 0.5
	folder := t.TempDir()
	for range 2 {
		lab := newLab(t, experiment.Options{Work: folder})
		test, err := lab.Test(t.Context(), s)
		if err != nil || test.Attacked != nil || test.Rows != 1004 || test.Accuracy != 0.48 {
			t.Errorf("test %+v, %v", test, err)
		}
		robustness, err := lab.Robustness(t.Context(), experiment.Run{
			Subject: s,
			Attack:  experiment.RBAExact,
		})
		if !math.IsNaN(robustness) || err != nil {
			t.Errorf("robustness %v, %v, want none", robustness, err)
		}
	}
}

func TestRefuses(t *testing.T) {
	lab := newLab(t, experiment.Options{})
	subject := func(c experiment.Classifier, m experiment.Method) experiment.Subject {
		d := experiment.Defence{Method: m, Strength: 0.3}
		return experiment.Subject{Set: "halfmoon", Classifier: c, Defence: d}
	}
	for name, run := range map[string]experiment.Run{
		"classifier": {
			Subject: subject("5nn", experiment.Pruning),
			Attack:  experiment.RBAExact,
		},
		"attack":          {Subject: plain, Attack: "fgsm"},
		"papernot on knn": {Subject: pruned, Attack: experiment.Papernot},
		"direct on tree":  {Subject: plain, Attack: experiment.Direct},
		"shrunk on tree":  {Subject: plain, Attack: experiment.RBAShrunk},
		"kernel on tree":  {Subject: plain, Attack: experiment.Kernel},
		"defence":         {Subject: subject(experiment.Tree, "x"), Attack: experiment.RBAExact},
		"wjc of tree": {
			Subject: subject(experiment.Tree, experiment.WJC),
			Attack:  experiment.RBAExact,
		},
		"splitting 1-nn": {
			Subject: subject(experiment.OneNN, experiment.Splitting),
			Attack:  experiment.RBAExact,
		},
	} {
		if _, err := lab.Points(t.Context(), run); !errors.Is(err, experiment.ErrName) {
			t.Errorf("%s: %v, want an error of names", name, err)
		}
	}
	unknown := experiment.Subject{Set: "moons", Classifier: experiment.Tree}
	if _, err := lab.Test(t.Context(), unknown); err == nil ||
		!strings.Contains(err.Error(), "moons") {
		t.Errorf("unknown set: %v", err)
	}
}

// TestCancelled checks that finished work stays.
func TestCancelled(t *testing.T) {
	folder := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	lab := newLab(t, experiment.Options{Work: folder, Workers: 1, Progress: func(int) { cancel() }})
	run := experiment.Run{Subject: pruned, Attack: experiment.RBAExact}
	if _, err := lab.Points(ctx, run); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if kept, err := lab.Kept(t.Context(), run); kept || err != nil {
		t.Errorf("half a run is kept, or %v", err)
	}
	lab = newLab(t, experiment.Options{Work: folder})
	if _, err := lab.Test(ctx, pruned); err != nil {
		t.Errorf("the test of the subject was not kept: %v", err)
	}
}

// TestLoadingCancelled: a set is read until the context ends, and read again after that.
func TestLoadingCancelled(t *testing.T) {
	folder := t.TempDir()
	var text strings.Builder
	for i := range 400 {
		fmt.Fprintf(&text, "%d 1:%d 2:%d\n", 2+2*(i%2), i%7, i)
	}
	if err := os.WriteFile(
		filepath.Join(folder, "fourclass"), []byte(text.String()), 0o666,
	); err != nil {
		t.Fatal(err)
	}
	lab := newLab(t, experiment.Options{Folders: []string{folder}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	subject := experiment.Subject{Set: "fourclass", Classifier: experiment.OneNN}
	_, set := lab.Set(ctx, "fourclass")
	_, model := lab.Model(ctx, subject)
	_, test := lab.Test(ctx, subject)
	_, points := lab.Points(ctx, experiment.Run{Subject: subject, Attack: experiment.RBAExact})
	for name, err := range map[string]error{
		"set":    set,
		"model":  model,
		"test":   test,
		"points": points,
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want context.Canceled", name, err)
		}
	}
	if _, err := lab.Set(t.Context(), "fourclass"); err != nil {
		t.Error(err)
	}
}

func TestUnwritable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{file, filepath.Join(file, "x"), "a\x00b"} {
		if _, err := experiment.New(experiment.Options{Work: folder}); !errors.Is(
			err, experiment.ErrStore,
		) {
			t.Errorf("folder %q: %v, want an error of the store", folder, err)
		}
	}
	folder := filepath.Join(t.TempDir(), "gone")
	lab := newLab(t, experiment.Options{Work: folder})
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	if _, err := lab.Test(t.Context(), plain); !errors.Is(err, experiment.ErrStore) ||
		!errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want one of the store", err)
	}
}
