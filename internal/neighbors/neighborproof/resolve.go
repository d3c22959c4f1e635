package neighborproof

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
)

// resolve looks at an input that satisfies the half-spaces: inside of them, or, where there is no
// inside or the point seems to answer, one that does so in exact arithmetic. It closes the node if
// there is none, or returns a branching, one without a list if it has added a half-space instead;
// neither if the input answers, as far as can be seen.
func (t *tree) resolve() (closed bool, b *branching) {
	if t.moveInside() {
		if closed, b = t.divide(); closed || b != nil {
			return closed, b
		}
	}
	t.moveTo(t.program.U())
	near := t.size() * touching
	half := t.touched(near)
	if t.contradict(half) {
		return true, nil
	}
	for j := range t.a {
		t.a[j] = 1
	}
	radius := min(near, (t.bound-t.at.value)/2) / geometry.Length(t.Norm, t.a)
	t.at.exact = t.refuter.Near(half, t.at.u, radius)
	if t.at.exact == nil {
		return false, nil
	}
	for j, e := range t.at.exact {
		t.at.u[j], _ = e.Float64()
	}
	t.look()
	return t.divide()
}

// divide closes the node, adds a half-space or returns a branching, as the point asks for.
func (t *tree) divide() (closed bool, b *branching) {
	if added, closed := t.addImplied(true); closed || added {
		return closed, &branching{}
	}
	if b = t.crossing(); b != nil {
		return false, b
	}
	return false, t.exchange()
}

// touching is how near the point a half-space has to end to matter around the point, in units of
// the bound.
const touching = 0x1p-20

// touched returns the half-spaces, and the faces of the domain, that end near the point. If no
// input satisfies all half-spaces though the point lies on their borders, none satisfies these: in
// a sum that says 0 ≤ 0 each holds with equality.
func (t *tree) touched(near float64) (half []prooftext.HalfSpace) {
	pairs := t.terms[:len(t.terms):len(t.terms)]
	for j := range t.Domain {
		for _, side := range [...]int32{upper, lower} {
			if p := (pair{side, int32(j)}); !slices.Contains(t.terms, p) {
				pairs = append(pairs, p)
			}
		}
	}
	for _, p := range pairs {
		b, err := t.fill(t.a, p)
		slack := b - precise.Dot(t.a, t.at.u)
		if slack > near*geometry.DualLength(t.Norm, t.a)+err || math.IsInf(b, 1) || t.flat(p) {
			continue
		}
		half = append(half, t.halfSpace(p, t.name(p)))
	}
	return half
}

// margins are the distances from the borders at which a point lies inside, in units of the bound.
var margins = [...]float64{1e-4, 1e-6, 1e-8, 1e-10}

// moveInside makes a point the current one that satisfies the half-spaces by a margin and is
// nearer than the bound; false if none is found.
func (t *tree) moveInside() bool {
	inside := closest.New(t.Norm)
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

// scatter moves the point a little in a direction in which no rows tie.
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
	if length := geometry.Length(t.Norm, v); length > 0 {
		far *= (1 + rng.Float64()) / 2 / length
	}
	for j, e := range v {
		t.at.u[j] += far * e
	}
	t.look()
}

// flat reports whether a half-space is a face of a feature that the domain leaves one value.
func (w *writer) flat(p pair) bool {
	return p.before < 0 && w.Domain[p.after].Lo == w.Domain[p.after].Hi
}

// exchange returns the branching that the k rows nearest to the point call for: a row that is no
// neighbour is among them, or one that is is not, or they do not answer.
func (t *tree) exchange() *branching {
	order := make([]nnindex.Neighbor, t.table.Len())
	for i := range order {
		order[i] = nnindex.Neighbor{
			Squared: nnindex.Moved(t.X, t.at.u, t.table.Row(int32(i))),
			ID:      int32(i),
		}
	}
	slices.SortFunc(order, t.compare)
	var members, free []int32 // the first rows, and the undecided ones of them
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
		if len(members) == t.k {
			if t.Reaches(t.table.VoteOf(members)) || len(free) == 0 {
				return nil
			}
			return &branching{kind: 'm', list: free}
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
		return nil // rows are too near each other to tell
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
