package boxtree

import (
	"slices"
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/climb"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/encode"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/tied"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Model is an ensemble prepared for searches.
type Model struct {
	*trees.Ensemble[*trees.Axis]
	grid  grid.Grid
	uses  climb.Uses
	spare sync.Pool // of *choices: memory for what searches gather
	ruled ruled
}

// NewModel prepares a vote of trees.
func NewModel(e *trees.Ensemble[*trees.Axis]) *Model {
	m := &Model{Ensemble: e, grid: grid.New(e.Dim(), e.Trees)}
	m.uses = climb.NewUses(e, &m.grid)
	return m
}

// With returns the model of a vote of the same trees whose sums start elsewhere.
func (m *Model) With(e *trees.Ensemble[*trees.Axis]) *Model {
	return &Model{Ensemble: e, grid: m.grid, uses: m.uses}
}

// New prepares the search for the answers of a query. Its error says why rules of moves cannot be
// followed.
func New(m *Model, q search.Query) (search.Search, error) {
	s, err := searchOf(m, q)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func searchOf(m *Model, q search.Query) (*boxSearch, error) {
	if q.Moves != nil {
		return newRuled(m, q)
	}
	s := &boxSearch{model: m, predictor: m}
	var ok bool
	if s.View, ok = grid.NewView(&m.grid, q); ok {
		s.aim()
	}
	return s, nil
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
	for label := range m.Labels() {
		switch {
		case !q.Reaches(label):
		case m.Vote.Rule == trees.Share:
			for _, margins := range m.Shares(label) {
				s.add(label, margins)
			}
		default:
			s.add(label, m.Margins(q, label))
		}
	}
}

// add adds a target, unless it is hopeless.
func (s *boxSearch) add(label int, margins []trees.Margin) {
	hopeless := func(l trees.Margin) bool { return s.model.uses.Hopeless(&l) }
	if slices.ContainsFunc(margins, hopeless) {
		return
	}
	first := len(s.margins)
	s.margins = append(s.margins, margins...)
	s.targets = append(s.targets, target{label, first, len(s.margins)})
}

// boxSearch is the search of one query. It does not change once made.
type boxSearch struct {
	grid.View
	model     *Model
	predictor                // whose word about examples counts
	coding    *encode.Coding // what inputs are in intervals under rules of moves, nil without
	tied      *tied.Rules    // linear rules; nil without
	targets   []target
	margins   []trees.Margin
	// manyPairs is how many make it large, and start how many nodes then lie around the first
	// one that has potentials: see begins.
	manyPairs, start int
}

// predictor is an ensemble that predicts inputs.
type predictor interface {
	Predict(x []float64) int
	Certain(x []float64) bool
}

// target is a label that answers, or a way to it, by the margins that it needs.
type target struct{ label, first, last int }

// Roots returns one node, which opens into one for each label that answers.
func (s *boxSearch) Roots() []search.Node {
	if len(s.targets) == 0 {
		return nil
	}
	return []search.Node{{State: domain{}}}
}

// The State of a node is a domain, a *node to be split, or one of a waiting or an unreached box.
type (
	// domain is the whole domain. It opens into a node for each target.
	domain struct{ answered bool } // a first answer within the cutoff is known
	// waiting is a node that waits for another one of its box, whose answers are nearer.
	waiting struct{ *node }
	// unreached is a box all of which answers, but in which no float64 lies, or none in any order
	// of the sums.
	unreached struct{}
)

// node is an unopened node of the search: the ball around X within which choices
// were gathered, cut by the splits on the path to the root. Orders are ranges: a
// node hands one half of its own to each of its two children, so that the order of
// answers is that of their paths.
type node struct {
	target      int // number of the label that is sought
	parent      *node
	choices     *choices
	cut         grid.Cut // what sets it apart from its parent: the intervals up to it, or
	beyond      bool     // those beyond
	plain       bool     // for which there are no potentials
	depth       int16    // how many nodes it lies in
	whole       float32  // bound of the whole of its target: see share
	split       grid.Cut // feature −1 of an unreached box
	orders      int64    // width of its range of orders
	*relaxation          // in a large search
}

func (s *boxSearch) NewOpener() search.Opener {
	return &opener{splitter: newSplitter(s)}
}
