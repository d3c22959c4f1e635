package attack_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var update = flag.Bool("update", false, "write the counts of docs/inside anew")

// TestCountsAsDocumented compares the nodes, the programs and the first answers that docs/inside
// says attacks take with today's: with one worker they are the same everywhere. With -full it does
// so in all norms and for every k.
func TestCountsAsDocumented(t *testing.T) {
	t.Parallel()
	if racetest.Enabled {
		return // one worker has nobody to race with, and takes minutes
	}
	recount(t, "performance.md", "forests", countForest)
	recount(t, "figures.md", "first answers", measureFirst)
	recount(t, "performance.md", "neighbours", countNeighbors)
	recount(t, "figures.md", "weighted", measureWeighted)
}

// countForest counts the nodes that a forest takes.
func countForest(t *testing.T, c fixture.Case, cells []string) {
	norm := norms[slices.Index([]string{"ℓ∞", "ℓ1", "ℓ2"}, cells[1])]
	if norm != polytope.LInf && racetest.Count(0, 1) == 0 {
		return
	}
	a := &attack.RegionBased{
		Classifier: instance.ReadForest(t, c, "rf"),
		Options:    attack.Options{Norm: norm, Workers: 1},
	}
	nodes, _ := effort(t, a, c.Points(t)["rf"].X)
	slices.Sort(nodes)
	cells[5], cells[6], cells[7] = fmt.Sprint(nodes[len(nodes)/2]), fmt.Sprintf("%.0f",
		mean(nodes)), fmt.Sprint(slices.Max(nodes))
}

// measureFirst measures how far the first answers of a forest are beyond the nearest ones.
func measureFirst(t *testing.T, c fixture.Case, cells []string) {
	for i, norm := range []polytope.Norm{
		polytope.LInf, polytope.L1, polytope.L2,
	}[:racetest.Count(1, 3)] {
		forest, sum, worst := instance.ReadForest(t, c, "rf"), 0.0, 0.0
		points := c.Points(t)["rf"].X
		for _, x := range points {
			exact := &attack.RegionBased{
				Classifier: forest,
				Options:    attack.Options{Norm: norm, Workers: 1},
			}
			early := &attack.RegionBased{
				Classifier: forest,
				Options:    attack.Options{Norm: norm, Workers: 1, MaxNodes: 1},
			}
			ratio := answer(t, early, x).Distance / answer(t, exact, x).Distance
			sum, worst = sum+ratio, max(worst, ratio)
		}
		cells[1+i] = fmt.Sprintf("%.2f (%.1f)", sum/float64(len(points)), worst)
	}
}

// countNeighbors counts the nodes and programs that nearest neighbours take.
func countNeighbors(t *testing.T, c fixture.Case, cells []string) {
	for i, k := range []int{3, 5, 7}[:racetest.Count(1, 3)] {
		a := &attack.RegionBased{
			Classifier: instance.Voters(t, c, k),
			Options:    attack.Options{Workers: 1},
		}
		nodes, solves := effort(t, a, c.Points(t)["3nn"].X)
		cells[2+2*i] = fmt.Sprintf("%.0f / %.0f", mean(nodes), mean(solves))
	}
}

// measureWeighted measures distances by distance-weighted votes and by uniform ones.
func measureWeighted(t *testing.T, c fixture.Case, cells []string) {
	if plane := c.Set.Train.RawMatrix().Cols == 2; cells[2] != "100" ||
		!plane && racetest.Count(0, 1) == 0 {
		return // where a limit of time ends searches, results differ from run to run
	}
	k, err := strconv.Atoi(cells[1])
	if err != nil {
		t.Fatal(err)
	}
	if k > 3 && racetest.Count(0, 1) == 0 {
		return
	}
	voters, err := classifier.TrainWeightedKNN(t.Context(), c.Set.Train, c.Set.TrainY,
		classifier.KNNOptions{K: k})
	if err != nil {
		t.Fatal(err)
	}
	var distance, bound, uniform float64
	points := c.Points(t)["3nn"].X
	for _, x := range points {
		r := answer(t, &attack.RegionBased{
			Classifier: voters,
			Options:    attack.Options{Workers: 1},
		}, x)
		distance, bound = distance+r.Distance, bound+r.Bound
		uniform += answer(t,
			&attack.RegionBased{
				Classifier: instance.Voters(t, c, k),
				Options:    attack.Options{Workers: 1},
			}, x).Distance
	}
	for i, sum := range []float64{distance, bound, uniform} {
		cells[3+i] = fmt.Sprintf("%.5f", sum/float64(len(points)))
	}
}

// effort returns the nodes and the programs of each point.
func effort(t *testing.T, a attack.Attack, points [][]float64) (nodes, solves []int) {
	t.Helper()
	for _, x := range points {
		r := answer(t, a, x)
		nodes, solves = append(nodes, r.Nodes), append(solves, r.Solves)
	}
	return nodes, solves
}

func answer(t *testing.T, a attack.Attack, x []float64) attack.Result {
	t.Helper()
	r, err := a.Perturb(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mean(counts []int) float64 {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return float64(sum) / float64(len(counts))
}

// recount has the cells of each line of a table of a page filled in anew, and compares them, or
// writes them.
func recount(
	t *testing.T, name, table string, fill func(t *testing.T, c fixture.Case, cells []string),
) {
	t.Helper()
	name = filepath.Join("..", "docs", "inside", name)
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok1 := strings.Cut(string(page), "<!-- "+table+" -->\n")
	lines, _, ok2 := strings.Cut(rest, "<!-- end -->")
	if !ok1 || !ok2 {
		t.Fatalf("%s has no table %s", name, table)
	}
	table = "\n" + lines
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		compared := 0
		for line := range strings.Lines(lines) {
			cells := strings.Split(strings.Trim(line, "| \n"), " | ")
			if cells[0] != c.Set.Name {
				continue
			}
			compared++
			fill(t, c, cells)
			filled := "| " + strings.Join(cells, " | ") + " |\n"
			if filled != line && !*update {
				t.Errorf("%s says\n%sand counted are\n%sIf that is meant, run go test ./attack "+
					"-run CountsAsDocumented -full -update", name, line, filled)
			}
			table = strings.Replace(table, "\n"+line, "\n"+filled, 1)
		}
		if compared == 0 {
			t.Errorf("%s has no line for %s", name, c.Set.Name)
		}
	})
	if *update {
		text := strings.Replace(string(page), "\n"+lines, table, 1)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
