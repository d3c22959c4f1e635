package neighborproof

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
)

// tree is the tree of a pivot that is being written.
type tree struct {
	*writer
	state
	program *closest.Program // of the half-spaces of the path, times scale
	scale   float64
	terms   []pair    // those half-spaces
	lengths []float64 // in the dual norm
	at      point
	others  []candidate // rivals that may come before the pivot
	joiners []candidate // supporting rows that may: E(p)
	top     neighbors.TopK
	text    []byte
	nodes   int // of all pivots
}

// mostNodes is how many nodes a proof may have. The longest of the paper's sets, of k = 5, has a
// tenth; where rows tie everywhere the nodes are as many as sets of k rows.
const mostNodes = 1 << 18

func newTree(w *writer) *tree {
	t := &tree{writer: w, program: closest.New(w.Norm), scale: 1}
	t.marks = make([]uint8, w.table.Len())
	t.at.u = make([]float64, w.table.Dim)
	if _, exponent := math.Frexp(w.size()); exponent > -1000 { // 0 for a size of 0
		t.scale = math.Ldexp(1, -exponent)
	}
	return t
}

// size returns a number as large as distances near the bound.
func (w *writer) size() float64 {
	if w.bound > 0 && !math.IsInf(w.bound, 1) {
		return w.bound
	}
	return math.Sqrt(slices.Max(w.squared))
}

// begin begins the tree of a pivot; false if the row is lonely.
func (t *tree) begin(p int32) bool {
	pivot := t.newCandidate(p)
	t.joiners = t.joiners[:0]
	if t.Required > 1 {
		t.joiners = t.mayPrecede(t.joiners, t.partners, &pivot)
	}
	if len(t.joiners) < t.Required-1 {
		return false
	}
	t.others = t.mayPrecede(t.others[:0], t.rivals, &pivot)
	t.back(0, t.isRival)
	t.pivot = p
	t.decide(p, in, false)
	t.text = append(strconv.AppendInt(append(t.text[:0], "pivot "...), int64(p), 10), '\n')
	t.terms, t.lengths = t.terms[:0], t.lengths[:0]
	t.program.Reset(t.table.Dim)
	return true
}

// mayPrecede appends the rows that come before a pivot somewhere nearer than the bound.
func (t *tree) mayPrecede(to, rows []candidate, pivot *candidate) []candidate {
	for i := range rows {
		r := &rows[i]
		if r.least <= pivot.most && r.id != pivot.id && !t.far(r.id, pivot.id) {
			to = append(to, *r)
		}
	}
	return to
}

func (t *tree) isRival(row int32) bool { return !t.Reaches(int(t.table.Labels[row])) }

// refute writes the node whose decisions are taken, and all below it.
func (t *tree) refute(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if t.nodes++; t.nodes > mostNodes {
		return fmt.Errorf("k-NN, training row %d: more than %d nodes: %w",
			t.pivot, mostNodes, prooftext.ErrLong)
	}
	if t.inside > t.k || t.inside == t.k && !t.Reaches(t.table.VoteOf(t.members())) {
		t.text = append(t.text, "m\n"...)
		return nil
	}
	for {
		closed, err := t.solve()
		if closed || err != nil {
			return err
		}
		t.moveTo(t.program.U())
		if added, closed := t.addImplied(false); closed {
			return nil
		} else if added {
			continue
		}
		b := t.crossing()
		if b == nil {
			if closed, b = t.resolve(); closed {
				return nil
			}
		}
		if b != nil {
			if b.list == nil {
				continue // something was added
			}
			return t.branch(ctx, b)
		}
		return fmt.Errorf("k-NN, training row %d: %w", t.pivot, prooftext.ErrBound)
	}
}

// members lists the rows that are neighbours by decision.
func (t *tree) members() (rows []int32) {
	for _, m := range t.decided {
		if m.bits&in != 0 {
			rows = append(rows, m.row)
		}
	}
	return rows
}

// overshoot is how far a program goes beyond the bound: farther takes more pivots, but multipliers
// of fewer digits.
const overshoot = 1.02

// solve closes the node if no input nearer than the bound satisfies the half-spaces.
func (t *tree) solve() (closed bool, err error) {
	bound := t.bound * t.scale
	status, err := t.program.Solve(max(bound*overshoot, math.SmallestNonzeroFloat64))
	if err != nil && t.program.Bound() < bound {
		return false, fmt.Errorf("k-NN, training row %d: %w",
			t.pivot, errors.Join(prooftext.ErrBound, err))
	}
	if status == closest.Optimal && t.program.Value() < bound*(1-nearly) {
		return false, nil
	}
	return t.combine(), nil
}

// nearly is the fraction of the bound by which a program may fall short of it and its multipliers
// be tried none the less.
const nearly = 1e-13

// combine closes the node by a combination of the half-spaces, if it finds one.
func (t *tree) combine() bool {
	var half []prooftext.HalfSpace
	var weights []float64
	t.program.Multipliers(func(row int, lambda float64) {
		if lambda <= 0 {
			return
		}
		if t.lengths[row] > 0 {
			lambda /= t.lengths[row]
		}
		half = append(half, t.halfSpace(t.terms[row], t.name(t.terms[row])))
		weights = append(weights, lambda)
	})
	multipliers, ok := t.refuter.Combine(half, weights)
	if !ok {
		return t.contradict(half)
	}
	t.write(half, multipliers)
	return true
}

// contradict closes the node if no input satisfies half-spaces of it, which exact arithmetic finds.
func (t *tree) contradict(half []prooftext.HalfSpace) bool {
	used, multipliers, ok := t.refuter.Contradict(half)
	if ok {
		t.write(used, multipliers)
	}
	return ok
}

// write writes a leaf.
func (t *tree) write(half []prooftext.HalfSpace, multipliers []*big.Int) {
	t.text = append(prooftext.Write(append(t.text, 'c'), half, multipliers), '\n')
}

// add adds a half-space that may be used from here on. It closes the node if that alone will do.
func (t *tree) add(p pair) (closed bool) {
	if p.before >= 0 && t.far(p.before, p.after) {
		t.text = append(append(append(t.text, "c "...), t.name(p)...), '\n')
		return true
	}
	b, err := t.fill(t.a, p)
	length := geometry.DualLength(t.Norm, t.a)
	if length == 0 {
		return false // rows at one point, in order
	}
	t.program.Add(t.a, b*t.scale, err*t.scale)
	t.terms, t.lengths = append(t.terms, p), append(t.lengths, length)
	return false
}

// branching is a line that branches.
type branching struct {
	kind byte // of the line
	row  int32
	list []int32
}

// branch writes a branching and its children.
func (t *tree) branch(ctx context.Context, b *branching) error {
	t.text = append(t.text, b.kind)
	if b.kind == 'o' {
		t.text = strconv.AppendInt(append(t.text, ' '), int64(b.row), 10)
	}
	for _, r := range b.list {
		t.text = strconv.AppendInt(append(t.text, ' '), int64(r), 10)
	}
	t.text = append(t.text, '\n')
	basis, rows, decisions := t.program.Basis(), len(t.terms), len(t.decided)
	for i := range b.list {
		if err := t.child(ctx, b, i); err != nil {
			return err
		}
		t.back(decisions, t.isRival)
		t.terms, t.lengths = t.terms[:rows], t.lengths[:rows]
		t.program.Rewind(rows, basis)
	}
	return nil
}

// child writes child i of a branching.
func (t *tree) child(ctx context.Context, b *branching, i int) error {
	var earlier, this uint8
	p := pair{-1, 0}
	switch r := b.list[i]; b.kind {
	case 'r':
		earlier, this, p = before|in, after, pair{t.pivot, r}
	case 'q':
		earlier, this, p = after, before|in, pair{r, t.pivot}
	case 'm':
		earlier, this = in, out
	case 'o':
		earlier, this, p = out, in, pair{r, b.row}
	}
	for _, r := range b.list[:i] {
		t.decide(r, earlier, t.isRival(r))
	}
	t.decide(b.list[i], this, t.isRival(b.list[i]))
	for _, r := range b.list[:i+1] {
		if t.marks[r]&(in|out) == in|out { // it comes before the pivot, and after a neighbour
			t.text = fmt.Appendf(t.text, "c %d< <%d\n", r, r)
			return nil
		}
	}
	if p.before >= 0 && t.add(p) {
		return nil
	}
	return t.refute(ctx)
}
