// Package boxproof writes the trees of proofs about axis-parallel trees, as
// docs/proof-format.md describes them: the box that a proof begins with, and its tokens. What is
// split where, and why a leaf holds, is the engines' own, but for trees with sweeps
// ([Writer.Relaxed]).
package boxproof

import (
	"bufio"
	"context"
	"math"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Span holds the slots lo ≤ s ≤ hi of a feature.
type Span struct{ lo, hi int32 }

// Root returns the slots of each feature that hold a value of the domain and whose own gap
// is less than a bound, exactly; false if some feature has none.
func Root(borders []trees.Borders, q *search.Query, bound float64) ([]Span, bool) {
	box := make([]Span, len(borders))
	for f, b := range borders {
		domain := polytope.Line()
		if q.Domain != nil {
			domain = q.Domain[f]
		}
		side := func(s int32) polytope.Interval { return b.Side(s, s).Intersect(domain) }
		near := func(s int32) bool {
			i := side(s)
			return !i.Empty() && nearer(q, f, i.Closest(q.X[f]), bound)
		}
		first, last := int32(0), int32(len(b))
		for first < last && side(first).Empty() {
			first++
		}
		for last > first && side(last).Empty() {
			last--
		}
		at := min(max(b.Slot(q.X[f]), first), last)
		if !near(at) {
			return nil, false
		}
		box[f] = Span{at, at}
		for box[f].lo > first && near(box[f].lo-1) {
			box[f].lo--
		}
		for box[f].hi < last && near(box[f].hi+1) {
			box[f].hi++
		}
	}
	return box, true
}

// nearer reports whether moving a feature to y costs less than a bound, exactly.
func nearer(q *search.Query, f int, y, bound float64) bool {
	x := q.X[f]
	if math.IsInf(bound, 1) {
		return true
	}
	if q.Prices != nil {
		cost := exact.Difference(max(x, y), min(x, y))
		price := q.Prices.Up[f]
		if y < x {
			price = q.Prices.Down[f]
		}
		return cost.Mul(cost, exact.Float(price)).Cmp(exact.Float(bound)) < 0
	}
	gap, rest := precise.TwoSum(max(x, y), -min(x, y))
	return gap < bound || (gap == bound && rest < 0)
}

// Writer writes trees.
type Writer struct {
	ctx  context.Context
	w    *bufio.Writer
	box  []Span // what is left of the root box
	done int    // parts
}

// NewWriter returns one for trees that begin with a box.
func NewWriter(ctx context.Context, w *bufio.Writer, root []Span) *Writer {
	return &Writer{ctx: ctx, w: w, box: root}
}

// Label writes the tree of a label.
func (w *Writer) Label(label int, tree func()) { w.label(strconv.Itoa(label), tree) }

func (w *Writer) label(words string, tree func()) {
	w.w.WriteString("label " + words + "\n")
	tree()
	w.w.WriteByte('\n')
}

// Leaf writes a leaf.
func (w *Writer) Leaf() { w.w.WriteByte('.') }

// Over reports whether the context has ended, which it looks at every so often.
func (w *Writer) Over() bool {
	w.done++
	return w.done%1024 == 0 && w.ctx.Err() != nil
}

// Divide writes a split behind a slot of a feature and what is below it, or only the half that
// meets the box if the other does not.
func (w *Writer) Divide(feature, slot int32, low, beyond func()) {
	s := &w.box[feature]
	whole := *s
	switch {
	case slot < s.lo:
		beyond()
		return
	case slot >= s.hi:
		low()
		return
	}
	w.split(feature, slot-s.lo)
	s.hi = slot
	low()
	*s = Span{slot + 1, whole.hi}
	beyond()
	*s = whole
}

// split writes the token of a split behind the slot of this rank in the box.
func (w *Writer) split(feature, rank int32) {
	var letters [8]byte
	i := len(letters) - 1
	for letters[i] = 'a' + byte(feature%26); feature >= 26; letters[i] = 'a' + byte(feature%26) {
		feature /= 26
		i--
	}
	w.w.Write(letters[i:])
	w.w.Write(strconv.AppendInt(letters[:0], int64(rank), 10))
}
