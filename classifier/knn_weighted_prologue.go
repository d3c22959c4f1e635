package classifier

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// prologue is the state of the first nodes, which find a bound without boxes.
//
// Where the k nearest rows hold another label more often than From, so that the
// uniform vote leaves From, the search for that vote gives the bound. Where From
// has at least as many as the winner, see outweighed.
type prologue struct {
	uniform Search
	opener  Opener
	open    []Node // a heap in the order of Before
	found   *Answer
	bound   float64 // no uniform vote changes below
	nodes   int
}

// A node of the prologue opens prologueStep nodes of the uniform search; together
// they open prologueNodes at most.
const (
	prologueStep  = 64
	prologueNodes = 4096
)

func newPrologue(s *weightedSearch) *prologue {
	q := s.q
	q.Target = -1
	uniform, err := s.c.rows.Search(context.Background(), q)
	if err != nil {
		return &prologue{}
	}
	p := &prologue{uniform: uniform, opener: uniform.NewOpener(), bound: math.Inf(1)}
	for _, n := range uniform.Roots() {
		p.push(n)
	}
	return p
}

// begin goes on with the uniform search, and starts the search of boxes after it.
func (o *weightedOpener) begin(ctx context.Context, n Node, p *prologue, cutoff float64) (*Answer, error) {
	next := *p
	next.open = slices.Clone(p.open)
	done, err := next.advance(ctx)
	if err != nil {
		return nil, err
	}
	if done {
		return o.start(ctx, n, &next, cutoff)
	}
	o.children = append(o.children, Node{Bound: n.Bound, State: &next})
	return nil, nil
}

// advance opens some nodes, and reports whether the uniform search is over.
func (p *prologue) advance(ctx context.Context) (done bool, err error) {
	for range prologueStep {
		if len(p.open) == 0 || p.nodes >= prologueNodes || !p.worthwhile(&p.open[0]) {
			return true, p.finish()
		}
		if err := p.step(ctx); err != nil {
			return false, err
		}
	}
	return false, nil
}

func (p *prologue) worthwhile(n *Node) bool {
	return n.Bound < p.bound && (p.found == nil || Before(n.Bound, n.Order, p.found.Bound, p.found.Order))
}

func (p *prologue) finish() error {
	if p.found != nil {
		p.bound = min(p.bound, p.found.Bound)
	}
	if len(p.open) > 0 {
		p.bound = min(p.bound, p.open[0].Bound)
	}
	return nil
}

// step opens the first node.
func (p *prologue) step(ctx context.Context) error {
	n := p.pop()
	p.nodes++
	cutoff := p.bound
	if p.found != nil {
		cutoff = min(cutoff, p.found.Bound)
	}
	opened, err := p.opener.Open(ctx, n, cutoff)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		p.bound = min(p.bound, n.Bound) // the proof ends there
		return nil
	}
	if a := opened.Answer; a != nil && (p.found == nil || Before(a.Bound, a.Order, p.found.Bound, p.found.Order)) {
		p.found = a
	}
	for _, child := range opened.Children {
		p.push(child)
	}
	return nil
}

func (p *prologue) push(n Node) {
	h := append(p.open, n)
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !Before(h[i].Bound, h[i].Order, h[up].Bound, h[up].Order) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
	p.open = h
}

func (p *prologue) pop() Node {
	h := p.open
	first, last := h[0], len(h)-1
	h[0], h[last] = h[last], Node{}
	h = h[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && Before(h[c+1].Bound, h[c+1].Order, h[c].Bound, h[c].Order) {
			c++
		}
		if !Before(h[c].Bound, h[c].Order, h[i].Bound, h[i].Order) {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	p.open = h
	return first
}

// start makes the first box from what the prologue and the local search found.
func (o *weightedOpener) start(ctx context.Context, n Node, p *prologue, cutoff float64) (*Answer, error) {
	n.Bound = max(n.Bound, min(p.bound, o.outweighed()))
	z, err := o.firstExample(ctx, p.found)
	if err != nil {
		return nil, err
	}
	var answer *Answer
	size := farAway * (o.extent + o.toDomain())
	if z != nil {
		answer = o.answer(&n, z)
		size = answer.Distance
		cutoff = min(cutoff, answer.Bound)
	}
	if n.Bound > cutoff || (answer != nil && n.Bound >= answer.Bound) {
		return answer, nil
	}
	part := o.firstBox(size)
	if answer == nil && !o.inside(part) {
		o.children = append(o.children, Node{Bound: size, Order: math.MaxInt64, State: horizon{}})
	}
	return answer, o.examine(ctx, n.Bound, 0, part, cutoff)
}

// horizon is the state of the node for what lies beyond the first box.
type horizon struct{}

// beyondHorizon looks whether some set of neighbours could answer at all, and gives
// up on what lies beyond the first box if so.
func (o *weightedOpener) beyondHorizon(ctx context.Context, n Node) error {
	everything := o.firstBox(math.Inf(1))
	o.survey(everything)
	sets, ok := o.choose(everything)
	for i := 0; ok && i < len(sets); i++ {
		if err := o.examineSet(ctx, 0, 0, sets[i], math.MaxFloat64); err != nil {
			return err
		}
		ok = len(o.children) == 0
	}
	if ok {
		return nil
	}
	return &Undecided{Bound: n.Bound, Err: fmt.Errorf("classifier: weighted k-NN: %w", errFarAway)}
}

var errFarAway = errors.New("no answer near the training rows, and none ruled out far away")

// firstBox returns the displacements in the domain no longer than size.
func (o *weightedOpener) firstBox(size float64) *weightedPart {
	d := o.c.Dim()
	part := &weightedPart{lo: make([]float64, d), hi: make([]float64, d), span: 1 << 62}
	for j := range d {
		part.lo[j], part.hi[j] = -size, size
		if o.domain != nil {
			part.lo[j] = max(part.lo[j], o.domain[j].Lo)
			part.hi[j] = min(part.hi[j], o.domain[j].Hi)
		}
	}
	for g := range o.c.groups {
		part.groups = append(part.groups, int32(g))
	}
	return part
}

// inside reports whether the domain ends within the first box.
func (o *weightedOpener) inside(part *weightedPart) bool {
	for j := range part.lo {
		if o.domain == nil || o.domain[j].Lo < part.lo[j] || o.domain[j].Hi > part.hi[j] {
			return false
		}
	}
	return true
}

// toDomain returns the distance of the domain.
func (o *weightedOpener) toDomain() float64 {
	if o.domain == nil {
		return 0
	}
	return o.domain.Distance(o.q.Norm, o.zero)
}

// outweighed bounds the distance of the answers where From has at least as many
// neighbours as the label that beats it.
//
// Say the label has v ≥ 1 of the k neighbours, the nearest at distance D, and From
// has w ≥ v. Were all w nearer than θD, θ = w/v, their weights would sum to more
// than w/(θD) = v/D, which the label's do not exceed. So all rows of From but the
// w−1 nearest lie at θD or farther: each such pair of rows keeps the answer out of
// a half-space (θ = 1) or inside a ball around which lies no answer.
func (o *weightedOpener) outweighed() float64 {
	rivals := o.nearFrom()
	bound := math.Inf(1)
	for v := 1; 2*v <= o.c.K(); v++ {
		for w := v; w <= o.c.K()-v; w++ {
			if o.c.Classes() == 2 && v+w < o.c.K() {
				continue // all neighbours hold one of the two labels
			}
			if w <= o.c.rows.count(o.q.From) {
				bound = min(bound, o.apart(rivals, float64(w)/float64(v), w))
			}
		}
	}
	return bound
}

// nearFrom returns the groups of the rows of From nearest to X.
func (o *weightedOpener) nearFrom() []int32 {
	t := o.c.rows.trees[o.q.From]
	if t == nil {
		return nil
	}
	var nearest nnindex.Nearest
	nearest.Reset(nearRivals, math.Inf(1))
	t.Nearest(o.q.X, &nearest)
	var groups []int32
	for _, n := range nearest.All() {
		groups = append(groups, o.c.groupOf[n.ID])
	}
	return groups
}

// apart returns a bound on the distance of the inputs with a row of a wanted label
// at some distance D and all rows of From but w−1 at θD or farther.
func (o *weightedOpener) apart(rivals []int32, theta float64, w int) float64 {
	bound := math.Inf(1)
	for g := range int32(len(o.c.groups)) {
		if !o.wanted(g) {
			continue
		}
		o.most.reset(w)
		for _, r := range rivals {
			o.most.offer(o.apartFrom(g, r, theta))
		}
		bound = min(bound, max(0, o.most.least()))
	}
	return bound
}

// wanted reports whether a row of a group may win a contest.
func (o *weightedOpener) wanted(g int32) bool {
	return slices.ContainsFunc(o.c.groups[g], func(row int32) bool {
		return slices.ContainsFunc(o.contests, func(t contest) bool { return t.label == o.c.rows.labels[row] })
	})
}

// apartFrom returns the distance of the inputs that are θ times as far from group
// r as from group g, or rounded down. For θ > 1 they fill the ball around C = P_g +
// (P_g−P_r)/(θ²−1) with radius θ‖P_g−P_r‖/(θ²−1) (Apollonius), of which the
// half-space that touches it nearest to X is taken.
func (o *weightedOpener) apartFrom(g, r int32, theta float64) float64 {
	p, q := o.point(g), o.point(r)
	if theta == 1 {
		return bisectorBound(nnindex.Squared(p, o.zero), nnindex.Squared(q, o.zero), dualDistance(o.q.Norm, p, q), len(p))
	}
	share := 1 / (theta*theta - 1)
	center := make([]float64, len(p))
	size := 0.0
	for j, e := range p {
		center[j] = e + (e-q[j])*share
		size = max(size, math.Abs(e)+math.Abs(e-q[j])*share)
	}
	radius := theta * share * math.Sqrt(nnindex.Squared(p, q))
	far := math.Sqrt(nnindex.Squared(center, o.zero))
	eps := noise(len(p))
	gap := far - radius - eps*(far+radius+size*math.Sqrt(float64(len(p))))
	if !(gap > 0) {
		return 0
	}
	return gap * far / o.q.Norm.Dual().Length(center) * (1 - eps)
}
