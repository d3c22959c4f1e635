// Package boxproof writes the trees of proofs about axis-parallel trees, as
// docs/reference/proof-format.md describes them: the box that a proof begins with, and its tokens.
// Engines decide where boxes are split, and why a leaf holds, but for trees with sweeps
// ([Writer.Answer]).
package boxproof

import (
	"bufio"
	"context"
	"math"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Root returns the intervals of each feature that hold a value of the domain and whose own gap
// is less than a bound, exactly, and of a category those from the first such to the last; false if
// some feature has none.
func Root(borders []trees.Borders, q *prooftext.RealQuery, bound float64) (grid.Box, bool) {
	box := make(grid.Box, len(borders))
	for f, b := range borders {
		whole := grid.Span{Lo: 0, Hi: int32(len(b))}
		if q.IsCategory(f) {
			near := func(s int32) bool {
				price, ok := q.Price(f, b.Values(s, s))
				return ok && price < bound
			}
			if box[f] = whole.Trim(near); box[f].Lo > box[f].Hi {
				return nil, false
			}
			continue
		}
		domain := polytope.Line()
		if q.Domain != nil {
			domain = q.Domain[f]
		}
		side := func(s int32) polytope.Interval {
			return geometry.Intersect(b.Values(s, s), domain)
		}
		near := func(s int32) bool {
			i := side(s)
			return !geometry.Empty(i) && nearer(&q.Query, f, geometry.Nearest(i, q.X[f]), bound)
		}
		whole = whole.Trim(func(s int32) bool { return !geometry.Empty(side(s)) })
		at := min(max(b.Interval(q.X[f]), whole.Lo), whole.Hi)
		if whole.Lo > whole.Hi || !near(at) {
			return nil, false
		}
		box[f] = grid.Span{Lo: at, Hi: at}
		for box[f].Lo > whole.Lo && near(box[f].Lo-1) {
			box[f].Lo--
		}
		for box[f].Hi < whole.Hi && near(box[f].Hi+1) {
			box[f].Hi++
		}
	}
	return box, true
}

// nearer reports whether moving a feature to y costs less than a bound, exactly.
func nearer(q *search.Query, f int, y, bound float64) bool {
	if math.IsInf(bound, 1) {
		return true
	}
	low, high, price := min(q.X[f], y), max(q.X[f], y), q.Cost.Price(f, y-q.X[f])
	cost := price * (high - low)
	err := 4*precise.Roundoff*(cost+bound) + math.SmallestNonzeroFloat64
	return exact.Sign(cost-bound, err, func() int {
		exactly := exact.Difference(high, low)
		return exactly.Mul(exactly, exact.Float(price)).Cmp(exact.Float(bound))
	}) < 0
}

// Writer writes trees.
type Writer struct {
	ctx  context.Context
	w    *bufio.Writer
	box  grid.Box // the part of the root box that is being written
	done int      // parts
}

// NewWriter returns one for trees that begin with a box.
func NewWriter(ctx context.Context, w *bufio.Writer, root grid.Box) *Writer {
	return &Writer{ctx: ctx, w: w, box: root}
}

// Label writes the tree of a label, or of labels of several models.
func (w *Writer) Label(labels []int, tree func()) {
	line := "label"
	for _, label := range labels {
		line += " " + strconv.Itoa(label)
	}
	w.Begin(line)
	tree()
	w.w.WriteByte('\n')
}

// Begin writes the line before a tree.
func (w *Writer) Begin(line string) { w.w.WriteString(line + "\n") }

// Leaf writes a leaf.
func (w *Writer) Leaf() { w.w.WriteByte('.') }

// Over reports whether the context has ended, which it looks at every so often.
func (w *Writer) Over() bool {
	w.done++
	return w.done%1024 == 0 && w.ctx.Err() != nil
}

// Divide writes a split behind an interval of a feature and both halves, or only the half that
// meets the box if the other does not.
func (w *Writer) Divide(feature, interval int32, low, beyond func()) {
	s := &w.box[feature]
	whole := *s
	switch {
	case interval < s.Lo:
		beyond()
		return
	case interval >= s.Hi:
		low()
		return
	}
	w.split(feature, interval-s.Lo)
	s.Hi = interval
	low()
	*s = grid.Span{Lo: interval + 1, Hi: whole.Hi}
	beyond()
	*s = whole
}

// split writes the token of a split behind the interval of this rank in the box.
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
