package bits_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var recordBits = flag.Bool("bits",
	false, "make testdata anew: what exact attacks answer, to the last bit")

// bitModel is a classifier that is attacked for its bits, and the points it is attacked at.
type bitModel struct {
	name   string
	c      classifier.Classifier
	points [][]float64
	nodes  int // limit, 0 for none
}

// TestBits attacks the points of the fixtures, in all norms: a change that is to leave the answers
// as they are leaves every bit of distance, bound, label and example. A change that is to change
// them records them anew with -bits, and says why.
func TestBits(t *testing.T) {
	t.Parallel()
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		t.Parallel()
		compareBits(t, c.Set.Name, append(neighborModels(t, c), treeModels(t, c)...))
	})
	t.Run("recorded", func(t *testing.T) {
		t.Parallel()
		compareBits(t, "recorded", recordedModels(t))
	})
}

// compareBits compares with the recorded file, or writes it.
func compareBits(t *testing.T, file string, models []bitModel) {
	path := filepath.Join("testdata", file+".txt")
	if *recordBits {
		writeBits(t, path, models)
		return
	}
	recorded := readBits(t, path)
	for _, m := range models {
		for _, norm := range instance.Norms() {
			for i := range min(len(m.points), instance.Count(1, len(m.points))) {
				key, got := m.answer(t, norm, i)
				if want := recorded[key]; got != want {
					t.Errorf("%s: %s, recorded %q", key, got, want)
				}
			}
		}
	}
}

// answer attacks point i: the key of its line, and the line.
func (m *bitModel) answer(t *testing.T, norm polytope.Norm, i int) (key, line string) {
	a := &attack.RegionBased{
		Classifier: m.c,
		Options:    attack.Options{Norm: norm, Workers: 1, MaxNodes: m.nodes},
	}
	r, err := a.Perturb(t.Context(), m.points[i])
	if err != nil {
		t.Fatal(err)
	}
	key = fmt.Sprintf("%s %v %d:", m.name, norm, i)
	example := sha256.New()
	if err := binary.Write(example, binary.LittleEndian, r.Example); err != nil {
		t.Fatal(err)
	}
	return key, fmt.Sprintf("distance %016x bound %016x label %d optimal %t example %x",
		math.Float64bits(r.Distance), math.Float64bits(r.Bound), r.Label, r.Optimal(),
		example.Sum(nil)[:8])
}

func writeBits(t *testing.T, path string, models []bitModel) {
	var text strings.Builder
	for _, m := range models {
		for _, norm := range instance.Norms() {
			for i := range m.points {
				key, line := m.answer(t, norm, i)
				fmt.Fprintln(&text, key, line)
			}
		}
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

func readBits(t *testing.T, path string) map[string]string {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := map[string]string{}
	for s := bufio.NewScanner(file); s.Scan(); {
		key, line, _ := strings.Cut(s.Text(), ": ")
		lines[key+":"] = line
	}
	return lines
}

// neighborModels are k-NN on the training rows. The weighted one stops at a number of nodes.
func neighborModels(t testing.TB, c fixture.Case) (models []bitModel) {
	points := c.Points(t)["1nn"].X[:20]
	for _, k := range []int{1, 3, 5, 7} {
		knn, err := classifier.TrainKNN(t.Context(), c.Set.Train, c.Set.TrainY,
			classifier.KNNOptions{K: k})
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, bitModel{fmt.Sprintf("k-NN k=%d", k), knn, points, 20_000})
	}
	for _, k := range []int{2, 3, 5} {
		weighted, err := classifier.TrainWeightedKNN(t.Context(), c.Set.Train, c.Set.TrainY,
			classifier.KNNOptions{K: k})
		if err != nil {
			t.Fatal(err)
		}
		models = append(models,
			bitModel{fmt.Sprintf("weighted k=%d", k), weighted, points[:10], 200})
	}
	return models
}

// treeModels are the fixtures' trees and forests, and robust boosted and oblique trees that are
// trained here.
func treeModels(t testing.TB, c fixture.Case) (models []bitModel) {
	points := c.Points(t)["1nn"].X[:20]
	for _, name := range []string{"dt", "dt.pruned30"} {
		models = append(models, bitModel{name, instance.ReadTree(t, c, name), points, 0})
	}
	for _, name := range []string{"rf", "rf.pruned30"} {
		models = append(models, bitModel{name, instance.ReadForest(t, c, name), points, 20_000})
	}
	boosted, err := classifier.TrainBoosted(t.Context(), c.Set.Train, c.Set.TrainY,
		classifier.BoostedOptions{Rounds: 50, Depth: 4, Robust: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	models = append(models, bitModel{"robust boosted", boosted, points[:10], 20_000})
	for _, trees := range []int{1, 4} {
		o := classifier.ObliqueOptions{Trees: trees, MaxDepth: 3, Seed: 1, Restarts: 1, Jumps: 1}
		e, err := classifier.TrainOblique(t.Context(), c.Set.Train, c.Set.TrainY, o)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, bitModel{fmt.Sprintf("oblique trees=%d", trees), e, points, 2_000})
		if trees == 1 {
			tree := instance.ObliqueTree(t, e.Dim(), e.Tree(0)...)
			models = append(models, bitModel{"oblique tree", tree, points, 2_000})
		}
	}
	return models
}

// recordedModels are models that other libraries trained, attacked at points around 0.
func recordedModels(t testing.TB) (models []bitModel) {
	rng := rand.New(rand.NewPCG(12, 1))
	for _, name := range []string{
		"xgboost/depth3.json", "xgboost/depth6.json", "xgboost/softmax4.json",
		"xgboost/softprob3.json", "xgboost/tied.json",
		"lightgbm/binary.txt", "lightgbm/multiclass.txt", "boosting/binary.json",
		"boosting/four.json", "boosting/forest.json",
	} {
		e := instance.ReadModel(t, name)
		points := make([][]float64, 20)
		for i := range points {
			points[i] = make([]float64, e.Dim())
			for j := range points[i] {
				points[i][j] = rng.NormFloat64()
			}
		}
		models = append(models, bitModel{name, e, points, 20_000})
	}
	return models
}
