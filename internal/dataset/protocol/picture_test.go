package protocol_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
)

// TestPicture checks that each row goes with its own picture: by its label, and
// because rows are a linear map of their pictures.
func TestPicture(t *testing.T) {
	folder := t.TempDir()
	writeImages(t, folder, "t10k", 1, 2500, "")
	check := func(t *testing.T, part string) {
		t.Helper()
		s, err := protocol.Load(t.Context(), "mnist17", folder)
		if err != nil {
			t.Fatal(err)
		}
		path := func(kind string) string { return filepath.Join(folder, part+kind) }
		images, err := dataset.LoadImages(t.Context(), path("-images-idx3-ubyte"),
			path("-labels-idx1-ubyte"), 1, 7)
		if err != nil {
			t.Fatal(err)
		}
		label := make(map[string]int)
		for i := range images.Rows {
			label[string(bytesOf(images.Row(i)))] = int(images.Labels[i])
		}
		for row, y := range s.TrainY {
			p := s.Picture(row)
			if p == nil || p.Rect.Dx() != 8 || p.Rect.Dy() != 8 {
				t.Fatalf("picture %d is %v", row, p)
			}
			if got, want := label[string(p.Pix)], []int{1, 7}[y]; got != want {
				t.Fatalf("the picture of row %d has label %d, want %d", row, got, want)
			}
		}
		checkDistances(t, s)
	}
	t.Run("test images alone", func(t *testing.T) { check(t, "t10k") })
	writeImages(t, folder, "train", 0, 1500, "")
	t.Run("training images", func(t *testing.T) { check(t, "train") })
}

func bytesOf(row []float64) []byte {
	b := make([]byte, len(row))
	for i, v := range row {
		b[i] = byte(v)
	}
	return b
}

// checkDistances fits rows to pictures by least squares, and finds no residual only
// if each row is made of its picture.
func checkDistances(t *testing.T, s *protocol.Set) {
	t.Helper()
	n := len(s.TrainY)
	a, b := mat.NewDense(n, 65, nil), mat.NewDense(n, 1, mat.Col(nil, 0, s.Train))
	for i := range n {
		for j, v := range s.Picture(i).Pix {
			a.Set(i, j, float64(v))
		}
		a.Set(i, 64, 1)
	}
	var w, fitted mat.Dense
	if err := w.Solve(a, b); err != nil {
		t.Fatal(err)
	}
	fitted.Mul(a, &w)
	fitted.Sub(&fitted, b)
	if off := floats.Norm(fitted.RawMatrix().Data, math.Inf(1)); off > 1e-9 {
		t.Errorf("rows are %v off any linear map of their pictures", off)
	}
}

func TestNoPicture(t *testing.T) {
	s, err := protocol.Halfmoon()
	if err != nil {
		t.Fatal(err)
	}
	if s.Picture(0) != nil {
		t.Error("halfmoon has pictures")
	}
	folder := t.TempDir()
	writeImages(t, folder, "t10k", 1, 2500, "")
	s, err = protocol.Load(t.Context(), "mnist17", folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []int{-1, len(s.TrainY)} {
		if s.Picture(row) != nil {
			t.Errorf("row %d has a picture", row)
		}
	}
}

// TestInFileOrder checks that the rows are those of the set, class by class, each with
// its picture, and that the attacked points are others.
func TestInFileOrder(t *testing.T) {
	folder := t.TempDir()
	writeImages(t, folder, "t10k", 1, 2500, "")
	writeImages(t, folder, "train", 0, 1500, "")
	s, err := protocol.Load(t.Context(), "mnist17", folder)
	if err != nil {
		t.Fatal(err)
	}
	ordered := s.InFileOrder()
	if !slices.IsSorted(ordered.TrainY) || slices.IsSorted(s.TrainY) {
		t.Error("the rows do not stand class by class")
	}
	checkDistances(t, ordered)
	correct := make([]bool, 200)
	for i := range correct {
		correct[i] = i%3 > 0
	}
	a, err := s.Attacked(correct)
	if err != nil {
		t.Fatal(err)
	}
	b, err := ordered.Attacked(correct)
	if err != nil || len(a) != len(b) || slices.Equal(a, b) {
		t.Errorf("attacked points %v and, in the order of the files, %v, %v: want others",
			a, b, err)
	}
	if h, err := protocol.Halfmoon(); err != nil || h.InFileOrder() != nil {
		t.Errorf("halfmoon has another order, or %v", err)
	}
}

// TestLoadSeeded checks that the seed changes the points and the split, and 0 does not.
func TestLoadSeeded(t *testing.T) {
	paper, err := protocol.Halfmoon()
	if err != nil {
		t.Fatal(err)
	}
	for seed, same := range []bool{true, false} {
		s, err := protocol.LoadSeeded(t.Context(), uint32(seed), "halfmoon")
		if err != nil || s.Seed != uint32(seed) || mat.Equal(s.Test, paper.Test) != same {
			t.Errorf("seed %d: %v, or the wrong points", seed, err)
		}
	}
}
