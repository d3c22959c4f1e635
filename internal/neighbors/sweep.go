package neighbors

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// sweep looks for an answer on straight lines through a domain. On the line y + t·v the squared
// distance from a row p is s − 2t·g + t²·‖v‖², for s = ‖p−y‖² and g = (p−y)·v, so rows compare as
// s − 2t·g does. It proves no bound.
type sweep struct {
	table       *Table
	q           *search.Query
	k           int
	quota       Quota
	start       []float64 // with the coordinates that the domain fixes
	free        []int     // the other ones
	own, rivals swept
	extent      float64   // of the data
	left        int       // how many lines may be tried
	way         []float64 // of the line that is tried, in free coordinates
}

const (
	// mostSweptLines is how many lines are tried, and mostSwept bounds that times rows times
	// neighbours.
	mostSweptLines, mostSwept = 128, 1 << 18
	// mostSweptFree is in how many free coordinates: there are (3ⁿ−1)/2 directions.
	mostSweptFree = 5
	// mostStops is how often a line is looked at.
	mostStops = 24
	// sweptSpan is how far a line is followed, in units of the extent of the data.
	sweptSpan = 1 << 12
)

// answerOnLines returns an answer on a line through one of some points of the domain, taken in
// turn, nil if it finds none. The directions are those of {−1, 0, 1}ⁿ, n the free coordinates:
// where many rows tie in a coordinate, as they do in yes and no, answers lie far out in one of
// these.
func (t *Table) answerOnLines(
	q *search.Query, k int, own, rivals Trees, points [][]float64, extent float64,
) []float64 {
	s := &sweep{
		table: t, q: q, k: k, quota: t.Quota(k, *q), start: points[0], extent: extent,
		left: min(mostSweptLines, mostSwept/(k*t.Len())),
	}
	for j := range q.X {
		if q.Domain == nil || q.Domain[j].Lo < q.Domain[j].Hi {
			s.free = append(s.free, j)
		}
	}
	n := len(s.free)
	if n == 0 || n > mostSweptFree || s.quota.Required == 0 {
		return nil
	}
	s.own, s.rivals, s.way = s.gather(own), s.gather(rivals), make([]float64, n)
	if len(s.own.s) < s.quota.Required || len(s.rivals.s) <= s.quota.Allowed {
		return nil
	}
	if n == 1 {
		points = points[:1] // the others lie on the same line
	}
	for _, y := range points {
		if z := s.through(y); z != nil {
			return z
		}
	}
	return nil
}

// through tries the lines through a point of the domain.
func (s *sweep) through(y []float64) []float64 {
	directions := 1
	for range s.free {
		directions *= 3
	}
	for number := directions/2 + 1; number < directions && s.left > 0; number++ {
		s.left--
		for c, rest := 0, number; c < len(s.way); c, rest = c+1, rest/3 {
			s.way[c] = float64(rest%3 - 1)
		}
		s.own.project(y, s.free, s.way)
		s.rivals.project(y, s.free, s.way)
		if z := s.follow(y); z != nil {
			return z
		}
	}
	return nil
}

// follow follows a line through y. Where supporting rows are behind it goes on to where as many as
// are required come before a rival that is ahead.
func (s *sweep) follow(y []float64) []float64 {
	t, end := s.within(y)
	for range mostStops {
		ahead := s.rivals.first(t, s.quota.Allowed+1)
		begin := s.own.overtake(s.quota.Required, &s.rivals, ahead, t)
		if !(begin <= end) {
			return nil
		}
		ahead = s.own.first(begin, s.quota.Required)
		overtaken := s.rivals.overtake(s.quota.Allowed+1, &s.own, ahead, begin)
		if overtaken > begin {
			till := min(overtaken, end, begin+s.extent+math.Abs(begin))
			if z := s.answer(y, (begin+till)/2); z != nil {
				return z
			}
		}
		if overtaken == t {
			return nil
		}
		t = overtaken
	}
	return nil
}

// within returns between which t the line through y lies in the domain, not too far out.
func (s *sweep) within(y []float64) (lo, hi float64) {
	hi = sweptSpan * s.extent
	lo = -hi
	for c, j := range s.free {
		if v := s.way[c]; s.q.Domain != nil && v != 0 {
			from, to := (s.q.Domain[j].Lo-y[j])*v, (s.q.Domain[j].Hi-y[j])*v
			lo, hi = max(lo, min(from, to)), min(hi, max(from, to))
		}
	}
	return lo, hi
}

// answer returns the point at t of the line through y if it answers for all rounding errors.
func (s *sweep) answer(y []float64, t float64) []float64 {
	z := slices.Clone(s.start)
	for c, j := range s.free {
		z[j] = y[j] + t*s.way[c]
	}
	z, ok := geometry.InsideBox(z, s.q.Domain, z)
	if !ok || !(s.q.Distance(z) <= math.MaxFloat64) {
		return nil
	}
	memory := s.table.scratch()
	defer s.table.pool.Put(memory)
	if _, surely := s.table.surelyAnswers(memory, s.q, s.k, z); !surely {
		return nil
	}
	return z
}

// swept are rows, and how they compare along a line.
type swept struct {
	to    []float64 // their free coordinates, flat
	fixed []float64 // their squared distances from the domain in the other ones
	s, g  []float64 // see sweep

	ids    []int // for first
	values []float64
}

// gather takes the rows of trees.
func (s *sweep) gather(trees Trees) (rows swept) {
	for _, tree := range trees {
		for i := range tree.IDs {
			p, squared, c := tree.Point(i), 0.0, 0
			for j, e := range p {
				if c < len(s.free) && s.free[c] == j {
					rows.to = append(rows.to, e)
					c++
					continue
				}
				e -= s.start[j]
				squared += e * e
			}
			rows.fixed = append(rows.fixed, squared)
		}
	}
	rows.s, rows.g = make([]float64, len(rows.fixed)), make([]float64, len(rows.fixed))
	return rows
}

// project looks at the rows along a way through y.
func (r *swept) project(y []float64, free []int, way []float64) {
	n := len(way)
	for i, squared := range r.fixed {
		along := 0.0
		for c, e := range r.to[i*n : (i+1)*n] {
			e -= y[free[c]]
			squared += e * e
			along += e * way[c]
		}
		r.s[i], r.g[i] = squared, along
	}
}

// first returns the rows that are nearest at t.
func (r *swept) first(t float64, count int) []int {
	r.ids, r.values = r.ids[:0], r.values[:0]
	for i, s := range r.s {
		if at := r.insert(s-2*t*r.g[i], count); at < count {
			r.ids = slices.Insert(r.ids, at, i)
			r.ids = r.ids[:min(len(r.ids), count)]
		}
	}
	return r.ids
}

// insert keeps a value if it is among the first few, and returns its position.
func (r *swept) insert(v float64, count int) (at int) {
	if len(r.values) == count && !(v < r.values[count-1]) {
		return count
	}
	at, _ = slices.BinarySearch(r.values, v)
	r.values = slices.Insert(r.values, at, v)
	r.values = r.values[:min(len(r.values), count)]
	return at
}

// overtake returns by when, from t on, as many of the rows as a count have come before one of some
// others, +Inf if never.
func (r *swept) overtake(count int, others *swept, ids []int, t float64) float64 {
	r.values = r.values[:0]
	for i, s := range r.s {
		when := math.Inf(1)
		for _, j := range ids {
			behind, gain := s-others.s[j], 2*(r.g[i]-others.g[j])
			switch tolerance := Spread * (s + others.s[j] + math.Abs(t*gain)); {
			case behind-t*gain < -tolerance:
				when = t
			case gain > 0:
				when = min(when, max(t, behind/gain))
			}
		}
		r.insert(when, count)
	}
	return r.values[count-1]
}
