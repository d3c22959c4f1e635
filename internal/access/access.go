// Package access opens to this module what the classifiers of package classifier keep from its
// users: the searches of their own cells, proofs of what these find, and their trees.
package access

import (
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// doors are opened once, by package classifier before a program begins.
var doors struct {
	searcher func(c any) (search.Searcher, bool)
	prover   func(c any) (prooftext.Prover, error)
	trees    func(model any) (trees.Function, error)
}

// Open is called by package classifier.
func Open(
	searcher func(c any) (search.Searcher, bool), prover func(c any) (prooftext.Prover, error),
	trees func(model any) (trees.Function, error),
) {
	doors.searcher, doors.prover, doors.trees = searcher, prover, trees
}

// Searcher returns the search of a classifier's own cells; false if it has none.
func Searcher(c any) (search.Searcher, bool) {
	if s, ok := c.(search.Searcher); ok {
		return s, true
	}
	if doors.searcher == nil { // nobody has made a classifier
		return nil, false
	}
	return doors.searcher(c)
}

// Follows returns the kinds of rules of moves that a classifier follows, none of one that has no
// search of its own.
func Follows(c any) (kinds search.Rules) {
	if s, ok := Searcher(c); ok {
		kinds = s.Follows()
	}
	return kinds
}

// Prover returns who proves what the searches of a classifier find. Where nobody does the error
// says why, and wraps errors.ErrUnsupported.
func Prover(c any) (prooftext.Prover, error) { return doors.prover(c) }

// Trees returns the trees of a *classifier.Tree, *Ensemble or *Regressor, as package
// attack/property asks them about all inputs. Of others the error wraps errors.ErrUnsupported.
func Trees(model any) (trees.Function, error) { return doors.trees(model) }
