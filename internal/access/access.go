// Package access opens to this module the parts that the classifiers of package classifier keep
// from its users: the searches of their own cells, proofs of their results, and their trees. To
// packages beneath package classifier it opens the cells of users' classifiers.
package access

import (
	"io"
	"iter"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Doors are the functions that package classifier opens.
type Doors struct {
	Searcher func(c any) (search.Searcher, bool)
	Prover   func(c any) (prooftext.Prover, error)
	Trees    func(model any) (trees.Function, error)
	Sums     func(model any) (*boxtree.Sums, error)
	Cells    func(c any) (Cells, bool)
	CellAt   func(c any) (CellAt, bool)
	File     func(r io.Reader, vote trees.Rule) (file *models.Model, model any, err error)
	Batch    func(c any) (*trees.Batch, bool)
}

// Cells lists convex cells by their labels, as the Cells of a classifier.Decomposable.
type Cells func() iter.Seq2[int, polytope.Polyhedron]

// CellAt names the cell around a point, and its label, as a classifier's method CellAt.
type CellAt func(x []float64) (label int, region polytope.Polyhedron, err error)

var doors Doors

// Open is called once, by package classifier before a program begins.
func Open(d Doors) { doors = d }

// File is classifier.Read, which returns the parsed file of the model, too. The zero vote is that
// of the file.
func File(r io.Reader, vote trees.Rule) (file *models.Model, model any, err error) {
	return doors.File(r, vote)
}

// Searcher returns the search of a classifier's own cells; false if it has none.
func Searcher(c any) (search.Searcher, bool) {
	if s, ok := c.(search.Searcher); ok {
		return s, true
	}
	if doors.Searcher == nil { // nobody has made a classifier
		return nil, false
	}
	return doors.Searcher(c)
}

// Follows returns the kinds of rules of moves that a classifier follows, none of one that has no
// search of its own.
func Follows(c any) (kinds search.Rules) {
	if s, ok := Searcher(c); ok {
		kinds = s.Follows()
	}
	return kinds
}

// Prover returns the prover of the answers of a classifier. Where there is none the error
// says why, and wraps errors.ErrUnsupported.
func Prover(c any) (prooftext.Prover, error) { return doors.Prover(c) }

// CellsOf returns the listing of a classifier.Decomposable, which returns nil where that does;
// false of other classifiers.
func CellsOf(c any) (Cells, bool) { return doors.Cells(c) }

// CellAtOf returns how a classifier names cells by a method CellAt; false of others.
func CellAtOf(c any) (CellAt, bool) { return doors.CellAt(c) }

// Batch returns the predictor of many rows of a *classifier.Ensemble at a time, several times as
// fast as row by row; false of other classifiers.
func Batch(c any) (*trees.Batch, bool) { return doors.Batch(c) }

// Trees returns the trees of a *classifier.Tree, *Ensemble or *Regressor, as package
// attack/property asks them about all inputs. Of others the error wraps errors.ErrUnsupported.
func Trees(model any) (trees.Function, error) { return doors.Trees(model) }

// Sums returns the trees of a *classifier.Regressor, prepared for the search of the largest output
// that it computes. Of others the error wraps errors.ErrUnsupported.
func Sums(model any) (*boxtree.Sums, error) { return doors.Sums(model) }
