package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// houses are the model and the rows of docs/use/regressors.md.
var houses, districts = filepath.Join(modelFolder, "houses.json"),
	filepath.Join(modelFolder, "houses.csv")

func readHouses(t *testing.T) *classifier.Regressor {
	t.Helper()
	file, err := os.Open(houses)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := classifier.Read[*classifier.Regressor](file, classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// linesOf reads the lines of a file.
func linesOf[T any](t *testing.T, f folder, name string) (lines []T) {
	t.Helper()
	for text := range strings.Lines(f.read(name)) {
		var line T
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

// TestAttackAbove: examples lie on the other side of the threshold, and their distances are those
// of the library; --proofs of them hold, for any values of the rows.
func TestAttackAbove(t *testing.T) {
	f, r := newFolder(t), readHouses(t)
	mustCall(t, "attack", "--model", houses, "--test", districts, "--target", "output:2", "--out",
		f.file("rows"), "--proofs", f.file("proofs"), "--include-misclassified")
	lines := linesOf[results.Line](t, f, "rows")
	if len(lines) != 30 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, l := range lines {
		above := map[string]bool{"above": true, "below": false}[l.Predicted.String()]
		if l.Status != results.Optimal || l.AdversarialLabel == nil ||
			*l.AdversarialLabel == l.Predicted {
			t.Errorf("row %d: %+v", l.Row, l)
			continue
		}
		if output := r.Predict(tabular.Numbers(l.Adversarial)); output != *l.AdversarialOutput ||
			(output >= 2) == above || (*l.Output >= 2) != above {
			t.Errorf("row %d: output %v, then %v, where the line says %v",
				l.Row, *l.Output, output, *l.AdversarialOutput)
		}
	}
	mustCall(t, "check", f.file("proofs"), "--model", f.file("proofs.model.json"))
	mustCall(t, "certify",
		"--model", houses, "--test", districts, "--target", "output:2", "--radius", "0.1",
		"--points", "3")
}

// TestAttackChange: the nearer of two attacks is the answer, and the output really changes by more.
func TestAttackChange(t *testing.T) {
	f, r := newFolder(t), readHouses(t)
	run := []string{"attack", "--model", houses, "--test", districts, "--target", "change:0.5",
		"--norm", "2", "--out", f.file("rows"), "--untimed"}
	mustCall(t, run...)
	whole := f.read("rows")
	for _, l := range linesOf[results.Line](t, f, "rows") {
		larger := l.AdversarialLabel.String() == "larger"
		more := r.Predict(tabular.Numbers(l.Adversarial)) - *l.Output
		if l.Status != results.Optimal || math.Abs(more) <= 0.5 || larger != (more > 0) {
			t.Errorf("row %d: %v more, %+v", l.Row, more, l)
		}
	}
	// What a run that ended early has written, --resume completes.
	first, _, _ := strings.Cut(whole, "\n")
	f.write("rows", first+"\n")
	if mustCall(t, append(run, "--resume")...); f.read("rows") != whole {
		t.Error("the file is another after --resume")
	}
	if mustCall(t, append(run, "--workers", "1")...); f.read("rows") != whole {
		t.Error("the file is another with one worker")
	}
}

// TestRange: around rows and in a box, the ends are those of the library, and hold the outputs of
// the attacks.
func TestRange(t *testing.T) {
	type line struct {
		Row        *int
		Output     float64
		Status     string
		Min, Max   float64
		MaxBound   float64   `json:"max_bound"`
		MinExample []float64 `json:"min_example"`
	}
	f, r := newFolder(t), readHouses(t)
	table := mustCall(t, "range", "--model", houses, "--test", districts, "--radius", "2", "--norm",
		"1", "--rows", f.write("list", "3\n7\n"), "--out", f.file("ranges"))
	if !strings.Contains(table, "2, of them 2 proven") {
		t.Errorf("the table says\n%s", table)
	}
	lines := linesOf[line](t, f, "ranges")
	if len(lines) != 2 || *lines[0].Row != 3 || *lines[1].Row != 7 {
		t.Fatalf("%+v", lines)
	}
	for _, l := range lines {
		if l.Status != "proven" || l.Min > l.Output || l.Max < l.Output ||
			r.Predict(l.MinExample) != l.Min {
			t.Errorf("%+v", l)
		}
	}
	mustCall(t, "range", "--model", houses, "--domain", f.write("box", "income,2,4\n"),
		"--out", f.file("ranges"), "--max-nodes", "1")
	if l := linesOf[line](t, f, "ranges")[0]; l.Row != nil || l.Status != "limit" ||
		l.Max >= l.MaxBound || l.MinExample[0] < 2 || l.MinExample[0] > 4 {
		t.Errorf("%+v", l)
	}
}
