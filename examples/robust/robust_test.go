package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tuning"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// TestWrongUse: sets that are not known, or whose files are nowhere, are refused by name.
func TestWrongUse(t *testing.T) {
	t.Setenv("FACET_DATA", t.TempDir())
	for _, name := range []string{"nowhere", "cancer", "shoes", "covtype", "covtype500",
		"mnist", "fashion"} {
		var stdout, stderr bytes.Buffer
		status := program().Run(t.Context(), []string{"--sets", name}, &stdout, &stderr)
		want := map[string]string{
			"nowhere":    `not "nowhere"`,
			"cancer":     "breast-cancer is in none of the folders",
			"covtype":    "covtype.libsvm.binary",
			"covtype500": "-download covtype500",
			"shoes":      "fashion-mnist/train-images-idx3-ubyte is in none of the folders",
			"fashion":    "fashion-mnist/train-images-idx3-ubyte is in none of the folders",
			"mnist":      "train-images-idx3-ubyte is in none of the folders",
		}[name]
		if status != 2 || stdout.Len() > 0 || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: status %d, %s%s", name, status, &stdout, &stderr)
		}
	}
}

// TestCompare: robust training certifies more than plain training, and neither more than the bound.
func TestCompare(t *testing.T) {
	rows, err := dataset.Moons(300, 0.2, numpyrand.New(0))
	if err != nil {
		t.Fatal(err)
	}
	s := &set{source: source{radius: 0.1}, name: "moons"}
	s.scaled(rows, 0, rows.Rows)
	only, err := tuning.HoldOut(s.x, s.y, tuning.Folds(s.y, 0)[0])
	if err != nil {
		t.Fatal(err)
	}
	s.test = &only
	var table bytes.Buffer
	if err := s.compare(t.Context(), &table, 1, 0); err != nil {
		t.Fatal(err)
	}
	certified := map[string]float64{}
	for line := range strings.Lines(table.String()) {
		cells := strings.Split(line, " | ")
		if len(cells) < 3 {
			continue
		}
		if v, err := strconv.ParseFloat(cells[2], 64); err == nil {
			certified[strings.TrimPrefix(cells[0], "| ")] = v
		}
	}
	bound, ok := certified["no classifier of these rows certifies more"]
	if len(certified) != len(methods(s.radius, 0))+2 || !ok {
		t.Fatalf("%v of\n%s", certified, &table)
	}
	for name, v := range certified {
		if v > bound {
			t.Errorf("%s certifies %v, and no classifier more than %v", name, v, bound)
		}
	}
	for robust, plain := range map[string]string{
		"robust tree": "forest", "robust forest": "forest", "1-NN, pruned": "1-NN",
		"robust tree, `--tune`":          "forest",
		"1-NN, pruned, `Local` 1":        "1-NN",
		"robust boosted trees":           "boosted trees",
		"robust boosted trees, `--tune`": "boosted trees",
	} {
		if certified[robust] <= certified[plain] {
			t.Errorf("%s certifies %v, %s %v", robust, certified[robust], plain, certified[plain])
		}
	}
}

// TestTenClasses: of images of ten classes robust boosted trees are trained, and judged on all test
// images.
func TestTenClasses(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("FACET_DATA", folder)
	for part, n := range map[string]byte{"train": 200, "t10k": 50} {
		images := []byte{0, 0, 8, 3, 0, 0, 0, n, 0, 0, 0, 1, 0, 0, 0, 10}
		labels := []byte{0, 0, 8, 1, 0, 0, 0, n}
		for i := range n {
			image := make([]byte, 10)
			image[i%10] = 200 + i/10
			images, labels = append(images, image...), append(labels, i%10)
		}
		for name, content := range map[string][]byte{
			part + "-images-idx3-ubyte": images, part + "-labels-idx1-ubyte": labels,
		} {
			if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	var stdout, stderr bytes.Buffer
	status := program().Run(t.Context(), []string{"--sets", "mnist"}, &stdout, &stderr)
	table := stdout.String()
	if status != 0 || !strings.Contains(table, "| robust boosted trees | 1.000 | 1.000 |") ||
		strings.Contains(table, "| boosted trees") {
		t.Errorf("status %d, %s%s", status, &stdout, &stderr)
	}
}

// TestOrdered: the first four fifths of a file are trained on, and scaled.
func TestOrdered(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("FACET_DATA", folder)
	text := ""
	for i := range 10 {
		text += fmt.Sprintf("%d 1:%d\n", i%2, 2*i)
	}
	err := os.WriteFile(filepath.Join(folder, "diabetes"), []byte(text), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	s, err := load(t.Context(), "diabetes-first")
	if err != nil {
		t.Fatal(err)
	}
	parts, err := s.parts(3)
	if err != nil || len(parts) != 1 || len(parts[0].TrainY) != 8 || len(parts[0].TestY) != 2 {
		t.Fatalf("%d parts: %+v, %v", len(parts), parts, err)
	}
	p := parts[0]
	if p.TrainX.At(7, 0) != 1 || p.TestX.At(1, 0) != 9./7 || p.TestY[1] != 1 {
		t.Errorf("%v and %v are trained on and tested", p.TrainX, p.TestX)
	}
}

// TestParts: the folds of a division have each row once, and no row of theirs is trained on.
func TestParts(t *testing.T) {
	s := &set{x: mat.NewDense(23, 1, nil), y: make([]int, 23)}
	for i := range s.y {
		s.x.Set(i, 0, float64(i))
		s.y[i] = i % 2
	}
	parts, err := s.parts(2)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[float64]int{}
	for _, p := range parts {
		trained := map[float64]bool{}
		for i := range p.TrainY {
			trained[p.TrainX.At(i, 0)] = true
		}
		for i := range p.TestY {
			v := p.TestX.At(i, 0)
			if seen[v]++; trained[v] || p.TestY[i] != int(v)%2 {
				t.Errorf("row %v is tested as %d, trained on: %t", v, p.TestY[i], trained[v])
			}
		}
	}
	for i := range s.y {
		if seen[float64(i)] != 2 {
			t.Errorf("row %d is tested %d times in two divisions", i, seen[float64(i)])
		}
	}
	if len(tuning.Folds(s.y, 0)) != 5 {
		t.Error("there are not five folds")
	}
}
