package attack_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// strength is that of the defences of the paper's Table 2.
const strength = 0.3

// The trees that the paper trains, alone and in forests, and those it splits robustly.
var (
	paperTree  = classifier.TreeOptions{MaxDepth: 5}
	robustTree = classifier.TreeOptions{MaxDepth: 5, Robust: strength, Chen: true}
)

// knn, tree and forest train the models of their names.
func knn(k int) classifier.Trainer {
	return classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: k})
}

func tree(o classifier.TreeOptions) classifier.Trainer {
	return classifier.TrainerOf(classifier.TrainTree, o)
}

func forest(o classifier.TreeOptions, trees int) classifier.Trainer {
	return classifier.TrainerOf(
		classifier.TrainForest, classifier.ForestOptions{TreeOptions: o, Trees: trees})
}

// defence is a column of docs/use/defences.md.
type defence struct {
	name             string
	trainer, plain   classifier.Trainer // with and without the defence
	attacked         classifier.Trainer // whose models adversarial training attacks, nil for none
	trained, measure int                // cells of these attacks, 0 for exact ones
}

// defences are the columns AT and RS of Table 2. The paper attacks a tree of
// unlimited depth to train one of depth 5; a user of the library gets "same" and "exact".
var defences = []defence{
	{"1nn_at", knn(1), knn(1), knn(1), 0, 0},
	{"3nn_at", knn(3), knn(3), knn(3), 50, 50},
	{"3nn_at exact", knn(3), knn(3), knn(3), 0, 0},
	{"dt_at", tree(paperTree), tree(paperTree), tree(classifier.TreeOptions{}), 0, 0},
	{"dt_at same", tree(paperTree), tree(paperTree), tree(paperTree), 0, 0},
	{"dt_rs", tree(robustTree), tree(paperTree), nil, 0, 0},
	{"rf_at", forest(paperTree, 100), forest(paperTree, 100), forest(paperTree, 100), 100, 100},
	{"rf_at exact", forest(paperTree, 100), forest(paperTree, 100), forest(paperTree, 100), 0, 0},
	{"rf_rs", forest(robustTree, 100), forest(paperTree, 100), nil, 0, 100},
	{"rf_rs exact", forest(robustTree, 100), forest(paperTree, 100), nil, 0, 0},
}

// regionBased attacks c, which was trained on x, by so many cells, 0 for all.
func regionBased(c classifier.Classifier, x mat.Matrix, cells int) *attack.RegionBased {
	a := &attack.RegionBased{Classifier: c, Options: attack.Options{Workers: 1}}
	if cells > 0 {
		a.Points, a.Mode, a.Regions = x, attack.Approx, cells
	}
	return a
}

// robustness returns the empirical robustness with and without the defence.
func (d defence) robustness(t testing.TB, s *protocol.Set) (defended, undefended float64) {
	t.Helper()
	undefended = empirical(t, s, d.plain, s.Train, s.TrainY, d.measure)
	if d.attacked == nil {
		return empirical(t, s, d.trainer, s.Train, s.TrainY, d.measure), undefended
	}
	at := attack.AdversarialTraining{
		Trainer: d.attacked, Radius: strength,
		Attack: func(c classifier.Classifier, x mat.Matrix, _ []int) (attack.Attack, error) {
			return regionBased(c, x, d.trained), nil
		},
	}
	x, y, err := at.Augment(t.Context(), s.Train, s.TrainY)
	if err != nil {
		t.Fatal(err)
	}
	return empirical(t, s, d.trainer, x, y, d.measure), undefended
}

// empirical trains on rows and attacks 100 test points as the paper does.
func empirical(
	t testing.TB, s *protocol.Set, trainer classifier.Trainer, x *mat.Dense, y []int, cells int,
) float64 {
	t.Helper()
	c, err := trainer(t.Context(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	correct := make([]bool, len(s.TestY))
	for i, label := range s.TestY {
		correct[i] = c.Predict(s.Test.RawRowView(i)) == label
	}
	attacked, err := s.Attacked(correct)
	if err != nil || len(attacked) == 0 {
		t.Fatalf("attacked points %v, %v", attacked, err)
	}
	a, sum := regionBased(c, x, cells), 0.0
	for _, i := range attacked {
		r, err := a.Perturb(t.Context(), s.Test.RawRowView(i))
		if err != nil {
			t.Fatal(err)
		}
		sum += r.Distance
	}
	return sum / float64(len(attacked))
}

// defscore is the number of Table 2, the ratio of numbers of three decimals.
func defscore(defended, undefended float64) float64 {
	return math.Round(1000*defended) / math.Round(1000*undefended)
}

// documented reads the table of docs/use/defences.md.
func documented(t *testing.T) map[string]map[string]float64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "docs", "use", "defences.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "<!-- defences -->")
	table, _, found := strings.Cut(table, "<!-- end -->")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if !found || len(lines) != 2+len(defences) {
		t.Fatalf("the table has %d lines, want %d", len(lines), 2+len(defences))
	}
	fields := func(line string) []string {
		return strings.Split(strings.ReplaceAll(line, " ", ""), "|")
	}
	sets, values := fields(lines[0]), make(map[string]map[string]float64)
	for _, line := range lines[2:] {
		name := strings.Split(line, "`")[1]
		values[name] = make(map[string]float64)
		for i, field := range fields(line)[2 : len(sets)-1] {
			if values[name][sets[i+2]], err = strconv.ParseFloat(field, 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	return values
}

// TestDefencesAsDocumented measures the quick columns of docs/use/defences.md, and with -full
// all of them.
func TestDefencesAsDocumented(t *testing.T) {
	t.Parallel()
	if racetest.Enabled {
		return // TestAdversarialTrainingDoesNotDependOnWorkers trains by many
	}
	want := documented(t)
	quick := []string{"1nn_at", "dt_at", "dt_at same", "dt_rs"}
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		for _, d := range defences {
			if !slices.Contains(quick, d.name) && racetest.Count(0, 1) == 0 {
				continue
			}
			if got, want := defscore(d.robustness(t, c.Set)), want[d.name][c.Set.Name]; math.Abs(
				got-want,
			) > 0.0005 {
				t.Errorf("%s: defscore %.4f, want %.3f", d.name, got, want)
			}
		}
	})
}

// TestRobustSplittingIsNoWorse compares the exact robustness of trees and forests
// grown by robust and by plain splitting: on all sets together, and at the
// strength of Table 2 on each.
func TestRobustSplittingIsNoWorse(t *testing.T) {
	t.Parallel()
	trees := racetest.Scale(100)
	for _, epsilon := range []float64{0.1, strength} {
		split := paperTree
		split.Robust, split.Chen = epsilon, true
		for _, d := range []defence{
			{name: "tree", trainer: tree(split), plain: tree(paperTree)},
			{
				name:    "forest",
				trainer: forest(split, trees),
				plain:   forest(paperTree, trees),
			},
		} {
			var robust, plain, sets float64
			fixture.Each(t, func(t *testing.T, c fixture.Case) {
				defended, undefended := d.robustness(t, c.Set)
				if epsilon == strength && defended < undefended {
					t.Errorf(
						"%s, ε = %v: mean radius %v by robust splitting, %v by plain splitting",
						d.name, epsilon, defended, undefended,
					)
				}
				robust, plain, sets = robust+defended, plain+undefended, sets+1
			})
			t.Logf("%s, ε = %v, mean of %v sets: %.4f by robust splitting, %.4f by plain splitting",
				d.name, epsilon, sets, robust/sets, plain/sets)
			if robust < plain {
				t.Error("robust splitting is worse on all sets together")
			}
		}
	}
}

// BenchmarkDefences measures all columns of docs/use/defences.md.
func BenchmarkDefences(b *testing.B) {
	for _, name := range []string{"australian", "cancer", "diabetes", "fourclass", "halfmoon"} {
		for _, d := range defences {
			b.Run(name+"/"+d.name, func(b *testing.B) {
				b.ReportAllocs()
				s := fixture.Open(b, name).Set
				var defended, undefended float64
				for b.Loop() {
					defended, undefended = d.robustness(b, s)
				}
				b.ReportMetric(defended, "ER")
				b.ReportMetric(undefended, "undefended-ER")
				b.ReportMetric(defscore(defended, undefended), "defscore")
			})
		}
	}
}
