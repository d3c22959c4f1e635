package libraries

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// question is one that testdata/program.py answers.
type question struct {
	Trees  [][]node  `json:"trees"`
	X      []float64 `json:"x"`
	Norm   string    `json:"norm"`
	Radius float64   `json:"radius"`
	// Answers are the leads of each label that answers: that label, a rival, and by how much.
	Answers [][][3]float64 `json:"answers"`

	distance float64 // that the attack proves
}

type node struct {
	Feature   int       `json:"feature"`
	Threshold float64   `json:"threshold"`
	Left      int       `json:"left"`
	Right     int       `json:"right"`
	Value     []float64 `json:"value"`
}

// TestProgram: the mixed-integer program of a forest has the distance that the attack proves, of
// forests too large for an enumeration of their cells.
func TestProgram(t *testing.T) {
	t.Parallel()
	var all []question
	for _, size := range []struct{ trees, depth, classes int }{{10, 4, 2}, {10, 4, 3}, {20, 5, 2}} {
		x, y := blobs(300, 4, size.classes)
		soft, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
			Trees: size.trees, TreeOptions: classifier.TreeOptions{MaxDepth: size.depth},
		})
		if err != nil {
			t.Fatal(err)
		}
		hard, err := classifier.NewEnsemble(treesOf(soft), classifier.EnsembleOptions{
			Vote: classifier.HardVote,
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []*classifier.Ensemble{soft, hard} {
			for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1} {
				for i := range racetest.Count(10, 60) {
					o := attack.Options{Norm: norm, Workers: 1}
					if from := e.Predict(x.RawRowView(i)); size.classes > 2 && i%2 == 0 {
						o.Target = new((from + 1) % size.classes)
					}
					all = append(all, program(t, e, o, x.RawRowView(i)))
				}
			}
		}
	}
	checkPrograms(t, all)
}

// blobs are points around one centre a class.
func blobs(n, dim, classes int) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(1, 5))
	x, y := mat.NewDense(n, dim, nil), make([]int, n)
	for i := range n {
		y[i] = i % classes
		for j := range dim {
			x.Set(i, j, 0.5*float64((y[i]*(j+1))%classes)+0.5*rng.NormFloat64())
		}
	}
	return x, y
}

func treesOf(e *classifier.Ensemble) (trees []*classifier.Tree) {
	for i := range e.Len() {
		trees = append(trees, e.Tree(i))
	}
	return trees
}

// program asks for the nearest input of another label: it leads over that of x, or, if it is the
// target, over all.
func program(t *testing.T, e *classifier.Ensemble, o attack.Options, x []float64) question {
	t.Helper()
	r, err := (&attack.RegionBased{Classifier: e, Options: o}).Perturb(t.Context(), x)
	if err != nil || !r.Optimal() || r.Example == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	q := question{X: x, Norm: o.Norm.String(), Radius: r.Distance + solverTolerance,
		distance: r.Distance}
	hard := e.Options().Vote == classifier.HardVote
	for _, tree := range treesOf(e) {
		var nodes []node
		for _, n := range tree.Nodes() {
			value := n.Value
			if hard {
				value = make([]float64, len(n.Value))
				value[floats.MaxIdx(n.Value)] = 1
			}
			nodes = append(nodes, node{n.Feature, n.Threshold, n.Left, n.Right, value})
		}
		q.Trees = append(q.Trees, nodes)
	}
	from := e.Predict(x)
	for label := range e.Classes() {
		if label == from || o.Target != nil && label != *o.Target {
			continue
		}
		var leads [][3]float64
		for rival := range e.Classes() {
			if rival == from || o.Target != nil && rival != label {
				leads = append(leads,
					[3]float64{float64(label), float64(rival), need(hard, label, rival)})
			}
		}
		q.Answers = append(q.Answers, leads)
	}
	return q
}

// solverTolerance is the largest number that the solver takes for 0.
const solverTolerance = 1e-6

// need is the lead that a label needs: of whole votes half of one more or less than a tie, which
// goes to the smaller label, and else less than one by the error of rounding.
func need(hard bool, label, rival int) float64 {
	switch {
	case !hard:
		return -1e-5
	case label < rival:
		return -0.5
	}
	return 0.5
}

// checkPrograms checks that programs have no farther answers than the attack; nor nearer ones, but
// for a few that rounding decides.
func checkPrograms(t *testing.T, all []question) {
	t.Helper()
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	var answers []*float64
	found := python.Run(t, "testdata/program.py", text)
	if err := json.Unmarshal(found, &answers); err != nil {
		t.Fatal(err)
	}
	nearer := 0
	for i, q := range all {
		switch answer := answers[i]; {
		case answer == nil || *answer > q.Radius:
			t.Errorf("question %d, norm %s: %v, the program has %v", i, q.Norm, q.distance, answer)
		case *answer < q.distance-solverTolerance:
			nearer++
		}
	}
	if nearer > len(all)/20 {
		t.Errorf("of %d programs %d have nearer answers", len(all), nearer)
	}
	t.Logf("%d programs, %d with a nearer answer", len(all), nearer)
}
