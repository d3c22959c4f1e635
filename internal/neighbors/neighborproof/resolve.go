package neighborproof

import (
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// resolve looks at a point inside of what the half-spaces leave, where no distances tie: what holds
// there holds in a set with an interior. It closes the node if there is no inside and no end of the
// domain that counts, or returns a branching, one without a list if it has added a half-space
// instead; nothing if the point answers, as far as can be seen.
func (t *tree) resolve() (closed bool, b *branching) {
	inside := t.moveInside()
	if inside {
		if added, closed := t.addImplied(true); closed || added {
			return closed, &branching{}
		}
		if b = t.crossing(); b != nil {
			return false, b
		}
	} else if t.contradiction() {
		return true, nil
	}
	b = t.exchange(!inside)
	return b == nil && inside && t.contradiction(), b
}

// margins are the leads over half-spaces with which a point lies inside, in units of the bound.
var margins = [...]float64{1e-4, 1e-6, 1e-8, 1e-10}

// moveInside makes a point the current one that satisfies the half-spaces by a margin and is
// nearer than the bound; false if none is found.
func (t *tree) moveInside() bool {
	inside := closest.New(closest.Norm(t.Norm))
	size := t.size()
	for _, m := range margins {
		margin := m * size * t.scale
		inside.Reset(t.table.Dim)
		for i, p := range t.terms {
			b, err := t.fill(t.a, p)
			if !t.flat(p) {
				b -= margin * t.lengths[i] / t.scale
			}
			inside.Add(t.a, b*t.scale, err*t.scale)
		}
		status, err := inside.Solve(t.bound * t.scale)
		if err != nil || status != closest.Optimal || inside.Value() >= t.bound*t.scale-margin {
			continue
		}
		t.moveTo(inside.U())
		t.scatter(margin / t.scale / 2)
		return true
	}
	return false
}

// scatter moves the point a little in a direction in which nothing ties.
func (t *tree) scatter(far float64) {
	rng := rand.New(rand.NewPCG(1, uint64(len(t.decided))))
	v := make([]float64, len(t.at.u))
	for j := range v {
		v[j] = rng.Float64() - 0.5
		if t.Domain != nil && t.Domain[j].Lo == t.Domain[j].Hi {
			v[j] = 0
		}
	}
	// Not quite as far as may be: steps that are equal to margins may tie again.
	if length := t.Norm.Length(v); length > 0 {
		far *= (1 + rng.Float64()) / 2 / length
	}
	for j, e := range v {
		t.at.u[j] += far * e
	}
	t.look()
}

// flat reports whether a half-space is a side of a feature that the domain leaves one value.
func (w *writer) flat(p pair) bool {
	return p.before < 0 && w.Domain[p.after].Lo == w.Domain[p.after].Hi
}

// exchange returns the branching that the k rows nearest to the point call for: a row that is no
// neighbour is among them, or one that is is not, or they do not answer; or it lies at an end of
// the domain, where they may be neighbours only as the order of the rows has it.
func (t *tree) exchange(end bool) *branching {
	order := make([]nnindex.Neighbor, t.table.Len())
	for i := range order {
		order[i] = nnindex.Neighbor{
			Squared: nnindex.Moved(t.X, t.at.u, t.table.Row(int32(i))),
			ID:      int32(i),
		}
		switch { // ties go as decided
		case end && t.marks[i]&in != 0:
			order[i].Squared -= t.blur(order[i].Squared)
		case end && t.marks[i]&out != 0:
			order[i].Squared += t.blur(order[i].Squared)
		}
	}
	slices.SortFunc(order, nnindex.Neighbor.Compare)
	var members, free []int32 // the first rows, and those of them that nothing is decided on
	for i, n := range order {
		switch {
		case t.marks[n.ID]&out != 0:
			return t.overtake(n.ID, order[:i], order[i+1:])
		case t.marks[n.ID]&in == 0:
			free = append(free, n.ID)
		}
		members = append(members, n.ID)
		if t.inside+len(free) > t.k { // some neighbour is not among the first
			return &branching{kind: 'm', list: free}
		}
		if len(members) == t.k && t.inside+len(free) == t.k {
			answers := t.Reaches(t.table.VoteOf(members))
			if answers && !end || len(free) == 0 {
				return nil
			}
			return &branching{kind: 'm', list: free, all: answers}
		}
	}
	return nil
}

// overtake returns the branching on which row, of those that are not known to come before row q
// nowhere, is a neighbour and comes before it. Rows before q at the point are too few.
func (t *tree) overtake(q int32, before, behind []nnindex.Neighbor) *branching {
	system := t.k - 1 - t.inside
	for _, n := range before {
		if t.marks[n.ID]&(in|out) == 0 {
			system--
		}
	}
	if system < 0 {
		return nil // rows tie wherever the domain lets them
	}
	b := &branching{kind: 'o', row: q, list: []int32{}}
	for _, n := range behind {
		if t.marks[n.ID]&(in|out) != 0 || t.far(n.ID, q) {
			continue
		}
		if system > 0 {
			system--
			continue
		}
		b.list = append(b.list, n.ID)
	}
	return b
}
