// Package protocol prepares the paper's data sets as its experiments did: seed 0,
// the last 200 shuffled rows for testing, scaling fitted on the training rows,
// 100 attacked points chosen by the generator that made the split.
package protocol

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

const (
	testRows = 200
	attacked = 100
)

// Set is a data set of the paper, split and scaled, with labels from 0.
type Set struct {
	Name   string
	Train  *mat.Dense // in the order of the split
	TrainY []int
	Test   *mat.Dense
	TestY  []int

	// Seed is that of every generator, 0 in the paper.
	Seed uint32
	// TestOnly says that the files of the training images are missing and that the
	// set was made of the test images alone: 200 rows for testing, the others for
	// training. Nothing in the paper compares with it.
	TestOnly bool

	shuffled []int     // the numbers of rows that the split shuffled, in order
	order    []int     // which row of the file each training row is
	pictures *pictures // the images of the file, nil for other sets
}

// Halfmoon generates the paper's halfmoon set: two interleaved half circles, 2200
// points with noise 0.25.
func Halfmoon() (*Set, error) { return halfmoon(0) }

func halfmoon(seed uint32) (*Set, error) {
	points, err := dataset.Moons(2200, 0.25, numpyrand.New(seed))
	if err != nil {
		return nil, err
	}
	set, err := split(points, seed)
	if err != nil {
		return nil, err
	}
	set.Name = "halfmoon"
	return set, nil
}

// split splits the rows of one file.
func split(set *dataset.Set, seed uint32) (*Set, error) {
	train, test, err := dataset.Split(set.Rows, testRows, numpyrand.New(seed))
	if err != nil {
		return nil, err
	}
	s, err := Scale(set.Select(train), set.Select(test))
	if err != nil {
		return nil, err
	}
	s.Seed, s.shuffled, s.order = seed, []int{set.Rows}, train
	return s, nil
}

// Scale scales both parts as the training part demands.
func Scale(train, test *dataset.Set) (*Set, error) {
	scaling, err := dataset.FitMinMax(train, nil)
	if err != nil {
		return nil, err
	}
	if train, err = scaling.Apply(train); err != nil {
		return nil, err
	}
	if test, err = scaling.Apply(test); err != nil {
		return nil, err
	}
	y := dataset.Number(train, test)
	return &Set{
		Train: mat.NewDense(train.Rows, train.Dim, train.Data), TrainY: y[0],
		Test: mat.NewDense(test.Rows, test.Dim, test.Data), TestY: y[1],
	}, nil
}

// Attacked returns the rows of Test that the paper attacks, given which of them
// are classified correctly: 100 of these, drawn with the generator as it stood
// after the split. It returns nil, the paper's "-", when there are fewer.
func (s *Set) Attacked(correct []bool) ([]int, error) {
	if len(correct) != len(s.TestY) || s.shuffled == nil {
		return nil, fmt.Errorf("%d answers for the %d test rows of a set that was split %d times",
			len(correct), len(s.TestY), len(s.shuffled))
	}
	rng := numpyrand.New(s.Seed)
	for _, n := range s.shuffled {
		rng.Perm(n)
	}
	rows := dataset.Attacked(correct, attacked, rng)
	if len(rows) < attacked {
		return nil, nil
	}
	return rows, nil
}
