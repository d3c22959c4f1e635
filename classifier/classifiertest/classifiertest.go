package classifiertest

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

const (
	manyPoints = 1000   // that are drawn in each way: anywhere, inside cells, on sides of cells
	mostCells  = 10_000 // cells that may be listed: each point is held against all of them
)

// Test returns an error that joins the mistakes found in c, nil if there are none:
//
//   - Dim and Classes are at least 1, and Predict returns one of the labels, the same
//     one when it is asked again.
//   - Cells lists at least one cell, the same ones each time, and may be stopped. Cells
//     are well formed and do not change when the iteration moves on.
//   - Every point lies in a cell that has the label of Predict, and in none that has
//     another. This holds on the sides of cells too, which are open or closed: to the
//     last bit for boxes and for a Rest with a method Contains; for half-spaces where
//     A·x − B involves no rounding, and otherwise up to the rounding of such a sum.
//   - CellAt, if c has this method, returns such a cell.
//   - Where package classifier searches the cells in a way of its own, that proves the distance
//     that attack.RegionBased proves from the list of cells.
//
// Inputs are more points to look at, such as training rows, which help to find where the cells have
// their borders. A panic of c is a polytope.PanicError, and ends the test.
func Test(c classifier.Decomposable, inputs ...[]float64) error {
	return test(c, settings{points: manyPoints, inputs: inputs})
}

// settings say how much is tested.
type settings struct {
	points int
	seed   uint64
	inputs [][]float64
}

func test(c classifier.Decomposable, opts settings) error {
	if rows.IsNil(c) {
		return errors.New("classifiertest: no classifier given")
	}
	t := &tester{
		c:        c,
		opts:     opts,
		rng:      rand.New(rand.NewPCG(opts.seed, 0)),
		mistakes: mistakes{seen: map[string]bool{}},
	}
	if err := t.run(); err != nil {
		t.list = append(t.list, err)
	}
	if err := t.mistakes.err(); err != nil {
		return fmt.Errorf("classifiertest: %T: %w", c, err)
	}
	return nil
}

// tester is a test under way.
type tester struct {
	mistakes
	c      classifier.Decomposable
	opts   settings
	rng    *rand.Rand
	solver native.Solver

	dim, classes int
	cells        []classifier.Cell
	span         polytope.Box // where points are drawn
}

// run returns the fault that keeps the test from going on: a panic, or a list that is none.
func (t *tester) run() (err error) {
	defer func() {
		if p := guard.Named(recover()); p != nil {
			err = p
		}
	}()
	if err := t.shape(); err != nil {
		return err
	}
	if err := t.readCells(); err != nil {
		return err
	}
	for _, x := range t.opts.inputs {
		if err := geometry.CheckPoint(x, t.dim); err != nil {
			return fmt.Errorf("input %v: %w", x, err)
		}
		t.look(x)
	}
	t.findSpan()
	t.lookAnywhere()
	t.lookInside()
	t.lookAtSides()
	t.lookForOverlaps()
	t.search()
	return nil
}

func (t *tester) shape() error {
	defer guard.Name("Dim or Classes", t.c)
	if t.dim, t.classes = t.c.Dim(), t.c.Classes(); t.dim < 1 || t.classes < 1 {
		return fmt.Errorf("%d classes in %d dimensions, want at least one of each",
			t.classes, t.dim)
	}
	return nil
}

// mistakes are the faults to report.
type mistakes struct {
	list []error
	seen map[string]bool
	more int
}

// most is the number of mistakes that are reported one by one.
const most = 20

// add reports a mistake of which the others with the same key are repetitions.
func (m *mistakes) add(key, format string, args ...any) {
	switch {
	case m.seen[key]:
	case len(m.list) == most:
		m.more++
	default:
		m.list = append(m.list, fmt.Errorf(format, args...))
	}
	m.seen[key] = true
}

// err returns all of them, one a line.
func (m *mistakes) err() error {
	if m.more > 0 {
		m.list = append(m.list, fmt.Errorf("and %d more", m.more))
	}
	if len(m.list) == 1 {
		return m.list[0]
	}
	if err := errors.Join(m.list...); err != nil {
		return fmt.Errorf("%d mistakes:\n%w", len(m.list)-min(1, m.more)+m.more, err)
	}
	return nil
}
