package orderk

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

const (
	// mostClose is how many rows of the side beyond the seats are looked at before
	// the search begins.
	mostClose = 32
	// halvings is how often the way to the first answer is halved.
	halvings = 6
)

// closeRow is a row of the side near X, and what a few rivals bound it by.
type closeRow struct {
	nnindex.Neighbor
	alone float64
}

// survey finds the rows of the side nearest to X.
func (s *orderSearch) survey() {
	var nearest nnindex.Nearest
	nearest.Reset(s.quota.Seats+mostClose, math.Inf(1))
	for _, t := range s.own {
		t.Nearest(s.q.X, &nearest)
	}
	o := orderOpener{orderSearch: s}
	for _, n := range nearest.All() {
		p := s.table.Row(n.ID)
		s.close = append(s.close, closeRow{n, o.alone(p, n.Squared)})
	}
	slices.SortFunc(s.close, func(a, b closeRow) int { return a.Neighbor.Compare(b.Neighbor) })
}

// begin opens the first node: it looks for an answer between X and near rows of
// the side whose own vote answers. What it opens is opened again when its turn
// comes, so only the cutoff of the search and the field depend on it.
func (o *orderOpener) begin(ctx context.Context, cutoff float64) search.Opened {
	var opened search.Opened
	z, solves := o.flipped(ctx)
	opened.Solves = solves
	if z != nil {
		// No part that contains z is bounded beyond it.
		if reach := o.q.Norm.Distance(o.q.X, z) * (1 + 1e-9); reach <= cutoff {
			o.lay(reach)
			opened.Answer, solves = o.follow(ctx, z, reach)
			opened.Solves += solves
		}
	}
	if opened.Answer != nil {
		cutoff = min(cutoff, opened.Answer.Bound)
		o.narrow(cutoff)
	} else {
		o.lay(cutoff)
	}
	o.field.displace(o.q.X)
	o.children = o.children[:0]
	if len(o.field.side) > 0 {
		o.push(search.Node{Bound: o.field.side[0].alone, Item: pack(stageSide, 0, 0)}, cutoff)
	}
	opened.Children = o.children
	return opened
}

// flipped returns a point that answers the query on the way from X to a row of the
// side, nil if none of those close to X has an answering vote itself. Where the
// search will take long the ways to several rows are tried, and walks from them.
func (o *orderOpener) flipped(ctx context.Context) (nearest []float64, solves int) {
	walks := o.quota.Seats > walkSeats
	distance, tried := math.Inf(1), 0
	for _, r := range o.close {
		p := o.table.Row(r.ID)
		if !o.answers(p) {
			continue
		}
		z, n := o.halve(p), 0
		if walks {
			z, n = o.walk(ctx, z)
			solves += n
		}
		if d := o.q.Norm.Distance(o.q.X, z); d < distance {
			nearest, distance = z, d
		}
		if tried++; !walks || tried == walkStarts {
			break
		}
	}
	return nearest, solves
}

// answers reports whether a point of the domain answers the query.
func (o *orderOpener) answers(z []float64) bool {
	return (o.q.Domain == nil || o.q.Domain.Contains(z)) && o.q.Reaches(o.table.Vote(z, o.k))
}

// halve returns a point that answers, near where the way from X to p, which does,
// begins to.
func (o *orderOpener) halve(p []float64) []float64 {
	start := o.q.Domain.Closest(nil, o.q.X)
	z, far := slices.Clone(p), 1.0
	try := make([]float64, len(z))
	near := 0.0
	for range halvings {
		middle := (near + far) / 2
		o.along(try, start, p, middle)
		if o.answers(try) {
			far = middle
			copy(z, try)
		} else {
			near = middle
		}
	}
	return z
}

// along sets z to a point on a way from x to p on which nothing is gone farther in
// the norm than need be: in ℓ∞ all coordinates move at once, each until it
// arrives; in ℓ1 those that have farthest to go are first.
func (o *orderOpener) along(z, x, p []float64, share float64) {
	most := 0.0
	for j, e := range x {
		most = max(most, math.Abs(p[j]-e))
	}
	for j, e := range x {
		u := p[j] - e
		switch o.q.Norm {
		case polytope.LInf:
			z[j] = e + max(-share*most, min(share*most, u))
		case polytope.L1:
			z[j] = e + math.Copysign(max(0, math.Abs(u)-(1-share)*most), u)
		default:
			z[j] = e + share*u
		}
	}
}

// follow goes down from the pivot at a point that answers, through the parts that
// contain it, to an answer at least as near to X. It returns nil if that does not
// come before the cutoff.
func (o *orderOpener) follow(ctx context.Context, z []float64, cutoff float64) (answer *search.Answer, solves int) {
	g := o.guide(z)
	n := search.Node{Order: o.orderOf(g.pivot.ID), Item: pack(stageRow, int(o.table.Labels[g.pivot.ID]), int(g.pivot.ID))}
	for {
		opened, err := o.Open(ctx, n, cutoff)
		solves += opened.Solves
		if err != nil {
			return nil, solves // the search comes this way again and then says so
		}
		if opened.Answer != nil && opened.Answer.Example != nil {
			return opened.Answer, solves
		}
		i := slices.IndexFunc(opened.Children, g.within)
		if i < 0 {
			return nil, solves
		}
		n = opened.Children[i]
	}
}

// plungeShare is the binary logarithm of the number of parts to one from which
// the search plunges.
const plungeShare = 6

// takesPlunge picks parts evenly, by a hash of their places in the search.
func (o *orderOpener) takesPlunge(n search.Node) bool {
	const golden = 0x9e3779b97f4a7c15
	place := (math.Float64bits(n.Bound) ^ uint64(n.Order)) * golden
	return !o.plunging && len(o.children) > 0 && place>>(64-plungeShare) == 0
}

// plunge goes down from the children of a part, always to the least bound, in search
// of a better answer for the time until the search is over. The children stay.
func (o *orderOpener) plunge(ctx context.Context, opened search.Opened, cutoff float64) search.Opened {
	o.plunging = true
	defer func() { o.plunging = false }()
	children := slices.Clone(opened.Children)
	answer := opened.Answer
	for below := opened; answer == nil && len(below.Children) > 0; answer = below.Answer {
		first := slices.MinFunc(below.Children, func(a, b search.Node) int {
			return cmp.Or(cmp.Compare(a.Bound, b.Bound), cmp.Compare(a.Order, b.Order))
		})
		var err error
		below, err = o.Open(ctx, first, cutoff)
		opened.Solves += below.Solves
		if err != nil {
			break // the search comes this way again and then says so
		}
	}
	if opened.Answer == nil {
		opened.Answer = answer
	}
	o.children = append(o.children[:0], children...)
	opened.Children = o.children
	return opened
}

// guide knows the order of the rows at a point.
type guide struct {
	table   *neighbors.Table
	z       []float64
	pivot   nnindex.Neighbor
	members []int32 // the k nearest rows
}

func (o *orderOpener) guide(z []float64) *guide {
	g := &guide{table: o.table, z: z}
	o.nearest.Reset(o.quota.Seats, math.Inf(1))
	for _, t := range o.own {
		t.Nearest(z, &o.nearest)
	}
	g.pivot = o.nearest.Last()
	o.nearest.Reset(o.k, math.Inf(1))
	for _, t := range o.all() {
		t.Nearest(z, &o.nearest)
	}
	for _, n := range o.nearest.All() {
		g.members = append(g.members, n.ID)
	}
	return g
}

// precedes reports whether a row comes before the pivot.
func (g *guide) precedes(id int32) bool {
	p := g.table.Row(id)
	return nnindex.Neighbor{Squared: nnindex.Squared(g.z, p), ID: id}.Compare(g.pivot) < 0
}

func (g *guide) isMember(id int32) bool { return slices.Contains(g.members, id) }

// within reports whether the point lies in a part, or in none of those that a line
// has made so far.
func (g *guide) within(n search.Node) bool {
	p, ok := n.State.(*orderPart)
	if !ok {
		return true
	}
	at := g.precedes
	switch p.kind {
	case rootPart:
		return true
	case leavePart, enterPart:
		at = g.isMember
	}
	last := p.kind == joinPart || p.kind == enterPart
	for _, id := range p.list[:p.at] {
		if at(id) == last {
			return false
		}
	}
	return at(p.list[p.at]) == last
}
