// Package protocol prepares the paper's data sets as its experiments did: seed 0,
// the last 200 shuffled rows for testing, scaling fitted on the training rows,
// 100 attacked points chosen by the generator that made the split.
package protocol

import (
	"fmt"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

const (
	seed     = 0
	testRows = 200
	attacked = 100
)

// Files maps the paper's names of the sets that are read from LIBSVM files to the
// files' names.
func Files() map[string]string {
	return map[string]string{
		"australian": "australian",
		"cancer":     "breast-cancer",
		"diabetes":   "diabetes",
		"fourclass":  "fourclass",
	}
}

// Set is a data set of the paper, split and scaled, with labels from 0.
type Set struct {
	Name   string
	Train  *mat.Dense // in the order of the split
	TrainY []int
	Test   *mat.Dense
	TestY  []int
}

// Load prepares the set with this name from its file in folder; halfmoon is
// generated.
func Load(name, folder string) (*Set, error) {
	if name == "halfmoon" {
		return Halfmoon()
	}
	file, ok := Files()[name]
	if !ok {
		return nil, fmt.Errorf("there is no data set named %q", name)
	}
	sets, err := dataset.Load(0, dataset.Source{Path: filepath.Join(folder, file)})
	if err != nil {
		return nil, err
	}
	return split(name, sets[0])
}

// Halfmoon generates the paper's halfmoon set: two interleaved half circles, 2200
// points with noise 0.25.
func Halfmoon() (*Set, error) {
	set, err := dataset.Moons(2200, 0.25, numpyrand.New(seed))
	if err != nil {
		return nil, err
	}
	return split("halfmoon", set)
}

func split(name string, set *dataset.Set) (*Set, error) {
	trainRows, testPart, err := dataset.Split(set.Rows, testRows, numpyrand.New(seed))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	train, test := set.Select(trainRows), set.Select(testPart)
	scaling, err := dataset.FitMinMax(train)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	classes := dataset.Classes(set)
	s := &Set{Name: name}
	if s.Train, s.TrainY, err = scaled(train, scaling, classes); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if s.Test, s.TestY, err = scaled(test, scaling, classes); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

func scaled(set *dataset.Set, m *dataset.MinMax, classes []float64) (*mat.Dense, []int, error) {
	set, err := m.Apply(set)
	if err != nil {
		return nil, nil, err
	}
	y, err := dataset.ClassIndices(set.Labels, classes)
	if err != nil {
		return nil, nil, err
	}
	return mat.NewDense(set.Rows, set.Dim, set.Data), y, nil
}

// Attacked returns the rows of Test that the paper attacks, given which of them
// are classified correctly: 100 of these, drawn with the generator as it stood
// after the split. It returns nil, the paper's "-", when there are fewer.
func (s *Set) Attacked(correct []bool) ([]int, error) {
	rng := numpyrand.New(seed)
	n := len(s.TrainY) + len(s.TestY)
	if _, _, err := dataset.Split(n, testRows, rng); err != nil {
		return nil, err
	}
	rows := dataset.Attacked(correct, attacked, rng)
	if len(rows) < attacked {
		return nil, nil
	}
	return rows, nil
}

// Select returns the given rows of x and y.
func Select(x *mat.Dense, y []int, rows []int) (*mat.Dense, []int) {
	_, d := x.Dims()
	sx, sy := mat.NewDense(len(rows), d, nil), make([]int, len(rows))
	for i, r := range rows {
		sx.SetRow(i, x.RawRowView(r))
		sy[i] = y[r]
	}
	return sx, sy
}
