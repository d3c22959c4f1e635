package libraries

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestRegressors: the outputs of regressors of every objective are the library's, to the last bit
// but for exponentials, and it confirms exact adversarial examples of a threshold and both ends of
// ranges.
func TestRegressors(t *testing.T) {
	t.Parallel()
	for seed := range racetest.Count(1, 20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { checkRegressors(t, seed+2) })
	}
}

func checkRegressors(t *testing.T, seed int) {
	const script = "../../../tools/libraries/make_regressors.py"
	folder, all := made(t, script, ".json", seed)
	for _, path := range endings(t, folder, ".txt") {
		all = append(all, read(t, path))
	}
	rows := make(map[string][][]float64)
	for _, m := range all {
		rows[m.name] = m.rows(racetest.Count(300, 2000))
	}
	answers, off := ask(t, script, folder, rows), 0
	for _, m := range all {
		for i, x := range rows[m.name] {
			got, want := m.regressor.Predict(x), answers[m.name].Margins[i][0]
			if got != want {
				off++
			}
			if !m.same(got, want) {
				t.Fatalf("%s: %v has the output %v, the library says %v", m.name, x, got, want)
			}
		}
	}
	if off > len(all)*len(rows[all[0].name])/100 {
		t.Errorf("%d outputs differ in the last place", off)
	}
	confirmRegressors(t, script, folder, all)
}

// exponential reports whether the outputs are exponentials, or made of them.
func (m *model) exponential() bool { return m.regressor != nil && m.unit() > 0 && !m.mixed() }

// mixed reports whether the outputs are averages of averages, which are read as one sum.
func (m *model) mixed() bool { return strings.Contains(m.name, "mixed") }

// same reports whether outputs are equal, or differ in the last place where one is an exponential.
func (m *model) same(a, b float64) bool {
	size := math.Abs(b)
	if m.mixed() {
		size = max(size, 1) // large terms may cancel
	}
	return a == b || math.Abs(a-b) <= m.unit()*size
}

// unit is by which share outputs may differ.
func (m *model) unit() (unit float64) {
	if m.mixed() {
		return 0x1p-46
	}
	for _, kind := range []string{"poisson", "gamma", "tweedie", "logistic", "entropy"} {
		if strings.Contains(m.name, kind) {
			if unit = 0x1p-52; strings.Contains(m.name, "xgboost") {
				unit = 0x1p-23
			}
		}
	}
	return unit
}

// confirmRegressors has the library predict the inputs that attacks and ranges found.
func confirmRegressors(t *testing.T, script, folder string, all []model) {
	t.Helper()
	examples, outputs := make(map[string][][]float64), make(map[string][]float64)
	for _, m := range all {
		found, labels := m.attacked(t, racetest.Count(3, 34))
		for i, x := range found {
			if above := m.regressor.Predict(x) >= m.middle; above != (labels[i] == 1) {
				t.Errorf("%s: example %v has label %d and output %v",
					m.name, x, labels[i], m.regressor.Predict(x))
			}
			examples[m.name], outputs[m.name] = append(examples[m.name], x), append(outputs[m.name],
				m.regressor.Predict(x))
		}
		m.ranges(t, func(e property.End) {
			examples[m.name], outputs[m.name] = append(examples[m.name],
				e.X), append(outputs[m.name], e.Output)
		})
	}
	answers := ask(t, script, folder, examples)
	for _, m := range all {
		for i, want := range outputs[m.name] {
			if got := answers[m.name].Margins[i][0]; !m.same(want, got) {
				t.Errorf("%s: %v has the output %v, the library says %v",
					m.name, examples[m.name][i], want, got)
			}
		}
	}
}

// ranges finds the ranges of outputs around some rows, and hands over their ends.
func (m *model) ranges(t *testing.T, take func(e property.End)) {
	t.Helper()
	for i, x := range m.rows(racetest.Count(3, 34)) {
		for f, v := range x {
			if math.IsNaN(v) {
				x[f] = 0
			}
		}
		least, most, err := property.Range(t.Context(), m.regressor, property.Options{
			Near:     mat.NewDense(1, len(x), x),
			Within:   0.5,
			Norm:     []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2}[i%3],
			Computed: true,
		})
		if err != nil || least.Status != attack.StatusOptimal ||
			most.Status != attack.StatusOptimal {
			t.Fatalf("%s: %+v, %+v, %v", m.name, least, most, err)
		}
		take(least)
		take(most)
	}
}
