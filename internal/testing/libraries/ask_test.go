package libraries

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// model is a file of a library as it was read: a classifier, or a regressor.
type model struct {
	name      string
	votes     *classifier.Ensemble // of a regressor: whether the output is at least middle
	regressor *classifier.Regressor
	middle    float64
	special   []float64 // values that rows have besides those around thresholds
}

// folders hold the models of a script and a seed, which several tests ask about.
var folders struct {
	root string
	made sync.Map // a *making by script and seed
}

type making struct {
	sync.Mutex
	done bool
}

func TestMain(m *testing.M) {
	var err error
	if folders.root, err = os.MkdirTemp("", "facet-libraries"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(folders.root)
	os.Exit(status)
}

// made has a script make models from a seed, once, and reads the files with an ending.
func made(t *testing.T, script, ending string, seed int) (folder string, all []model) {
	t.Helper()
	name := fmt.Sprint(filepath.Base(script), "-", seed)
	folder = filepath.Join(folders.root, name)
	one, _ := folders.made.LoadOrStore(name, new(making))
	one.(*making).make(t, script, folder, seed)
	for _, path := range endings(t, folder, ending) {
		all = append(all, read(t, path))
	}
	return folder, all
}

func (m *making) make(t *testing.T, script, folder string, seed int) {
	t.Helper()
	m.Lock()
	defer m.Unlock()
	if !m.done {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		python.Run(t, script, nil, "make", folder, strconv.Itoa(seed))
		m.done = true
	}
}

// endings returns the files of a folder with an ending.
func endings(t *testing.T, folder, ending string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"+ending))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d models *%s, %v", len(paths), ending, err)
	}
	return paths
}

// read reads a file.
func read(t *testing.T, path string) model {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m := model{name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))}
	if strings.Contains(m.name, "missing") {
		m.special = []float64{math.NaN()}
	}
	if strings.Contains(m.name, "regressor") {
		m.regressor, err = classifier.Read[*classifier.Regressor](bytes.NewReader(text),
			classifier.ReadOptions{})
		if err == nil {
			m.middle = m.regressor.Predict(make([]float64, m.regressor.Dim()))
			m.votes, err = m.regressor.Above(m.middle)
		}
	} else if vote, ok := ownObjective(m.name); ok {
		m.votes, err = classifier.Read[*classifier.Ensemble](bytes.NewReader(text),
			classifier.ReadOptions{Vote: vote})
	} else {
		var c classifier.Classifier
		if c, err = classifier.Read[classifier.Classifier](bytes.NewReader(text),
			classifier.ReadOptions{}); err == nil {
			m.votes = c.(*classifier.Ensemble)
		}
	}
	if err != nil {
		t.Fatalf("%s: %v", m.name, err)
	}
	return m
}

// ownObjective returns the vote of a model that was trained with an objective of one's own.
func ownObjective(name string) (classifier.Vote, bool) {
	if strings.Contains(name, "softmax_three") {
		return classifier.SoftmaxVote, strings.Contains(name, "custom")
	}
	return classifier.LogisticVote, strings.Contains(name, "custom")
}

// rows returns rows on, beside and between thresholds.
func (m *model) rows(count int) [][]float64 {
	rng := rand.New(rand.NewPCG(1, uint64(len(m.name))))
	cuts := make([][]float64, m.votes.Dim())
	for i := range m.votes.Len() {
		for _, n := range m.votes.Tree(i).Nodes() {
			if n.Left >= 0 && !math.IsInf(n.Threshold, 0) {
				cuts[n.Feature] = append(cuts[n.Feature], n.Threshold)
			}
		}
	}
	rows := make([][]float64, count)
	for i := range rows {
		for f, near := range cuts {
			rows[i] = append(rows[i], m.value(rng, f, append(near, 0)))
		}
	}
	return rows
}

func (m *model) value(rng *rand.Rand, feature int, near []float64) float64 {
	if codes := m.votes.Categories(); codes != nil && codes[feature] > 0 {
		return float64(rng.IntN(codes[feature] + 1)) // and one that is not known
	}
	if len(m.special) > 0 && rng.IntN(8) == 0 {
		return m.special[rng.IntN(len(m.special))]
	}
	cut := near[rng.IntN(len(near))]
	single, toward := float32(cut), float32(math.Inf(rng.IntN(2)*2-1))
	beside := math.Nextafter32(single, toward)
	middle := float64(single)/2 + float64(beside)/2
	v := [...]float64{cut, float64(single), float64(beside), middle,
		math.Nextafter(middle, math.Inf(1)), cut + rng.NormFloat64()}[rng.IntN(6)]
	return min(max(v, -math.MaxFloat64), math.MaxFloat64) // JSON has no more
}

// answer is a library's answer about rows: labels, but of regressors, and margins.
type answer struct {
	Labels  []int
	Margins [][]float64
	Threads [][]float64 // margins of some rows, by several threads
}

// label is the library's label of row i.
func (m *model) label(a answer, i int) int {
	switch {
	case m.regressor == nil:
		return a.Labels[i]
	case a.Margins[i][0] >= m.middle:
		return 1
	}
	return 0
}

// ask has a script predict rows of each model.
func ask(t *testing.T, script, folder string, rows map[string][][]float64) map[string]answer {
	t.Helper()
	question := make(map[string][][]*float64)
	for name, all := range rows {
		question[name] = make([][]*float64, len(all))
		for i, x := range all {
			question[name][i] = make([]*float64, len(x))
			for f := range x {
				if !math.IsNaN(x[f]) {
					question[name][i][f] = &x[f]
				}
			}
		}
	}
	text, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	var answers map[string]answer
	if err := json.Unmarshal(python.Run(t, script, text, "predict", folder), &answers); err != nil {
		t.Fatal(err)
	}
	for name, all := range rows {
		if len(answers[name].Margins) != len(all) {
			t.Fatalf("%s: %d answers, want %d", name, len(answers[name].Margins), len(all))
		}
	}
	return answers
}

// attacked returns exact adversarial examples of a few rows in three norms, and the labels that
// they have.
func (m *model) attacked(t *testing.T, count int) (examples [][]float64, labels []int) {
	t.Helper()
	for _, x := range m.rows(20 * count) {
		if slices.ContainsFunc(x, math.IsNaN) && m.votes.Categories() == nil {
			continue
		}
		if len(examples) == 3*count {
			break
		}
		for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
			rba := &attack.RegionBased{
				Classifier: m.votes,
				Options:    attack.Options{Norm: norm, MaxNodes: 20_000},
			}
			r, err := rba.Perturb(t.Context(), x)
			if err != nil {
				t.Fatalf("%s: %v", m.name, err)
			}
			if r.Example == nil {
				continue // all inputs have the label
			}
			examples, labels = append(examples, r.Example), append(labels, r.Label)
		}
	}
	return examples, labels
}

// margins returns the library's margins: the output of a regressor, and one number of a model of
// two classes that has no more.
func (m *model) margins(x []float64) []float64 {
	if m.regressor != nil {
		return []float64{m.regressor.Predict(x)}
	}
	scores := m.votes.Scores(x)
	if m.votes.Options().Vote != classifier.SoftVote && len(scores) == 2 && !m.ofBoth() {
		return scores[1:]
	}
	return scores
}

// ofBoth reports whether a leaf has a value for class 0.
func (m *model) ofBoth() bool {
	for i := range m.votes.Len() {
		for _, n := range m.votes.Tree(i).Nodes() {
			if n.Value[0] != 0 {
				return true
			}
		}
	}
	return false
}

// confirm has a script predict adversarial examples for some rows of each model: none may be
// refused.
func confirm(t *testing.T, script, folder string, all []model, count int) {
	t.Helper()
	examples, labels := make(map[string][][]float64), make(map[string][]int)
	for _, m := range all {
		examples[m.name], labels[m.name] = m.attacked(t, count)
	}
	answers := ask(t, script, folder, examples)
	for _, m := range all {
		for i, x := range examples[m.name] {
			if got := m.label(answers[m.name], i); got != labels[m.name][i] {
				t.Errorf("%s: example %v has label %d, and %d as the library has it",
					m.name, x, labels[m.name][i], got)
			}
		}
	}
}
