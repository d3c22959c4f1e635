package neighbors

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// fictitiousPlay looks for an answer to a query within a radius of X by fictitious play. It finds
// answers that lie well within the radius, and proves no bound.
//
// At X+u the margin of row i over rival j is s_j − s_i + 2(i−j)·u, s the squared distances from X.
// Two players find a u of positive margins, in fictitious play: one names the pair that decides at
// the mean of the displacements so far, the other the displacement that is best for all pairs
// named so far.
type fictitiousPlay struct {
	table       *Table
	q           *search.Query
	quota       Quota
	radius      float64
	own, rivals player
	u           []float64 // the last displacement
	mean        []float64 // of all
	sum         []float64 // of displacements from rivals to supporting rows
	z           []float64
}

const (
	// FewRounds and ManyRounds are how many displacements are tried where it is not known that rows
	// may answer at all, and where no other test shows that they do not.
	FewRounds, ManyRounds = 32, 192
	// mostTries is how many of them are asked for their label.
	mostTries = 4
)

// PlayFictitiously returns an answer within a radius, nil if it finds none, for the vote of k
// neighbours and with some rows near X. It tries some displacements.
func (t *Table) PlayFictitiously(
	q *search.Query, k int, own, rivals []nnindex.Neighbor, radius float64, rounds int,
) []float64 {
	quota := t.Quota(k, *q)
	if len(own) < quota.Required || len(rivals) <= quota.Allowed {
		return nil
	}
	d := t.Dim
	memory := make([]float64, 4*d)
	p := &fictitiousPlay{
		table: t, q: q, quota: quota, radius: radius,
		u: memory[:d], mean: memory[d : 2*d], sum: memory[2*d : 3*d], z: memory[3*d:],
	}
	p.own.add(t, q.X, own)
	p.rivals.add(t, q.X, rivals)
	return p.run(k, rounds)
}

func (p *fictitiousPlay) run(k, rounds int) []float64 {
	d := p.table.Dim
	tries, behind := 0, 0.0
	for step := 1; step <= rounds; step++ {
		own, rival, margin := p.margin(func(c *player) []float64 { return c.mean })
		if own < 0 || rival < 0 {
			break // rows so far that their squared distances overflow
		}
		floats.Add(p.sum, p.own.to[own*d:(own+1)*d])
		floats.Sub(p.sum, p.rivals.to[rival*d:(rival+1)*d])
		behind += p.own.squared[own] - p.rivals.squared[rival]
		try := p.mean
		if margin <= 0 || step == 1 {
			if p.best(); 2*floats.Dot(p.sum, p.u) < behind {
				break // no displacement gains enough for all pairs named so far
			}
			p.own.move(p.u, step)
			p.rivals.move(p.u, step)
			for j, u := range p.u {
				p.mean[j] += (u - p.mean[j]) / float64(step)
			}
			if _, _, margin = p.margin(func(c *player) []float64 { return c.last }); margin <= 0 {
				continue
			}
			try = p.u
		}
		if p.answers(try, k) {
			return p.z
		}
		if tries++; tries == mostTries {
			break
		}
	}
	return nil
}

// margin returns the supporting row and the rival that decide at a displacement, and the margin of
// the first over the second there.
func (p *fictitiousPlay) margin(at func(c *player) []float64) (own, rival int, margin float64) {
	own, near := p.own.ranked(at(&p.own), p.quota.Required-1)
	rival, far := p.rivals.ranked(at(&p.rivals), p.quota.Allowed)
	return own, rival, far - near
}

// best sets u to the displacement within the radius that goes farthest in the direction of the sum.
func (p *fictitiousPlay) best() {
	limit := p.radius * (1 - Spread) // so that X+u, rounded, lies within
	g := p.q.Cost
	price := func(j int) float64 { return g.Coordinate(j, math.Copysign(1, p.sum[j])) }
	clear(p.u)
	switch g.Norm {
	case polytope.LInf:
		for j, e := range p.sum {
			p.u[j] = math.Copysign(limit/price(j), e)
		}
	case polytope.L1:
		first, most := 0, 0.0
		for j, e := range p.sum {
			if gain := math.Abs(e) / price(j); gain > most {
				first, most = j, gain
			}
		}
		p.u[first] = math.Copysign(limit/price(first), p.sum[first])
	default:
		squares := 0.0
		for j, e := range p.sum {
			squares += e / price(j) * e / price(j)
		}
		if squares == 0 {
			break
		}
		for j, e := range p.sum {
			p.u[j] = limit * e / price(j) / price(j) / math.Sqrt(squares)
		}
	}
	for j, i := range p.q.Domain {
		p.u[j] = max(i.Lo-p.q.X[j], min(p.u[j], i.Hi-p.q.X[j]))
	}
}

// answers reports whether X+u, of which it makes z, answers the query for all rounding errors. If
// it does not, the rivals there join theirs.
func (p *fictitiousPlay) answers(u []float64, k int) bool {
	t := p.table
	floats.AddTo(p.z, p.q.X, u)
	z, ok := geometry.InsideBox(p.z, p.q.Domain, p.z)
	if !ok || !(p.q.Cost.Distance(p.q.X, z) <= p.radius) {
		return false
	}
	s := t.scratch()
	defer t.pool.Put(s)
	near, surely := t.surelyAnswers(s, p.q, k, z)
	if surely {
		return true
	}
	for _, n := range near {
		if !p.q.Reaches(int(t.Labels[n.ID])) && !slices.Contains(p.rivals.ids, n.ID) {
			n.Squared = nnindex.Squared(p.q.X, t.Row(n.ID))
			p.rivals.add(t, p.q.X, []nnindex.Neighbor{n})
			p.rivals.meet(len(p.rivals.ids)-1, p.mean)
		}
	}
	return false
}

// SurelyAnswers reports whether z, of the domain, answers a query for all rounding errors.
func (t *Table) SurelyAnswers(q *search.Query, k int, z []float64) bool {
	s := t.scratch()
	defer t.pool.Put(s)
	_, surely := t.surelyAnswers(s, q, k, z)
	return surely
}

// surelyAnswers reports whether z answers a query for all rounding errors, and returns its k+1
// nearest rows. Of two classes the rows that surely are neighbours may tell, others may tie.
func (t *Table) surelyAnswers(
	s *scratch, q *search.Query, k int, z []float64,
) (near []nnindex.Neighbor, surely bool) {
	near = t.nearest(s, z, k+1)
	slices.SortFunc(near, nnindex.Neighbor.Compare)
	sure := min(k, len(near))
	for len(near) > k && sure > 0 &&
		!(near[k].Squared > near[sure-1].Squared*(1+SureMargin/2*precise.Noise(t.Dim))) {
		sure--
	}
	clear(s.votes)
	side := 0
	for i, n := range near[:min(k, len(near))] {
		s.votes[t.Labels[n.ID]]++
		if i < sure && q.Reaches(int(t.Labels[n.ID])) {
			side++
		}
	}
	decided := sure == min(k, len(near)) || t.Classes == 2 && side >= t.Quota(k, *q).Required
	return near, decided && q.Reaches(t.winner(s.votes))
}

// player names rows near X.
type player struct {
	ids     []int32
	squared []float64 // distances from X
	to      []float64 // displacements from X to them, flat
	// Squared distances from X+u, less ‖u‖², of the last u and the mean of all.
	last, mean []float64
}

// add adds rows.
func (c *player) add(t *Table, x []float64, rows []nnindex.Neighbor) {
	c.to = slices.Grow(c.to, len(rows)*len(x))
	for _, r := range rows {
		c.ids, c.squared = append(c.ids, r.ID), append(c.squared, r.Squared)
		c.last, c.mean = append(c.last, r.Squared), append(c.mean, r.Squared)
		for j, e := range t.Row(r.ID) {
			c.to = append(c.to, e-x[j])
		}
	}
}

// meet measures a row that is new at a displacement for the mean.
func (c *player) meet(i int, mean []float64) {
	d := len(mean)
	c.mean[i] = c.squared[i] - 2*floats.Dot(c.to[i*d:(i+1)*d], mean)
}

// move measures the rows at the displacement of a step.
func (c *player) move(u []float64, step int) {
	d := len(u)
	for i, s := range c.squared {
		c.last[i] = s - 2*floats.Dot(c.to[i*d:(i+1)*d], u)
		c.mean[i] += (c.last[i] - c.mean[i]) / float64(step)
	}
}

// ranked returns the row that comes at a rank by its values, and its value.
func (c *player) ranked(values []float64, rank int) (row int, value float64) {
	value, row = math.Inf(-1), -1
	for range rank + 1 { // the ranks are few
		next, at := math.Inf(1), -1
		for i, v := range values {
			if v < next && (v > value || v == value && i > row) {
				next, at = v, i
			}
		}
		value, row = next, at
	}
	return row, value
}
