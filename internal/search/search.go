package search

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Query asks for the nearest input that is predicted Target or, when Target is
// negative, anything but From.
type Query struct {
	X      []float64
	From   int // Predict(X)
	Target int // the label to reach, −1 for any other than From
	// Cost is that of moves from X, which add up in its norm. Only a Searcher that follows Prices
	// is asked with prices.
	geometry.Cost
	Domain polytope.Box // where the input must lie; nil for all of R^d
	Solver polytope.Solver
	// Linear are half-spaces that the input must lie in besides. Only a Searcher that follows
	// Linear is asked with any.
	Linear []polytope.HalfSpace
	// Moves are the rules of moves in place of Prices and Domain; nil for none. Only a Searcher
	// that follows AllRules is asked with any, or with NaN in X.
	Moves *rules.Moves
	// Also are the labels that an answer is to have for other classifiers. Only trees that test one
	// feature at a time, and votes of them, are asked with any, and X may have the label Target
	// then.
	Also []Requirement
	// Quorums are runs of Also, one after the other and all of it, and how many of each are enough.
	Quorums []Quorum
	// Any says that all that is asked is whether there is an answer within the cutoff: then one
	// that comes to hand is as good as the nearest, and ends the search. A search that takes no
	// notice of it is right, and slower.
	Any bool
	// Trace listens to the openers, nil if nobody does. Searches of nearest neighbours and of
	// single trees have no events: their proofs need none.
	Trace Trace
}

// Requirement is a classifier over the same features, and its labels that answer.
type Requirement struct {
	Classifier interface {
		Dim() int
		Classes() int
		Predict(x []float64) int
	}
	Labels []int
	Model  int // its number in a file of proofs, from 1 on
}

// Quorum is a run of requirements, First ≤ i < Last, of which Least are to be met.
type Quorum struct{ First, Last, Least int }

// Enough reports whether enough members of all quorums meet their conditions.
func Enough(quorums []Quorum, met func(i int) bool) bool {
	for _, c := range quorums {
		left := c.Least
		for i := c.First; i < c.Last && left > 0; i++ {
			if met(i) {
				left--
			}
		}
		if left > 0 {
			return false
		}
	}
	return true
}

// Trace listens to the events of a search, which proofs are made of. All openers call it, at the
// same time. How and why are values of the engine, for listeners of that engine.
type Trace interface {
	// Split says that a node was divided where it was opened.
	Split(n Node, how any)
	// Leaf says that a node was closed for a reason that a second division of it has to know.
	Leaf(n Node, why any)
}

// Searcher is a classifier that searches its own cells, nearest first, which avoids touching those
// that cannot be the nearest; one that has no such cells bounds its answers in its own way.
type Searcher interface {
	// Search prepares the search for the cells nearest to q.X. It returns an
	// error wrapping errors.ErrUnsupported when only Cells can answer q.
	Search(ctx context.Context, q Query) (Search, error)
	// Follows returns the kinds of rules of moves by which Search answers exactly. Limits,
	// directions that do not exist and frozen features are a Domain, which all follow.
	Follows() Rules
}

// Rules are kinds of rules of moves. attack.Feature has the meaning of each rule.
type Rules = rules.Kinds

const (
	// Prices are Query.Prices: in ℓ2 they are the same both ways, or +Inf one way.
	Prices = rules.Prices
	// Linear are Query.Linear.
	Linear = rules.Linear
	// AllRules are those of Query.Moves.
	AllRules = rules.All
)

// Distance returns the cost of moving from X to z.
func (q *Query) Distance(z []float64) float64 {
	if q.Moves != nil {
		return q.Moves.Distance(z)
	}
	return q.Cost.Distance(q.X, z)
}

// Allows reports whether an input lies where it may.
func (q *Query) Allows(z []float64) bool {
	if q.Moves != nil {
		return q.Moves.Broken(z) == nil
	}
	return q.Domain.Contains(z) && rules.KeepsAll(q.Linear, z)
}

// Reaches reports whether an input with this label answers the query.
func (q Query) Reaches(label int) bool {
	if q.Target >= 0 {
		return label == q.Target
	}
	return label != q.From
}

// Search is a tree of nodes, each of which stands for a set of cells, together
// covering every cell that answers the query. It may be opened by several
// goroutines at once, each with an Opener of its own.
type Search interface {
	Roots() []Node
	NewOpener() Opener
}

// Node is an unopened part of a Search. Nodes are opened in the order of (Bound, Order).
type Node struct {
	// Bound is a certified lower bound on the distance of all its cells.
	Bound float64
	// Order breaks ties between equal bounds. An Order is at most that of every
	// node and answer below it. Two answers share one only if the second is
	// found below the node that brought the first.
	Order int64
	// Item and State belong to the Search that made the node: the type of the State says what
	// the Item is the number of.
	Item  int64
	State any
	// Cache is a value that Open would compute from the rest otherwise, nil for none. A node that
	// waits may lose it where memory is short: the results of Open do not depend on it.
	Cache *Cache
}

// Cache is memory that saves time.
type Cache struct {
	Bytes int // that it takes
	Value any // belongs to the Search
}

// Holder is the State of a node that holds memory together with other nodes.
type Holder interface {
	// Holds returns that memory, nil for none.
	Holds() *Shared
}

// Shared is memory that lasts until no node holds it any more.
type Shared struct {
	Bytes int // that it takes
}

// Opener opens nodes of a Search.
type Opener interface {
	// Open opens n: it returns the nodes below it whose bounds do not exceed
	// cutoff, or the answer it stands for, or neither when its cells hold none within the cutoff.
	// Children are overwritten by the next call; an Answer stays. Apart from the cutoff, both
	// depend on n alone. When ctx ends, Open may return early with its error.
	Open(ctx context.Context, n Node, cutoff float64) (Opened, error)
}

// Merger is an upgrade of a Search that has another way than nodes where these become many.
type Merger interface {
	Search
	// Patience is how many nodes are opened, one after the other, before those that wait then are
	// merged.
	Patience() int
	// Merged returns one node in place of all that wait, of which first is opened next. best is the
	// answer that comes first so far, nil if there is none.
	Merged(first Node, best *Answer) Node
}

// Releaser is an upgrade of an Opener that leaves its memory to others. Release is called when no
// result of the openers of its search is used any more, but for answers.
type Releaser interface{ Release() }

// Opened is the result of opening a node.
type Opened struct {
	Children []Node
	Answer   *Answer // nil if none
	Solves   int     // programs solved
}

// Undecided is the error of an Opener that rounding errors or a contradictory
// classifier keep from a verdict on a node whose cells are known to be at least
// Bound away. It ends the search only if no answer is nearer.
type Undecided struct {
	Bound float64
	Err   error
}

// Error returns the message of Err.
func (u *Undecided) Error() string { return u.Err.Error() }

// Unwrap returns Err.
func (u *Undecided) Unwrap() error { return u.Err }

// Answer is a cell that answers the query, and a point of it.
type Answer struct {
	// Bound is the certified distance of the cell, at least that of the node opened.
	Bound float64
	Order int64
	// Example lies in the cell, at Distance from X, and its prediction answers the
	// query. It is nil, and Distance +Inf, for a cell that exists, or may, but is too
	// thin for a float64 point of it to be known: no bound beyond Bound is proven then.
	// Such an answer may come with children.
	Example  []float64
	Distance float64
	// Settled says that the cell is known to reach to within the tolerance of Bound,
	// though float64 has no such Example: the search looks for none beyond Bound.
	Settled bool
}
