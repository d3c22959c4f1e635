package protocol_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// writeIDX writes unsigned bytes, compressed if the name says so.
func writeIDX(t *testing.T, path string, values []byte, shape ...uint32) {
	t.Helper()
	b := bytes.NewBuffer([]byte{0, 0, 8, byte(len(shape))})
	for _, n := range shape {
		b.Write(binary.BigEndian.AppendUint32(nil, n))
	}
	b.Write(values)
	if strings.HasSuffix(path, ".gz") {
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		z.Write(b.Bytes())
		z.Close()
		b = &zipped
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// writeImages draws the images of testdata/images.py.
func writeImages(t *testing.T, folder, part string, seed uint32, n int, suffix string) {
	t.Helper()
	rng := numpyrand.New(seed)
	labels, pixels := make([]byte, n), make([]byte, 64*n)
	for i := range labels {
		labels[i] = byte(rng.Randint(0, 10))
	}
	for i := range pixels {
		pixels[i] = byte(rng.Randint(0, 256))
	}
	writeIDX(t, filepath.Join(folder, part+"-labels-idx1-ubyte"+suffix), labels, uint32(n))
	writeIDX(t, filepath.Join(folder, part+"-images-idx3-ubyte"+suffix), pixels, uint32(n), 8, 8)
}

// answer is an entry of testdata/images.json.
type answer struct {
	Rows        int
	Train, Test []float64 // the first three rows
	TrainY      []int     `json:"train_y"` // the first thirty
	TestY       []int     `json:"test_y"`
	Attacked    []int     // when every second row is classified correctly
}

func (want *answer) check(t *testing.T, s *protocol.Set) {
	t.Helper()
	n, d := s.Train.Dims()
	m, e := s.Test.Dims()
	if n != want.Rows || m != 200 || d != 25 || e != 25 || len(s.TrainY) != n || len(s.TestY) != m {
		t.Fatalf("%d × %d training rows, %d × %d test rows, want %d, 200, both × 25",
			n, d, m, e, want.Rows)
	}
	first := func(x *mat.Dense) []float64 { return x.RawMatrix().Data[:3*25] }
	if !floats.EqualApprox(first(s.Train), want.Train, 1e-11) ||
		!floats.EqualApprox(first(s.Test), want.Test, 1e-11) {
		t.Errorf("rows begin with %v and %v, want %v and %v",
			first(s.Train)[:3], first(s.Test)[:3], want.Train[:3], want.Test[:3])
	}
	if !slices.Equal(s.TrainY[:30], want.TrainY) || !slices.Equal(s.TestY[:30], want.TestY) {
		t.Errorf("labels %v and %v, want %v and %v",
			s.TrainY[:30], s.TestY[:30], want.TrainY, want.TestY)
	}
	correct := make([]bool, 200)
	for i := 0; i < 200; i += 2 {
		correct[i] = true
	}
	if got, err := s.Attacked(correct); err != nil || !slices.Equal(got, want.Attacked) {
		t.Errorf("Attacked = %v, %v, want %v", got, err, want.Attacked)
	}
	correct[0] = false
	if got, err := s.Attacked(correct); err != nil || got != nil {
		t.Errorf("Attacked of 99 = %v, %v, want none", got, err)
	}
}

func TestLoadImages(t *testing.T) {
	var answers map[string]*answer
	text, err := os.ReadFile(filepath.Join("testdata", "images.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &answers); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "fashion-mnist"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{".", "fashion-mnist"} {
		writeImages(t, filepath.Join(folder, sub), "train", 0, 1500, ".gz")
		writeImages(t, filepath.Join(folder, sub), "t10k", 1, 2500, "")
	}
	for _, name := range []string{"f-mnist06", "f-mnist35", "mnist17"} {
		s, err := protocol.Load(t.Context(), name, folder)
		if err != nil {
			t.Fatal(err)
		}
		if s.Name != name || s.TestOnly {
			t.Errorf("name %q, test images only: %v, want %q, false", s.Name, s.TestOnly, name)
		}
		answers[name].check(t, s)
	}

	removed := filepath.Join(folder, "train-images-idx3-ubyte.gz")
	if err := os.Remove(removed); err != nil {
		t.Fatal(err)
	}
	s, err := protocol.Load(t.Context(), "mnist17", folder)
	if err != nil {
		t.Fatal(err)
	}
	if !s.TestOnly {
		t.Error("the set does not say that it is made of test images only")
	}
	answers["mnist17 of the test images"].check(t, s)
}

func TestLoadImagesRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		make func(folder string)
		want string
	}{
		{"empty folder", func(string) {},
			"the file t10k-images-idx3-ubyte, or the same with .gz or .bz2, is not in the folder"},
		{"no test labels", func(folder string) {
			writeIDX(t, filepath.Join(folder, "t10k-images-idx3-ubyte"), make([]byte, 64), 1, 8, 8)
		}, "t10k-labels-idx1-ubyte"},
		{"no training labels", func(folder string) {
			writeImages(t, folder, "t10k", 1, 2500, "")
			writeIDX(t, filepath.Join(folder, "train-images-idx3-ubyte"), make([]byte, 64), 1, 8, 8)
		}, "train-labels-idx1-ubyte"},
		{"few test images", func(folder string) {
			writeImages(t, folder, "t10k", 1, 500, "")
			writeImages(t, folder, "train", 0, 500, "")
		}, "test images, where 200 are drawn"},
		{"few images in all", func(folder string) { writeImages(t, folder, "t10k", 1, 1500, "") },
			"want at least 400"},
		{"a class is missing", func(folder string) {
			writeIDX(t, filepath.Join(folder, "t10k-images-idx3-ubyte"), make([]byte, 64), 1, 8, 8)
			writeIDX(t, filepath.Join(folder, "t10k-labels-idx1-ubyte"), []byte{1}, 1)
		}, "no image is labelled 7"},
		{"other pixels", func(folder string) {
			writeImages(t, folder, "t10k", 1, 2500, "")
			writeIDX(t, filepath.Join(folder, "train-images-idx3-ubyte"), make([]byte, 2), 2, 1, 1)
			writeIDX(t, filepath.Join(folder, "train-labels-idx1-ubyte"), []byte{1, 7}, 2)
		}, "training images of 1 pixels, test images of 64"},
		{"all alike", func(folder string) {
			labels := bytes.Repeat([]byte{1, 7}, 200)
			writeIDX(t, filepath.Join(folder, "t10k-images-idx3-ubyte"), make([]byte, 400*64), 400,
				8, 8)
			writeIDX(t, filepath.Join(folder, "t10k-labels-idx1-ubyte"), labels, 400)
		}, "vary in 0 directions"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			test.make(folder)
			s, err := protocol.Load(t.Context(), "mnist17", folder)
			if s != nil || err == nil || !strings.HasPrefix(err.Error(), "mnist17: ") ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("Load = %v, %v, want an error that says %q", s, err, test.want)
			}
		})
	}
}

// TestLoadMNIST makes do with the published test images where the training images
// are not at hand. Where they are, it is pruning that shows whether all rows are right.
func TestLoadMNIST(t *testing.T) {
	folder := os.Getenv("FACET_DATA")
	if folder == "" {
		t.Skip("FACET_DATA is not set: it names the folder of the data sets")
	}
	s, err := protocol.Load(t.Context(), "mnist17", folder)
	if err != nil {
		t.Fatal(err)
	}
	want := 13007 // as in the paper's table of data sets
	if s.TestOnly {
		want = 1963
	}
	if n, d := s.Train.Dims(); n != want || d != 25 {
		t.Errorf("%d × %d training rows, want %d × 25", n, d, want)
	}
	if s.TestOnly {
		return
	}
	// As in the paper.
	kept := []struct {
		separation float64
		want       int
	}{{0.3, 11128}, {0.1, 13004}, {0.5, 6783}}
	for _, k := range kept[:racetest.Count(1, len(kept))] {
		keep, err := prune.Adversarial{
			Radius: k.separation / 2,
		}.Prune(t.Context(), s.Train, s.TrainY)
		if err != nil || len(keep) != k.want {
			t.Errorf("separation %v keeps %d rows, %v, want %d",
				k.separation, len(keep), err, k.want)
		}
	}
}
