//go:build lpsolve

package milp

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// search is the branch and bound for one point.
type search struct {
	forest   forest
	norm     polytope.Norm
	space    space
	targets  [][]lead               // what each label that answers must win
	answers  func(z []float64) bool // the classifier's own verdict
	relax    func(context.Context, *program) relaxation
	maxNodes int

	queue    queue
	ties     [][]int // leaves that the program takes for an answer, and Predict does not
	example  []float64
	distance float64 // of x from the closed intervals of example, +Inf without one
	radius   float64 // what lies farther away is left to the next round
	proven   float64 // no answer is nearer
	nodes    int
	solves   int
	made     int // branches so far
}

// gap is the share of the distance by which the proof may fall short of it:
// every distance that adds up to it is rounded down to the lattice, and another
// level is left to rounding errors.
func (s *search) gap() float64 { return float64(len(s.space)+2) / lattice }

// run searches within growing radii, so that most programs have few cuts, until
// an answer is found within one. It returns false when ctx or the number of
// nodes ended it before; proven holds in any case.
func (s *search) run(ctx context.Context) bool {
	s.distance = math.Inf(1)
	for _, r := range s.space.radii(s.norm) {
		s.radius = min(r, s.distance)
		if !s.round(ctx) {
			return false
		}
		if s.distance <= s.radius {
			s.proven = max(s.proven, s.distance*(1-s.gap()))
			return true
		}
		s.proven = max(s.proven, s.radius)
	}
	s.proven = math.Inf(1)
	return true
}

// round searches within the radius.
func (s *search) round(ctx context.Context) bool {
	s.queue = s.queue[:0]
	for t := range s.targets {
		s.push(branch{space: s.space, target: t, bound: s.proven})
	}
	for len(s.queue) > 0 && !s.closed(s.queue.first().bound) {
		if ctx.Err() != nil || (s.maxNodes > 0 && s.nodes >= s.maxNodes) {
			s.proven = max(s.proven, min(s.queue.first().bound, s.radius))
			return false
		}
		s.open(ctx, s.queue.pop())
	}
	return true
}

func (s *search) push(b branch) {
	b.number = s.made
	s.made++
	s.queue.push(b)
}

// closed reports whether nothing beyond the bound is of interest.
func (s *search) closed(bound float64) bool {
	return bound > s.radius || bound >= s.distance*(1-s.gap())
}

// cutoff is the distance beyond which no answer is of interest.
func (s *search) cutoff() float64 { return min(s.radius, s.distance) }

// open bounds a branch and splits it, where the relaxation is undecided if it
// is.
func (s *search) open(ctx context.Context, b branch) {
	s.nodes++
	near, ok := b.space.within(s.cutoff())
	if !ok {
		return
	}
	b.space = near
	p := s.program(b)
	if p.cuts == 0 {
		s.try(p.point(nil))
		return
	}
	r := s.bound(ctx, p)
	b.bound = max(b.bound, r.bound)
	z, distance := p.point(r.values)
	answers := s.try(z, distance)
	if s.closed(b.bound) {
		return
	}
	j, k := p.undecided(r.values)
	if j < 0 && r.solved && s.again(p, z, answers) {
		s.push(b)
		return
	}
	if j < 0 {
		j, k = p.anywhere()
	}
	s.split(b, j, k)
}

// program builds the program of a branch.
func (s *search) program(b branch) *program {
	p := newProgram(s.forest, b.space, s.norm, s.cutoff())
	for _, l := range s.targets[b.target] {
		p.win(l)
	}
	for _, leaves := range s.ties {
		p.exclude(leaves)
	}
	return p
}

// bound solves the relaxation of a program. A failure leaves every cut at home.
func (s *search) bound(ctx context.Context, p *program) relaxation {
	s.solves++
	r := s.relax(ctx, p)
	if !r.solved {
		r.values = make([]float64, p.penalty+1)
	}
	r.bound = (r.bound + p.start) * p.unit * (1 - 0x1p-50)
	return r
}

// try makes z the example if it answers and is nearer than the last one.
func (s *search) try(z []float64, distance float64) (answers bool) {
	answers = s.answers(z)
	if answers && distance < s.distance {
		s.example, s.distance = z, distance
	}
	return answers
}

// again reports whether to solve a program, whose relaxation led to z without a
// fraction, once more: without the leaves of z if it does not answer, and if it
// does in the finer unit that its distance makes possible.
func (s *search) again(p *program, z []float64, answers bool) bool {
	if answers {
		return s.cutoff() < p.unit
	}
	leaves := s.forest.reached(z)
	if slices.ContainsFunc(s.ties, func(known []int) bool { return slices.Equal(known, leaves) }) {
		return false
	}
	s.ties = append(s.ties, leaves)
	return true
}

func (s *search) split(b branch, j, k int) {
	left, right := b.space.split(j, k)
	b.depth++
	b.space = left
	s.push(b)
	b.space = right
	s.push(b)
}

// branch is an unopened part of a search.
type branch struct {
	space  space
	target int     // index of the label to reach
	bound  float64 // no answer in it is nearer
	depth  int
	number int // of branches made before
}

// compare orders branches: the smaller bound first, then the deeper one, in which an
// answer is nearer at hand, then the older one.
func (b branch) compare(o branch) int {
	return cmp.Or(cmp.Compare(b.bound, o.bound), cmp.Compare(o.depth, b.depth),
		cmp.Compare(b.number, o.number))
}

// queue holds branches, the first one at the end. To keep them in order takes no time
// beside a linear program for each.
type queue []branch

func (q *queue) push(b branch) {
	i, _ := slices.BinarySearchFunc(*q, b, func(a, b branch) int { return b.compare(a) })
	*q = slices.Insert(*q, i, b)
}

// first returns the branch that pop takes out.
func (q queue) first() branch { return q[len(q)-1] }

func (q *queue) pop() branch {
	b := q.first()
	*q = (*q)[:len(*q)-1]
	return b
}
