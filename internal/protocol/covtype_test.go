package protocol_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// writeCovtype writes the first n rows of testdata/covtype.py's 3000.
func writeCovtype(t *testing.T, n int) (folder string) {
	t.Helper()
	rng := numpyrand.New(2)
	labels := make([]int64, 3000)
	for i := range labels {
		labels[i] = rng.Randint(1, 3)
	}
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "%d", labels[i])
		for j := range 3 {
			if v := rng.Randint(0, 100); v != 0 {
				fmt.Fprintf(&text, " %d:%d", j+1, v)
			}
		}
		text.WriteByte('\n')
	}
	folder = t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "covtype.libsvm.binary"), []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestLoadCovtype(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "covtype.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want answer
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	s, err := protocol.Load(t.Context(), "covtype", writeCovtype(t, 3000))
	if err != nil {
		t.Fatal(err)
	}
	if n, d := s.Train.Dims(); s.Name != "covtype" || n != want.Rows || d != 3 || len(s.TestY) != 200 {
		t.Fatalf("%s of %d × %d training and %d test rows, want covtype, %d × 3, 200", s.Name, n, d, len(s.TestY), want.Rows)
	}
	if got := s.Train.RawMatrix().Data[:30]; !floats.EqualApprox(got, want.Train, 1e-15) {
		t.Errorf("training rows begin with %v, want %v", got, want.Train)
	}
	if got := s.Test.RawMatrix().Data[:30]; !floats.EqualApprox(got, want.Test, 1e-15) {
		t.Errorf("test rows begin with %v, want %v", got, want.Test)
	}
	if !slices.Equal(s.TrainY[:30], want.TrainY) || !slices.Equal(s.TestY[:30], want.TestY) {
		t.Errorf("labels %v and %v, want %v and %v", s.TrainY[:30], s.TestY[:30], want.TrainY, want.TestY)
	}
	correct := make([]bool, 200)
	for i := 0; i < 200; i += 2 {
		correct[i] = true
	}
	if got, err := s.Attacked(correct); err != nil || !slices.Equal(got, want.Attacked) {
		t.Errorf("Attacked = %v, %v, want %v", got, err, want.Attacked)
	}
}

func TestLoadCovtypeRefuses(t *testing.T) {
	s, err := protocol.Load(t.Context(), "covtype", writeCovtype(t, 2000))
	if s != nil || err == nil || !strings.Contains(err.Error(), "where 1100 of them are drawn") {
		t.Errorf("Load = %v, %v, want an error about the number of rows", s, err)
	}
}
