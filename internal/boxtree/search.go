package boxtree

import (
	"slices"
	"sync"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/boxclimb"
	"github.com/seed-1a7dc1f9/facet/internal/recode"
	"github.com/seed-1a7dc1f9/facet/internal/slots"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Model is an ensemble prepared for searches.
type Model struct {
	*trees.Ensemble[*trees.Axis]
	grid  slots.Grid
	uses  boxclimb.Uses
	spare sync.Pool // of *choices: memory for what searches gather
	ruled ruled
}

// NewModel prepares a vote of trees.
func NewModel(e *trees.Ensemble[*trees.Axis]) *Model {
	m := &Model{Ensemble: e, grid: slots.New(e.Dim(), e.Trees)}
	m.uses = boxclimb.NewUses(e, &m.grid)
	return m
}

// With returns the model of a vote of the same trees whose sums start elsewhere.
func (m *Model) With(e *trees.Ensemble[*trees.Axis]) *Model {
	return &Model{Ensemble: e, grid: m.grid, uses: m.uses}
}

// New prepares the search for the answers of a query.
func New(m *Model, q search.Query) search.Search {
	s := &boxSearch{model: m, judge: m}
	var ok bool
	if s.View, ok = slots.NewView(&m.grid, q); ok {
		s.aim()
	}
	return s
}

// aim collects the targets.
func (s *boxSearch) aim() {
	switch s.manyPairs = manyPairs; {
	case s.Norm != polytope.LInf:
		s.manyPairs, s.start = manyPriced, lateStart
	case s.coding != nil && !s.coding.Plain(): // a few flat prices decide, which boxes bound well
		s.start = lateStart
	}
	q, m := &s.Query, s.model
	for label := range m.Classes {
		if q.Reaches(label) {
			t := target{first: len(s.leads)}
			s.leads = append(s.leads, m.Leads(q, label)...)
			t.last = len(s.leads)
			if slices.ContainsFunc(s.leads[t.first:], func(l trees.Lead) bool { return m.uses.Hopeless(&l) }) {
				s.leads = s.leads[:t.first]
				continue
			}
			s.targets = append(s.targets, t)
		}
	}
}

// boxSearch is the search of one query. It does not change once made.
type boxSearch struct {
	slots.View
	model   *Model
	judge   judge          // whose word about examples counts
	coding  *recode.Coding // what inputs are in slots under rules of moves, nil without
	targets []target
	leads   []trees.Lead
	// manyPairs is how many make it large, and start how many parts then lie around the first
	// one that has potentials: see begins.
	manyPairs, start int
}

// judge is an ensemble that predicts inputs.
type judge interface {
	Predict(x []float64) int
	Certain(x []float64) bool
}

// target is a label that answers, by the leads that it needs.
type target struct{ first, last int }

// Roots returns one node, which opens into one for each label that answers.
func (s *boxSearch) Roots() []search.Node {
	if len(s.targets) == 0 {
		return nil
	}
	return []search.Node{{State: (*part)(nil)}}
}

// part is an unopened part of the search: the ball around X within which choices
// were gathered, cut by the splits on the path to the root. Orders are ranges: a
// part hands one half of its own to each of its two children, so that the order of
// answers is that of their paths.
type part struct {
	parent  *part
	choices *choices
	cut     slots.Cut // what sets it apart from its parent: the slots up to it, or
	beyond  bool      // those beyond
	depth   int16     // how many parts it lies in
	split   slots.Cut // where it will be split; feature −1 if nowhere: all of it answers, but no float64 lies in it, or not in any order of the sums
	orders  int64     // width of its range of orders
	// In a large search:
	*relaxation
	waits bool // for another part of the box, whose answers are nearer
}

func (s *boxSearch) NewOpener() search.Opener {
	dim := len(s.Borders)
	return &opener{
		boxSearch: s,
		region:    region{View: &s.View, box: make(slots.Box, dim), gaps: make([]float64, dim)},
		meeting:   make(slots.Box, dim),
	}
}
