package boxtree

import (
	"context"
	"errors"
	"fmt"
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
	parts   []trees.Part // models that vote by themselves: this one, or those that are joined in it
	grid    grid.Grid
	uses    climb.Uses
	spare   sync.Pool              // of *choices: memory in which searches gather
	ended   sync.Pool              // of *choices that were indexed for them
	idle    sync.Pool              // of *opener: memory of searches that have ended
	climbs  sync.Pool              // of *climb.Search that are done
	encoded recent[*encode.Coding] // this model over features as rules of moves code them
	joined  recent[[]*Model]       // this model with others
}

// NewModel prepares a vote of trees.
func NewModel(e *trees.Ensemble[*trees.Axis]) *Model {
	return newModel([]*trees.Ensemble[*trees.Axis]{e})
}

// newModel prepares the trees of votes that are joined.
func newModel(members []*trees.Ensemble[*trees.Axis]) *Model {
	e, parts := trees.Join(members)
	m := &Model{Ensemble: e, parts: parts, grid: grid.New(e.Dim(), e.Trees)}
	m.uses = climb.NewUses(e, &m.grid)
	return m
}

// With returns the model of a vote of the same trees whose sums start elsewhere.
func (m *Model) With(e *trees.Ensemble[*trees.Axis]) *Model {
	return &Model{Ensemble: e, parts: []trees.Part{trees.Whole(e)}, grid: m.grid, uses: m.uses}
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
	s := &boxSearch{model: m}
	var ok bool
	if s.View, ok = grid.NewView(&m.grid, q); ok {
		return s, s.aim(m)
	}
	return s, nil
}

// aim collects the targets, where a model over values has the word about examples. Its error says
// that they are too many.
func (s *boxSearch) aim(predictor *Model) error {
	switch s.manyPairs = manyPairs; {
	case s.Norm != polytope.LInf:
		s.manyPairs, s.start = manyPriced, lateStart
	case s.coding != nil && !s.coding.Plain(): // a few flat prices decide, which boxes bound well
		s.start = lateStart
	}
	s.parts = make([]part, len(s.model.parts))
	for i, p := range s.model.parts {
		s.parts[i] = part{p, predictor.parts[i].Ensemble}
	}
	s.quorums = []search.Quorum{{First: 0, Last: 1, Least: 1}}
	for _, c := range s.Query.Quorums {
		c.First, c.Last = c.First+1, c.Last+1
		s.quorums = append(s.quorums, c)
	}
	return s.addWays(nil, nil)
}

// mostWays is how many targets there may be of models that are joined: combinations of labels.
const mostWays = 256

// addWays adds the targets in which some parts, the first ones, have these labels, and the margins
// that they need.
func (s *boxSearch) addWays(labels []int, margins []trees.Margin) error {
	if len(labels) == len(s.parts) {
		if len(s.targets) == mostWays && len(labels) > 1 {
			return fmt.Errorf("classifier: the labels that answer of %d models have more than %d "+
				"combinations: %w", len(labels), mostWays, errors.ErrUnsupported)
		}
		s.add(labels, margins)
		return nil
	}
	at := len(labels)
	p := &s.parts[at]
	for label := range p.Labels() {
		switch {
		case !s.answers(at, label):
		case p.Vote.Rule == trees.Share:
			for _, way := range p.Shares(label) {
				if err := s.addWay(append(slices.Clip(labels), label), margins, way); err != nil {
					return err
				}
			}
		default:
			way := p.MarginsOver(label, func(rival int) bool { return !s.answers(at, rival) })
			for i, l := range way {
				way[i] = p.Margin(l)
			}
			if err := s.addWay(append(slices.Clip(labels), label), margins, way); err != nil {
				return err
			}
		}
	}
	return nil
}

// addWay adds the targets with a way to a label of the last part that has one, unless it is
// hopeless, and the part has to win.
func (s *boxSearch) addWay(labels []int, margins, way []trees.Margin) error {
	switch {
	case s.needed(len(labels)-1) && slices.ContainsFunc(way, s.hopeless):
		return nil
	case len(margins) > 0:
		way = append(slices.Clip(margins), way...)
	}
	return s.addWays(labels, way)
}

// answers reports whether a label of a part answers.
func (s *boxSearch) answers(part, label int) bool {
	if part > 0 {
		return slices.Contains(s.Query.Also[part-1].Labels, label)
	}
	return s.Query.Reaches(label)
}

// hopeless reports whether no input can win a margin.
func (s *boxSearch) hopeless(l trees.Margin) bool { return s.model.uses.Hopeless(&l) }

// add adds a target.
func (s *boxSearch) add(labels []int, margins []trees.Margin) {
	first := len(s.margins)
	s.margins = append(s.margins, margins...)
	t := target{labels: labels, first: first, last: len(s.margins)}
	for at := range s.parts {
		for first < t.last && s.partOf(first) == at {
			first++
		}
		t.ends = append(t.ends, first)
	}
	s.targets = append(s.targets, t)
}

// part is one of the votes that a search is about: that of the model or, of models that are joined,
// one of those.
type part struct {
	trees.Part // over the intervals of the search
	predictor  // whose word about examples counts
}

// partOf returns the number of the part that a margin is one of.
func (s *boxSearch) partOf(margin int) int {
	last := len(s.parts) - 1
	for last > 0 && s.margins[margin].Label < s.parts[last].Class {
		last--
	}
	return last
}

// boxSearch is the search of one query. It does not change once made.
type boxSearch struct {
	grid.View
	model   *Model
	parts   []part
	quorums []search.Quorum // runs of parts, and how many of each are to win
	coding  *encode.Coding  // of inputs as intervals under rules of moves, nil without
	tied    *tied.Rules     // linear rules; nil without
	targets []target
	margins []trees.Margin
	// manyPairs is how many make it large, and start how many nodes then lie around the first
	// one that has potentials: see begins.
	manyPairs, start int
}

// predictor is an ensemble that predicts inputs.
type predictor interface {
	Predict(x []float64) int
	Certain(x []float64) bool
}

// target is a label of each part that answers, or a way to them, by the margins that it needs.
type target struct {
	labels      []int
	first, last int
	ends        []int // by part: its margins end there
}

// marginsOf returns the margins of a part: first ≤ i < last.
func (t *target) marginsOf(part int) (first, last int) {
	if part == 0 {
		return t.first, t.ends[0]
	}
	return t.ends[part-1], t.ends[part]
}

// label returns that of the first part.
func (t *target) label() int { return t.labels[0] }

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
	domain struct{}
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
	cut         grid.Cut // that sets it apart from its parent: the intervals up to it, or
	beyond      bool     // those beyond
	plain       bool     // for which there are no potentials
	depth       int16    // how many nodes it lies in
	whole       float32  // bound of the whole of its target: see share
	split       grid.Cut // feature −1 of an unreached box
	orders      int64    // width of its range of orders
	*relaxation          // in a large search
}

// Holds implements search.Holder.
func (p *node) Holds() *search.Shared { return p.choices.shared }

func (s *boxSearch) NewOpener() search.Opener {
	o, ok := s.model.idle.Get().(*opener)
	if !ok {
		o = &opener{}
		o.sweeper.Ended = o.ended
	}
	o.boxSearch, o.ctx = s, context.Background()
	o.region.use(&s.View)
	return o
}
