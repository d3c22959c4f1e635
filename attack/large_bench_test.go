package attack_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// The benchmarks of this file want the models and rows that tools/large_models.py makes, in
// the folder FACET_LARGE. They use the public interface and this file alone, so that
// tools/compare_versions.sh can lay it into versions that lack it.

// large opens a file of that folder.
func large(b *testing.B, name string) []byte {
	folder := os.Getenv("FACET_LARGE")
	if folder == "" {
		b.Skip("FACET_LARGE is not set: tools/large_models.py makes the folder that it names")
	}
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// largeRows reads rows whose last column is the label.
func largeRows(b *testing.B, name string) (points [][]float64, labels []int) {
	lines, err := csv.NewReader(bytes.NewReader(large(b, name))).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	for _, line := range lines {
		row := make([]float64, len(line))
		for j, cell := range line {
			if row[j], err = strconv.ParseFloat(cell, 64); err != nil {
				b.Fatal(err)
			}
		}
		last := len(row) - 1
		points, labels = append(points, row[:last]), append(labels, int(row[last]))
	}
	return points, labels
}

func largeMatrix(points [][]float64) *mat.Dense {
	x := mat.NewDense(len(points), len(points[0]), nil)
	for i, p := range points {
		x.SetRow(i, p)
	}
	return x
}

func largeXGBoost(b *testing.B, name string) classifier.Classifier {
	model, err := classifier.Read[classifier.Classifier](bytes.NewReader(large(b, name)),
		classifier.ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	return model
}

// largeTimes reports the milliseconds of points, and their sum.
func largeTimes(b *testing.B, times []float64) {
	sum := 0.0
	for _, t := range times {
		sum += t
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2], "median-ms")
	b.ReportMetric(times[len(times)-1], "worst-ms")
	b.ReportMetric(sum, "ms")
}

// attackLarge attacks each point once, and reports besides how many are proven and the mean gap of
// the others.
func attackLarge(b *testing.B, a *attack.RegionBased, points [][]float64) []attack.Result {
	var times []float64
	var results []attack.Result
	proven, gap := 0, 0.0
	for _, x := range points {
		start := time.Now()
		r, err := a.Perturb(b.Context(), x)
		times = append(times, float64(time.Since(start))/1e6)
		if err != nil {
			b.Fatal(err)
		}
		if r.Optimal() {
			proven++
		} else {
			gap += 1 - r.Bound/r.Distance
		}
		results = append(results, r)
	}
	largeTimes(b, times)
	b.ReportMetric(float64(proven), "proven")
	b.ReportMetric(100*gap/math.Max(1, float64(len(points)-proven)), "gap-%")
	return results
}

// largeForest trains so many trees of a depth on 5,000 rows of 20 features, and returns it with the
// other rows.
func largeForest(b *testing.B, trees, depth int) (forest *classifier.Ensemble, points [][]float64) {
	points, labels := largeRows(b, "classification.csv")
	forest, err := classifier.TrainForest(b.Context(), largeMatrix(points[:5000]), labels[:5000],
		classifier.ForestOptions{
			Trees:       trees,
			TreeOptions: classifier.TreeOptions{MaxDepth: depth},
		})
	if err != nil {
		b.Fatal(err)
	}
	return forest, points[5000:]
}

// BenchmarkLargeForest attacks forests that are larger than the paper's.
func BenchmarkLargeForest(b *testing.B) {
	for _, size := range [][2]int{{200, 8}, {200, 10}, {500, 10}, {1000, 10}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			forest, points := largeForest(b, size[0], size[1])
			a := &attack.RegionBased{
				Classifier: forest,
				Options:    attack.Options{Workers: 1, Timeout: 10 * time.Second},
			}
			for b.Loop() {
				attackLarge(b, a, points)
			}
		})
	}
}

// BenchmarkLargeForestL2 attacks seven points in ℓ2, where trees pay for moves.
func BenchmarkLargeForestL2(b *testing.B) {
	for _, size := range [][2]int{{200, 6}, {200, 8}, {500, 6}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			forest, points := largeForest(b, size[0], size[1])
			a := &attack.RegionBased{
				Classifier: forest,
				Options: attack.Options{
					Norm: polytope.L2, Workers: 1, Timeout: 10 * time.Second,
				},
			}
			for b.Loop() {
				attackLarge(b, a, points[:7])
			}
		})
	}
}

// BenchmarkLargeSoftmax attacks models of many classes, each of which has as many trees.
func BenchmarkLargeSoftmax(b *testing.B) {
	for _, norm := range []polytope.Norm{polytope.LInf, polytope.L2} {
		for _, classes := range []int{2, 5, 10, 20} {
			b.Run(fmt.Sprintf("norm=%v/classes=%d", norm, classes), func(b *testing.B) {
				name := fmt.Sprintf("softmax%d", classes)
				points, _ := largeRows(b, name+".csv")
				a := &attack.RegionBased{
					Classifier: largeXGBoost(b, name+".json"),
					Options: attack.Options{
						Norm: norm, Workers: 1, Timeout: 10 * time.Second,
					},
				}
				for b.Loop() {
					attackLarge(b, a, points[:10])
				}
			})
		}
	}
}

// BenchmarkLargeFirst finds the first answers that exact searches start from, in boosted trees on
// all pixels of ten digits.
func BenchmarkLargeFirst(b *testing.B) {
	a := &attack.RegionBased{
		Classifier: largeXGBoost(b, "digits.json"),
		Options:    attack.Options{Workers: 1, MaxNodes: 1},
	}
	points, _ := largeRows(b, "digits.csv")
	for b.Loop() {
		attackLarge(b, a, points)
	}
}

// BenchmarkLargePlateau attacks 1,000 boosted trees on pixels, of which many cells are equally far,
// and asks whether each point is robust just below its radius.
func BenchmarkLargePlateau(b *testing.B) {
	a := &attack.RegionBased{
		Classifier: largeXGBoost(b, "oneseven.json"),
		Options:    attack.Options{Workers: 1, Timeout: 10 * time.Second},
	}
	points, _ := largeRows(b, "oneseven.csv")
	var results []attack.Result
	b.Run("exact", func(b *testing.B) {
		for b.Loop() {
			results = attackLarge(b, a, points)
		}
	})
	b.Run("below", func(b *testing.B) {
		for b.Loop() {
			var times []float64
			for i, r := range results {
				start := time.Now()
				if _, err := a.RobustAt(b.Context(), points[i], r.Bound*(1-1e-6)); err != nil {
					b.Fatal(err)
				}
				times = append(times, float64(time.Since(start))/1e6)
			}
			largeTimes(b, times)
		}
	})
}

// BenchmarkLargeRobust attacks boosted trees that were trained on rows with noise, and some that
// were not, which tools/robust_models.py makes.
func BenchmarkLargeRobust(b *testing.B) {
	for _, name := range []string{
		"easy100", "easy300", "robust100", "robust100far", "robust300", "robust1000",
	} {
		for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
			b.Run(fmt.Sprintf("%s/norm=%v", name, norm), func(b *testing.B) {
				a := &attack.RegionBased{
					Classifier: largeXGBoost(b, name+".json"),
					Options: attack.Options{
						Norm: norm, Workers: 1, Timeout: 10 * time.Second,
					},
				}
				points, _ := largeRows(b, name+".csv")
				for b.Loop() {
					attackLarge(b, a, points)
				}
			})
		}
	}
}

// BenchmarkLargePixels attacks boosted trees on 784 pixels that were trained on rows with noise,
// 200 nodes a point, and reports how large the heap has been. --data of
// tools/robust_models.py makes them.
func BenchmarkLargePixels(b *testing.B) {
	model := largeXGBoost(b, "pixels1000.json")
	points, _ := largeRows(b, "pixels1000.csv")
	for _, norm := range []polytope.Norm{polytope.L1, polytope.L2} {
		b.Run(fmt.Sprintf("norm=%v", norm), func(b *testing.B) {
			a := &attack.RegionBased{
				Classifier: model,
				Options:    attack.Options{Norm: norm, Workers: 1, MaxNodes: 200},
			}
			for b.Loop() {
				attackLarge(b, a, points[:3])
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.HeapSys>>20), "heap-MiB")
		})
	}
}

// BenchmarkLargeBox attacks nearest neighbours among pictures, with and without the box of all
// pictures.
func BenchmarkLargeBox(b *testing.B) {
	points, labels := largeRows(b, "pixels.csv")
	pictures := polytope.NewBox(len(points[0]))
	for j := range pictures {
		pictures[j].Lo, pictures[j].Hi = 0, 1
	}
	rows := len(points) - 20
	for _, k := range []int{1, 3} {
		c, err := classifier.TrainKNN(b.Context(), largeMatrix(points[:rows]), labels[:rows],
			classifier.KNNOptions{K: k})
		if err != nil {
			b.Fatal(err)
		}
		for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
			for name, domain := range map[string]polytope.Box{"free": nil, "box": pictures} {
				b.Run(fmt.Sprintf("k=%d/norm=%v/%s", k, norm, name), func(b *testing.B) {
					a := &attack.RegionBased{
						Classifier: c,
						Options: attack.Options{
							Norm:    norm,
							Domain:  domain,
							Workers: 1,
							Timeout: 20 * time.Second,
						},
					}
					for b.Loop() {
						attackLarge(b, a, points[rows:])
					}
				})
			}
		}
	}
}
