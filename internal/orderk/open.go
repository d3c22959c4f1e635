package orderk

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

func (s *orderSearch) NewOpener() search.Opener {
	d := s.table.Dim
	o := &orderOpener{
		orderSearch: s, z: make([]float64, d), a: make([]float64, d),
		marks: make([]uint8, s.table.Len()), votes: make([]int, s.table.Classes),
	}
	if _, ok := s.q.Solver.(*polytope.Native); ok {
		o.program = s.warm()
	} else {
		o.program = &cold{q: &s.q, point: make([]float64, d)}
	}
	return o
}

// warm returns a program in the scale of the distances of the nearest rows.
func (s *orderSearch) warm() *warm {
	w := &warm{Program: closest.New(closestKinds[s.q.Norm]), scale: 1, point: make([]float64, s.table.Dim)}
	if n := len(s.close); n > 0 && s.close[n-1].Squared > 0 {
		_, exponent := math.Frexp(math.Sqrt(s.close[n-1].Squared))
		w.scale = math.Ldexp(1, -exponent)
	}
	return w
}

// orderOpener opens the nodes of one goroutine.
type orderOpener struct {
	*orderSearch
	children []search.Node
	a        []float64 // a row that is being made

	// The part that is being opened:
	path            []*orderPart // from it up to the root
	marks           []uint8      // decisions, by row
	marked          []int32      // the rows that have any
	in, out         []int32      // rows that are neighbours, or are not, by decision
	allowed, joined int          // rivals that may precede the pivot; rows that do
	rows            []row        // added for this part
	impossible      bool         // one of them holds nowhere
	solves          int
	program         program
	u               []float64 // the program's point, a displacement from X
	length          float64   // ‖u‖₂
	z               []float64 // X+u, rounded
	drift           float64   // ‖z − X − u‖₂

	// What is found at X+u:
	top     podium  // rivals before the pivot by how far they are to be kept off
	crowd   int     // how many they are
	company []int32 // rows of the side before the pivot, up to those that are needed

	plunging bool  // see plunge
	pressed  *warm // see press
	nearest  nnindex.Nearest
	votes    []int
}

func (o *orderOpener) Open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	o.children = o.children[:0]
	switch state := n.State.(type) {
	case *orderPart:
		opened, err := o.openPart(ctx, n, state, cutoff)
		if err == nil && o.takesPlunge(n) {
			opened = o.plunge(ctx, opened, cutoff)
		}
		return opened, err
	case *line:
		return o.openLine(ctx, n, state, cutoff)
	}
	switch stage, _, index := unpack(n.Item); stage {
	case stageBegin:
		return o.begin(ctx, cutoff), nil
	case stageSide:
		o.openSide(n, index, cutoff)
	default:
		o.openRow(n, int32(index), cutoff)
	}
	return search.Opened{Children: o.children}, nil
}

// openPart solves the program of a part and splits the part at its solution,
// unless that is an answer.
func (o *orderOpener) openPart(ctx context.Context, n search.Node, p *orderPart, cutoff float64) (search.Opened, error) {
	o.enter(p)
	defer o.leave()
	o.solves = 0
	status, err := o.solve(ctx, p, cutoff)
	if err != nil {
		return search.Opened{}, failed(p, max(n.Bound, o.program.bound()), err)
	}
	if status != closest.Optimal {
		return search.Opened{Solves: o.solves}, nil
	}
	n.Bound = max(n.Bound, min(o.program.bound(), o.program.value()))
	answer, err := o.split(ctx, n, p, cutoff)
	if err != nil {
		return search.Opened{}, failed(p, n.Bound, err)
	}
	return search.Opened{Children: o.children, Answer: answer, Solves: o.solves}, nil
}

// split makes the parts below p, or finds the answer at its solution. Where both
// rivals and rows of the side ask for a split, the one that bounds its parts
// better is made.
func (o *orderOpener) split(ctx context.Context, n search.Node, p *orderPart, cutoff float64) (answer *search.Answer, err error) {
	if n.Bound > cutoff {
		return nil, nil
	}
	n.State = nil
	o.look(p)
	crowded, lonely := o.crowded(), o.lonely()
	if crowded {
		o.forceOff(n, p, cutoff, func(r ranked) float64 { return o.ahead(o.bisector(p.pivot.id, r.id)) })
		lonely = lonely && len(o.children) > 0 // without children p is done with
	}
	if lonely {
		o.orElse(func() { o.bringOn(n, p, cutoff) })
	}
	if !crowded && !lonely {
		answer, err = o.resolve(ctx, n, p, cutoff)
	}
	if len(o.children) > 0 && p.done == nil {
		o.keep(p)
	}
	return answer, err
}

// orElse makes other children and keeps, of them and those there are, the ones
// whose least bound is greater.
func (o *orderOpener) orElse(other func()) {
	first := len(o.children)
	other()
	if first > 0 && leastBound(o.children[first:]) <= leastBound(o.children[:first]) {
		o.children = o.children[:first]
		return
	}
	o.children = append(o.children[:0], o.children[first:]...)
}

func leastBound(nodes []search.Node) float64 {
	least := math.Inf(1)
	for _, n := range nodes {
		least = min(least, n.Bound)
	}
	return least
}

// keep stores what the parts below p start from.
func (o *orderOpener) keep(p *orderPart) {
	p.done = &solved{rows: slices.Clone(o.rows)}
	if w, ok := o.program.(*warm); ok {
		p.done.basis = w.Basis()
	}
}

// look counts the rows before the pivot at the current point, on which nothing is
// decided, and ranks the rivals among them. Rows of the side are counted up to the
// number that is needed.
func (o *orderOpener) look(p *orderPart) {
	l := looked{orderOpener: o, pivot: p.pivot, reach: nnindex.Moved(o.q.X, o.u, p.pivot.x)}
	l.blur = o.blur(l.reach)
	o.crowd, o.company = 0, o.company[:0]
	o.top.reset(o.quota.Spare - o.allowed + 1)
	if o.field.wide() {
		l.atTrees()
	} else {
		l.atField()
	}
}

// looked is a look at the current point.
type looked struct {
	*orderOpener
	pivot       *pivot
	reach, blur float64
}

// atField passes over the field.
func (l *looked) atField() {
	limit := l.reach + l.blur
	near := near(limit, l.program.value(), l.length)
	f, x := l.field, l.q.X
	for i := range f.rivals {
		if r := &f.rivals[i]; !near.misses(r) {
			l.rival(r.id, r.point, r.squared(x, l.u, f.toRivals, i, limit))
		}
	}
	for i := range f.side {
		if r := &f.side[i].fieldRow; !near.misses(r) && !l.own(r.id, r.squared(x, l.u, f.toSide, i, limit)) {
			return
		}
	}
}

// atTrees visits the rows within reach in the trees.
func (l *looked) atTrees() {
	for _, t := range l.rivals {
		l.within(t, l.reach+l.blur, func(i int, squared float64) bool {
			l.rival(t.IDs[i], t.Point(i), squared)
			return true
		})
	}
	for _, t := range l.orderOpener.own {
		if !l.within(t, l.reach+l.blur, func(i int, squared float64) bool { return l.own(t.IDs[i], squared) }) {
			return
		}
	}
}

// rival counts a rival at a squared distance from the current point.
func (l *looked) rival(id int32, point []float64, squared float64) {
	lead := l.reach - squared
	if l.marks[id]&(mayPrecede|follows) == 0 && l.comesBefore(id, l.pivot.id, lead, l.blur) {
		l.crowd++
		l.top.offer(ranked{l.depth(lead, point, l.pivot.x), id})
	}
}

// own counts a row of the side; it returns false once there are enough.
func (l *looked) own(id int32, squared float64) bool {
	if l.marks[id]&precedes == 0 && id != l.pivot.id && l.comesBefore(id, l.pivot.id, l.reach-squared, l.blur) {
		l.company = append(l.company, id)
		return l.lonely()
	}
	return true
}

// crowded reports whether more rivals come before the pivot than may.
func (o *orderOpener) crowded() bool { return o.crowd > o.quota.Spare-o.allowed }

// lonely reports whether fewer rows of the side come before the pivot than must.
func (o *orderOpener) lonely() bool { return o.joined+len(o.company) < o.quota.Seats-1 }

// blur returns the difference of squared distances within which the bisector
// decides which of two rows at least as near as the square root of reach is nearer.
func (o *orderOpener) blur(reach float64) float64 {
	return 2e-11 * math.Sqrt(float64(o.table.Dim)) * (reach + o.length*o.length)
}

// comesBefore reports whether row p comes before row q at the current point, by
// more than rounding. lead is the difference of their squared distances.
func (o *orderOpener) comesBefore(p, q int32, lead, blur float64) bool {
	if lead > blur {
		return true
	}
	if lead < -blur {
		return false
	}
	r := o.bisector(q, p)
	return o.violated(&r)
}

// depth returns how far the current point lies beyond the bisector that keeps a
// rival off the pivot.
func (o *orderOpener) depth(lead float64, rival, pivot []float64) float64 {
	length := neighbors.DualDistance(o.q.Norm, rival, pivot)
	if length == 0 {
		return math.Inf(1)
	}
	return lead / length
}

// forceOff makes the parts in which the first of the rivals in o.top that the
// pivot precedes is the first, the second, … of them. One of them it must
// precede, because they are more than may precede it. bound bounds such a part.
func (o *orderOpener) forceOff(n search.Node, p *orderPart, cutoff float64, bound func(r ranked) float64) {
	list := o.top.ids()
	span := p.span
	for i, r := range o.top.rows {
		child := &orderPart{parent: p, pivot: p.pivot, kind: forcePart, at: int32(i), list: list}
		child.span = span / int64(i+2)
		o.push(search.Node{Bound: max(n.Bound, bound(r)), Order: n.Order, State: child}, cutoff)
		n.Order += child.span
		span -= child.span
	}
}
