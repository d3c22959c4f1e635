package pairs

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Models are one or two models on the inputs of a space, of which pairs are made.
type Models struct {
	*Space
	trees [2][]*coded
	of    [2]*trees.Ensemble[*trees.Axis]
	// Offsets, unless they are nil, narrow the pairs of inputs, by feature. A feature that is
	// copied and limited is a number.
	Offsets []Offset
	// matched are trees of both models, each in one pair; none stands for no tree.
	matched [][2]int
}

// Code codes the trees of a model, or of two. Their borders are among those of the space.
func (s *Space) Code(a, b *trees.Ensemble[*trees.Axis]) *Models {
	m := &Models{Space: s, of: [...]*trees.Ensemble[*trees.Axis]{a, b}}
	for i, e := range m.of {
		if i == 1 && e == m.of[0] {
			m.trees[1] = m.trees[0]
			break
		}
		for _, tree := range e.Trees {
			m.trees[i] = append(m.trees[i], s.code(tree))
		}
	}
	if a != b {
		m.match()
	}
	return m
}

// Difference is the output of one input less that of another, of the same model or of two.
type Difference struct {
	*Space
	copied  []int    // features that the second input has of its own
	offsets []Offset // by feature; nil for no limits
	box     grid.Box // of the codes of both
	trees   []*trees.Axis
	base    float64
	most    float64 // no difference exceeds it; bounded tree by tree
	falls   bool    // no tree has a difference above 0
	model   *boxtree.Sums
}

// Difference makes the difference trees of an output of one model and one of the same or the other.
// The second input has its own values of the copied features, which are homes. within narrows
// the codes of both; nil does not. An output that is nil is 0.
func (m *Models) Difference(
	first, second int, a, b *Output, copied []int, within func(grid.Box),
) (*Difference, error) {
	d := m.difference(copied, within)
	w := m.walk(first, second, a, b, copied, d.box)
	w.based, w.cancels = true, w.same && *a == *b
	w.zeros, w.values = []float64{0}, w.difference
	base := []float64{0}
	if !w.cancels {
		constant := a.constant()
		base[0] = exact.Up(constant.Sub(constant, b.constant()))
	}
	grown := w.all()
	grown = append(grown, d.forbid(grown, base)...)
	most := quantize(grown, base)
	d.base, d.most, d.falls = base[0], most[0], base[0] <= 0
	for _, nodes := range grown {
		d.falls = d.falls && !slices.ContainsFunc(nodes, func(n trees.Node) bool {
			return n.Left < 0 && n.Value[0] > 0
		})
		if len(nodes) == 1 {
			d.base += nodes[0].Value[0]
			continue
		}
		if err := d.add(nodes); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// difference is one without trees.
func (m *Models) difference(copied []int, within func(grid.Box)) *Difference {
	d := &Difference{Space: m.Space, copied: copied, offsets: m.Offsets, box: m.box(copied)}
	if within != nil {
		within(d.box)
	}
	return d
}

// sums makes the model of trees that have been grown, and of those added before.
func (d *Difference) sums(grown [][]trees.Node, base []float64) error {
	for _, nodes := range grown {
		if err := d.add(nodes); err != nil {
			return err
		}
	}
	e, err := trees.NewEnsemble(d.trees, trees.Vote{Rule: trees.Sum, Base: base})
	if err == nil {
		d.model = boxtree.NewSums(e)
	}
	return err
}

// add adds a tree over codes.
func (d *Difference) add(nodes []trees.Node) error {
	t, err := trees.NewAxis(len(d.box), trees.AtMostFloat64, trees.Nodes(nodes))
	d.trees = append(d.trees, t)
	return err
}

// walk begins to walk the trees of two operands.
func (m *Models) walk(
	first, second int, a, b *Output, copied []int, box grid.Box,
) *walker {
	shared := make([]int32, m.Dim())
	for j := range shared {
		shared[j] = int32(j)
	}
	own := slices.Clone(shared)
	for i, j := range copied {
		own[j] = int32(m.Dim() + i)
	}
	w := &walker{
		a: operand{Output: a, home: shared}, b: operand{Output: b, home: own},
		pairs: m.pairs(first, second), box: make([]codes, len(box)),
		same: a != nil && b != nil && a.Ensemble == b.Ensemble,
	}
	for f, span := range box {
		w.box[f] = codes{span}
	}
	if a != nil {
		w.a.trees = m.trees[first]
	}
	if b != nil {
		w.b.trees = m.trees[second]
	}
	if w.same {
		for _, t := range w.a.trees {
			w.recopied = append(w.recopied, w.mark(t))
		}
	}
	return w
}

// Most returns a number that no difference exceeds, bounded tree by tree.
func (d *Difference) Most() float64 { return d.most }

// Falls reports whether no tree has a difference above 0, nor the start of the sums.
func (d *Difference) Falls() bool { return d.falls }

// End is the largest difference.
type End struct {
	Bound    float64   // no difference exceeds it
	X, Other []float64 // a pair with a large one, nil if none was found
	Nodes    int
}

// Largest finds the largest difference, unless it is no larger than beyond: then Bound may be that.
// When ctx or a limit ends it, it returns the pair and bound so far.
func (d *Difference) Largest(
	ctx context.Context, beyond float64, limits boxtree.Limits,
) (End, error) {
	cell, end := d.first(), End{Bound: d.base}
	if len(d.trees) > 0 {
		found, err := d.search(ctx, beyond, limits)
		if err != nil {
			return End{}, err
		}
		end.Bound, end.Nodes = found.Bound, found.Nodes
		if found.Example != nil {
			cell = codesAt(found.Example)
		} else if !math.IsInf(beyond, -1) {
			return end, nil
		}
	}
	end.X, end.Other = d.pair(cell)
	return end, nil
}

// first returns the cell of the first codes, of those that are cheapest if that matters.
func (d *Difference) first() []int32 {
	cell := make([]int32, len(d.box))
	for f, span := range d.box {
		cell[f] = span.Lo
		if d.ball == nil || f >= d.Dim() {
			continue
		}
		ranks := d.ball.codes.Ranks[f]
		for c := span.Lo; c <= span.Hi; c++ {
			if ranks[c] < ranks[cell[f]] {
				cell[f] = c
			}
		}
	}
	return cell
}

// search asks for the largest sum of the difference trees.
func (d *Difference) search(
	ctx context.Context, beyond float64, limits boxtree.Limits,
) (boxtree.End, error) {
	if d.model == nil {
		if err := d.sums(nil, []float64{d.base}); err != nil {
			return boxtree.End{}, err
		}
	}
	return d.model.Find(ctx,
		boxtree.SumQuery{Region: d.region(), Beyond: &beyond, Limits: limits})
}

// region is all codes of the box.
func (d *Difference) region() boxtree.Region {
	r := boxtree.Region{
		Center: make([]float64, len(d.box)), Radius: math.Inf(1),
		Domain: make(polytope.Box, len(d.box)),
	}
	if d.ball != nil {
		r.Norm, r.Radius, r.Codes = d.ball.norm, d.ball.radius, d.ball.among(d.copied)
	}
	for f, s := range d.box {
		r.Center[f] = float64(s.Lo)
		r.Domain[f] = polytope.Interval{Lo: float64(s.Lo), Hi: float64(s.Hi)}
	}
	return r
}

// codesAt returns the codes of a point of the trees over codes: an interval of theirs ends halfway
// between two codes, and belongs to the lower one there.
func codesAt(point []float64) []int32 {
	cell := make([]int32, len(point))
	for f, v := range point {
		cell[f] = int32(math.Ceil(v - 0.5))
	}
	return cell
}

// pair returns the inputs of a cell, nil if it holds no float64.
func (d *Difference) pair(cell []int32) (x, other []float64) {
	x, ok := d.Point(cell)
	if !ok {
		return nil, nil
	}
	other = slices.Clone(x)
	for i, j := range d.copied {
		at := cell[d.Dim()+i]
		switch {
		case at == cell[j]:
		case d.limits(j) && !d.beside(x, other, j, cell[j], at):
			return nil, nil
		case !d.limits(j) && !d.set(other, j, at):
			return nil, nil
		}
	}
	return x, other
}
