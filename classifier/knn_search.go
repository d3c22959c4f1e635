package classifier

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/witness"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// nearRivals is how many of the rivals nearest to the query bound a candidate
// before a program is solved for it.
const nearRivals = 96

// Search implements Searcher by branch and bound. For k > 1 a node is a row that
// the vote needs, the farthest one, with decisions on which other rows are nearer;
// their number is exponential in k in the worst case.
//
// For k = 1 an input answers the query as soon as some candidate, a training row with a
// label that reaches it, is nearer than every rival, a row whose label does not.
// Bisectors between candidates only cut such sets into pieces, so they are left
// out: the answer is the minimum, over the candidates j, of the distance to {z :
// ‖z−x_j‖ ≤ ‖z−x_i‖ for all rivals i}.
//
// The nodes above the candidates are those of the k-d trees that hold them. For a
// rival i the bisector lies at distance (‖x−x_j‖² − ‖x−x_i‖²) / (2‖x_i−x_j‖_q);
// the nearest rival bounds trees and candidates, some of the nearest those
// candidates whose turn comes, and only what is left is solved, rivals named as
// they are violated.
func (c *KNN) Search(_ context.Context, q Query) (Search, error) {
	if c.k > 1 {
		return c.orderSearch(q), nil
	}
	s := &nearestSearch{c: c, q: q}
	for label, t := range c.trees {
		switch {
		case t == nil:
		case q.Reaches(label):
			s.candidates = append(s.candidates, label)
		default:
			s.rivals = append(s.rivals, t)
		}
	}
	s.gather()
	return s, nil
}

// nearestSearch is the search of one query. It does not change once made.
type nearestSearch struct {
	c          *KNN
	q          Query
	candidates []int // labels
	rivals     []*nnindex.Tree
	near       []float64 // the nearest rivals, flat, ascending
	toNear     []float64 // what leads from X to them
	nearID     []int32
	squared    []float64 // their squared distances from X
	known      float64   // no rival but those lies nearer to X than this
}

// gather finds the nearest rivals.
func (s *nearestSearch) gather() {
	var nearest nnindex.Nearest
	nearest.Reset(nearRivals, math.Inf(1))
	for _, t := range s.rivals {
		t.Nearest(s.q.X, &nearest)
	}
	all := nearest.All()
	slices.SortFunc(all, nnindex.Neighbor.Compare)
	s.known = math.Inf(1)
	if nearest.Full() {
		s.known = math.Sqrt(all[len(all)-1].Squared) * (1 - noise(s.c.dim))
	}
	s.near = make([]float64, 0, len(all)*s.c.dim)
	s.toNear = make([]float64, 0, len(all)*s.c.dim)
	s.nearID, s.squared = make([]int32, 0, len(all)), make([]float64, 0, len(all))
	for _, n := range all {
		p, _ := s.c.Row(int(n.ID))
		s.near = append(s.near, p...)
		s.toNear = appendDifference(s.toNear, p, s.q.X)
		s.nearID = append(s.nearID, n.ID)
		s.squared = append(s.squared, n.Squared)
	}
}

func (s *nearestSearch) rival(i int) []float64 {
	return s.near[i*s.c.dim : (i+1)*s.c.dim]
}

// toRival returns what leads from X to a near rival.
func (s *nearestSearch) toRival(i int) []float64 {
	return s.toNear[i*s.c.dim : (i+1)*s.c.dim]
}

// What a node stands for is packed in its Item: a stage, and the node of a tree
// with the label of the tree, or the row of a candidate.
const (
	stageTree    = iota // the candidates below a node of a k-d tree
	stageRow            // a candidate, bounded by the nearest rival
	stageBounded        // a candidate, bounded by the near rivals
	stageBegin          // all candidates; see orderOpener.begin
	stageSide           // the candidates from a place of the field on
)

func pack(stage, label, index int) int64 {
	return int64(stage)<<60 | int64(label)<<32 | int64(index)
}

func unpack(item int64) (stage, label, index int) {
	return int(item >> 60), int(item >> 32 & (1<<28 - 1)), int(item & (1<<32 - 1))
}

// Roots returns the roots of the candidates' trees. Orders are rows; a tree node
// takes the smallest order there is.
func (s *nearestSearch) Roots() []Node {
	var roots []Node
	for _, label := range s.candidates {
		roots = append(roots, Node{Item: pack(stageTree, label, 0)})
	}
	return roots
}

func (s *nearestSearch) NewOpener() Opener {
	d := s.c.dim
	return &nearestOpener{s: s, z: make([]float64, d), a: make([]float64, d), to: make([]float64, 0, d), lengths: make([]float64, len(s.squared))}
}

// nearestOpener opens the nodes of one goroutine.
type nearestOpener struct {
	s        *nearestSearch
	children []Node
	z, a     []float64
	// The candidate that is being solved:
	id      int32
	point   []float64
	to      []float64 // what leads from X to it
	lengths []float64 // of its bisectors with the near rivals
	named   []int32   // rivals whose bisectors the solver has taken up
}

func (o *nearestOpener) Open(ctx context.Context, n Node, cutoff float64) (Opened, error) {
	o.children = o.children[:0]
	stage, label, index := unpack(n.Item)
	switch stage {
	case stageTree:
		o.openTree(n, label, index, cutoff)
	case stageRow:
		o.tighten(n, label, index, cutoff)
	default:
		return o.solve(ctx, n, index, cutoff)
	}
	return Opened{Children: o.children}, nil
}

// openTree bounds the two children of an inner node, or the rows of a leaf.
func (o *nearestOpener) openTree(n Node, label, index int, cutoff float64) {
	t := o.s.c.trees[label]
	node := t.Nodes[index]
	if node.Left != 0 {
		for child := int(node.Left); child <= int(node.Left)+1; child++ {
			bound := max(n.Bound, o.boundBox(t, child))
			o.push(bound, 0, pack(stageTree, label, child), cutoff)
		}
		return
	}
	x := o.s.q.X
	for i := int(node.First); i < int(node.End); i++ {
		p := t.Point(i)
		bound := n.Bound
		if len(o.s.squared) > 0 {
			length := dualDistance(o.s.q.Norm, o.s.rival(0), p)
			bound = max(bound, bisectorBound(nnindex.Squared(x, p), o.s.squared[0], length, o.s.c.dim))
		}
		id := int(t.IDs[i])
		o.push(bound, int64(id), pack(stageRow, label, id), cutoff)
	}
}

func (o *nearestOpener) push(bound float64, order, item int64, cutoff float64) {
	if bound <= cutoff {
		o.children = append(o.children, Node{Bound: bound, Order: order, Item: item})
	}
}

// bisectorBound returns the distance from X to the bisector of a candidate and a
// rival in R^dim at squared distances cand and rival from X and length apart in
// the dual norm, rounded down; 0 when the candidate is the nearer.
func bisectorBound(cand, rival, length float64, dim int) float64 {
	eps := noise(dim)
	excess := (cand-rival)/2 - eps*(cand+rival) - underflow
	if b := excess / length * (1 - eps); b > 0 && b <= math.MaxFloat64 {
		return b
	}
	return 0
}

// underflow bounds what is lost of a squared distance where squares underflow, in
// up to 2²⁴ dimensions.
const underflow = 0x1p-1050

// dualDistance returns ‖p − q‖_q, q dual to the norm.
func dualDistance(norm polytope.Norm, p, q []float64) float64 {
	q = q[:len(p)]
	switch norm {
	case polytope.LInf:
		var even, odd float64
		for j := 1; j < len(p); j += 2 {
			even += math.Abs(p[j-1] - q[j-1])
			odd += math.Abs(p[j] - q[j])
		}
		if n := len(p); n%2 == 1 {
			even += math.Abs(p[n-1] - q[n-1])
		}
		return even + odd
	case polytope.L1:
		var most float64
		for j, e := range p {
			if d := math.Abs(e - q[j]); d > most {
				most = d
			}
		}
		return most
	}
	return math.Sqrt(nnindex.Squared(p, q))
}

// boundBox bounds every candidate in the box of a tree node by its bisector with
// the nearest rival: the smallest numerator over the largest denominator.
func (o *nearestOpener) boundBox(t *nnindex.Tree, node int) float64 {
	if len(o.s.squared) == 0 {
		return 0
	}
	lo, hi := t.Box(node)
	for j, r := range o.s.rival(0) {
		o.a[j] = max(r-lo[j], hi[j]-r)
	}
	return bisectorBound(t.ToBox(node, o.s.q.X), o.s.squared[0], o.s.q.Norm.Dual().Length(o.a), o.s.c.dim)
}

// tighten bounds a candidate by all near rivals.
func (o *nearestOpener) tighten(n Node, label, id int, cutoff float64) {
	p, _ := o.s.c.Row(id)
	cand := nnindex.Squared(o.s.q.X, p)
	bound := n.Bound
	for i, rival := range o.s.squared {
		if bound > cutoff {
			return
		}
		length := dualDistance(o.s.q.Norm, o.s.rival(i), p)
		bound = max(bound, bisectorBound(cand, rival, length, o.s.c.dim))
	}
	o.push(bound, n.Order, pack(stageBounded, label, id), cutoff)
}

// solve projects X on the set where candidate id beats every rival.
func (o *nearestOpener) solve(ctx context.Context, n Node, id int, cutoff float64) (Opened, error) {
	p, _ := o.s.c.Row(id)
	if o.s.beaten(p, id) {
		return Opened{}, nil
	}
	o.id, o.point, o.to, o.named = int32(id), p, appendDifference(o.to[:0], p, o.s.q.X), o.named[:0]
	for i := range o.lengths {
		o.lengths[i] = dualDistance(o.s.q.Norm, o.s.rival(i), p)
	}
	problem := polytope.Problem{
		Norm: o.s.q.Norm, X: o.s.q.X, Cutoff: math.Nextafter(cutoff, math.Inf(1)),
		Region: polytope.Polyhedron{Box: o.s.q.Domain, Rest: o},
	}
	fail := func(bound float64, err error) (Opened, error) {
		err = fmt.Errorf("classifier: 1-NN, training row %d: %w", id, err)
		return Opened{}, &Undecided{Bound: bound, Err: err}
	}
	sol, err := o.s.q.Solver.Closest(ctx, problem)
	if err != nil {
		return fail(sol.Bound, err)
	}
	switch sol.Status {
	case polytope.Stopped:
		return fail(sol.Bound, witness.Stopped(ctx))
	case polytope.Infeasible:
		// The solver takes the bisectors, which are rounded, as it is told. In too
		// many dimensions to do better that must do.
		if r := o.room(); !(math.IsInf(sol.Bound, 1) && !r.decidable()) && r.exists() {
			return fail(n.Bound, errContradiction)
		}
		return Opened{Solves: 1}, nil
	case polytope.Cutoff:
		return Opened{Solves: 1}, nil
	}
	example, solves, err := o.witness(ctx, problem, sol.Point, id)
	answer := &Answer{Bound: max(n.Bound, sol.Bound), Order: n.Order, Example: example, Distance: math.Inf(1)}
	switch {
	case example != nil:
		answer.Distance = o.s.q.Norm.Distance(o.s.q.X, example)
	case err == nil:
		answer = nil // no interior
	case !thin(err):
		return fail(sol.Bound, err)
	}
	return Opened{Solves: 1 + solves, Answer: answer}, nil
}

// thin reports whether an error says that no example was found in a cell.
func thin(err error) bool {
	return errors.Is(err, witness.ErrThin) || errors.Is(err, witness.ErrNone)
}

// beaten reports whether an equal rival row comes first, which keeps the
// candidate from ever being the nearest.
func (s *nearestSearch) beaten(p []float64, id int) bool {
	for _, t := range s.rivals {
		clear := t.Within(p, 0, func(i int, squared float64) bool {
			return int(t.IDs[i]) > id || !equal(t.Point(i), p)
		})
		if !clear {
			return true
		}
	}
	return false
}

// reach returns the distance of a row from X, the size of the data for a witness;
// where they coincide nothing is known, and it is that of ordinary data.
func (q Query) reach(p []float64) float64 {
	if d := q.Norm.Distance(q.X, p); d > 0 {
		return d
	}
	return math.Inf(1)
}

// equal reports whether p and q are the same point; their squared distance may
// underflow to 0 when they are not.
func equal(p, q []float64) bool {
	for j, e := range p {
		if e != q[j] {
			return false
		}
	}
	return true
}

// witness moves z inside. The candidate itself is an interior point, and the way
// to it needs no further program unless it leaves the domain.
func (o *nearestOpener) witness(ctx context.Context, p polytope.Problem, z []float64, id int) ([]float64, int, error) {
	box := p.Region.Box
	if box != nil && !box.Contains(o.point) {
		flips := func(z []float64) bool { return o.s.q.Reaches(o.s.c.Predict(z)) }
		return witness.MarginOf(ctx, o.s.q.Solver, p, z, o.s.q.reach(o.point), flips)
	}
	start := slices.Clone(z)
	for _, margin := range []float64{sure * noise(o.s.c.dim), 0} {
		copy(z, start)
		wins := func(z []float64) bool {
			_, ok := box.Inside(z, z)
			// Without a lead Predict may take a point for one inside that is not.
			return ok && o.wins(z, id, margin) && (margin > 0 || p.Region.StrictlyContains(z))
		}
		if !witness.Toward(z, o.point, wins) {
			continue
		}
		if margin == 0 {
			witness.Closer(p.Norm, p.X, z, start, wins)
		}
		near := o.s.q.Norm.Distance(o.s.q.X, start)
		if margin == 0 || o.s.q.Norm.Distance(o.s.q.X, z)-near <= 1e-10*max(1, near) {
			return z, 0, nil
		}
	}
	return nil, 0, witness.ErrThin
}

// sure is the lead over the rivals, in units of the rounding error of a squared
// distance, with which an example is the candidate's in anybody's arithmetic.
const sure = 4

// wins reports whether the candidate, row id, comes before every rival at z, by
// more than a share margin of its squared distance if that is positive.
func (o *nearestOpener) wins(z []float64, id int, margin float64) bool {
	own := nnindex.Neighbor{Squared: nnindex.Squared(z, o.point), ID: int32(id)}
	s := o.s.c.scratch()
	defer o.s.c.pool.Put(s)
	s.nearest.Reset(1, own.Squared*(1+margin))
	for _, t := range o.s.rivals {
		t.Nearest(z, &s.nearest)
	}
	rivals := s.nearest.All()
	return len(rivals) == 0 || (margin == 0 && own.Compare(rivals[0]) < 0)
}

// Separate implements polytope.Separator for the candidate that is being solved.
// The near rivals come first. Only when they are all satisfied, and a rival
// beyond them could be nearer to x+u than the candidate is, the nearest rival is
// looked up. When no bisector is violated but by rounding, every rival that could
// be is tried. x+u may be any point: StrictlyContains asks about z+0.
func (o *nearestOpener) Separate(x, u []float64, add func([]float64, float64) bool) {
	if &x[0] != &o.s.q.X[0] {
		o.separateAt(x, u, nnindex.Moved(x, u, o.point)*(1+noise(o.s.c.dim)), add)
		return
	}
	reach := nnindex.Squared(u, o.to)
	if i := o.deepest(u, reach); i >= 0 && o.name(x, o.s.nearID[i], o.s.rival(i), add) {
		return
	}
	limit := reach * (1 + noise(o.s.c.dim))
	if math.Sqrt(limit)+polytope.L2.Length(u) < o.s.known {
		o.tryNear(u, limit, add)
		return
	}
	o.separateAt(x, u, limit, add)
}

// separateAt names the nearest rival, then all of them, within a squared distance
// of x+u.
func (o *nearestOpener) separateAt(x, u []float64, limit float64, add func([]float64, float64) bool) {
	z, drift := rounded(o.z, x, u)
	reach := math.Sqrt(limit) + drift
	limit = reach * reach * (1 + spread)
	if id := o.nearestRival(z, limit); id >= 0 {
		if p, _ := o.s.c.Row(int(id)); o.name(x, id, p, add) {
			return
		}
	}
	for _, t := range o.s.rivals {
		t.Within(z, limit, func(i int, _ float64) bool {
			o.name(x, t.IDs[i], t.Point(i), add)
			return true
		})
	}
}

// name names the bisector with a rival.
func (o *nearestOpener) name(x []float64, id int32, rival []float64, add func([]float64, float64) bool) bool {
	taken := add(o.a, bisector(o.a, x, o.point, rival))
	if taken {
		o.named = append(o.named, id)
	}
	return taken
}

// tryNear names the bisectors of the near rivals within a squared distance of X+u.
func (o *nearestOpener) tryNear(u []float64, limit float64, add func([]float64, float64) bool) {
	for i := range o.lengths {
		if nnindex.Squared(u, o.s.toRival(i)) <= limit {
			o.name(o.s.q.X, o.s.nearID[i], o.s.rival(i), add)
		}
	}
}

// deepest returns the near rival whose bisector X+u violates most, −1 if none.
func (o *nearestOpener) deepest(u []float64, reach float64) int {
	deepest, most := -1, 0.0
	for i, length := range o.lengths {
		if v := reach - nnindex.Squared(u, o.s.toRival(i)); v > most*length && length > 0 {
			deepest, most = i, v/length
		}
	}
	return deepest
}

// nearestRival returns the rival nearest to z, −1 if none lies within the squared limit.
func (o *nearestOpener) nearestRival(z []float64, limit float64) int32 {
	s := o.s.c.scratch()
	defer o.s.c.pool.Put(s)
	s.nearest.Reset(1, limit)
	for _, t := range o.s.rivals {
		t.Nearest(z, &s.nearest)
	}
	if all := s.nearest.All(); len(all) > 0 {
		return all[0].ID
	}
	return -1
}

// room returns the set in which the candidate comes before the rivals that were
// named, within the domain.
func (o *nearestOpener) room() *room {
	r := o.s.c.room(o.s.q.X, o.s.q.Domain)
	for _, id := range o.named {
		r.before(o.id, id)
	}
	r.sides()
	return r
}

// HasInterior implements witness.Decider.
func (o *nearestOpener) HasInterior(box polytope.Box, x, near []float64) bool {
	u := appendDifference(nil, near, x)
	r := o.s.c.room(x, box)
	r.sidesAt(u, polytope.L2.Length(u))
	reach := nnindex.Moved(x, u, o.point)
	r.against(o.id, o.s.rivals, u, reach)
	return r.exists()
}
