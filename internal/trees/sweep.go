package trees

import "math"

// Sweep finds the radius at which the best choices of all groups could win. A group stands
// for a tree, and its choices for leaves; within a radius it can choose among those that
// do not lie beyond it.
//
// Reset forgets all groups. Then, for each of them, Choose names the best choice within the known
// radius, if there is one, and Step a better one beyond it. Cross lets the radius grow.
type Sweep struct {
	Best    []int32   // the choice of each group, −1 for none yet
	Gains   []float64 // that they add, −Inf for none
	missing int       // groups without a choice
	sum     float64   // base and gains of the others
	steps   []Step    // a heap, once the radius grows
}

// Step is a choice that is better than the best of its group within the radius so
// far.
type Step struct {
	Reach, Gain   float64
	Group, Choice int32
}

// Reset prepares for so many groups that add to a base.
func (s *Sweep) Reset(groups int, base float64) {
	if cap(s.Best) < groups {
		s.Best, s.Gains = make([]int32, groups), make([]float64, groups)
	}
	s.Best, s.Gains = s.Best[:groups], s.Gains[:groups]
	for g := range s.Best {
		s.Best[g], s.Gains[g] = -1, math.Inf(-1)
	}
	s.missing, s.sum, s.steps = groups, base, s.steps[:0]
}

// Choose makes a choice the best of a group that has none yet.
func (s *Sweep) Choose(group int, choice int32, gain float64) {
	s.Best[group], s.Gains[group] = choice, gain
	s.missing--
	s.sum += gain
}

// Step adds a choice that its group has from a reach on.
func (s *Sweep) Step(next Step) { s.steps = append(s.steps, next) }

// Cross returns the reach of the step at which the sum could win the margin, that within
// which Choose knew the best when it could already, and leaves in Best the choices that
// win it; false when no step does.
func (s *Sweep) Cross(l *Margin, known float64) (reach float64, ok bool) {
	slack := l.Slack
	if s.missing == 0 && s.sum >= -slack {
		return known, true
	}
	for s.heap(); len(s.steps) > 0; {
		next := s.pop()
		switch best := s.Gains[next.Group]; {
		case next.Gain <= best:
			continue
		case s.Best[next.Group] < 0:
			s.Choose(int(next.Group), next.Choice, next.Gain)
		default:
			s.Best[next.Group], s.Gains[next.Group] = next.Choice, next.Gain
			s.sum += next.Gain - best
		}
		if slack += l.Change; s.missing == 0 && s.sum >= -slack {
			return next.Reach, true
		}
	}
	return 0, false
}

// before reports whether a comes before b: the nearer first, then the better.
func (a *Step) before(b *Step) bool {
	switch {
	case a.Reach != b.Reach:
		return a.Reach < b.Reach
	case a.Gain != b.Gain:
		return a.Gain > b.Gain
	case a.Group != b.Group:
		return a.Group < b.Group
	}
	return a.Choice < b.Choice
}

// heap makes a heap of the steps, the next one on top.
func (s *Sweep) heap() {
	for i := len(s.steps)/2 - 1; i >= 0; i-- {
		s.sift(i)
	}
}

// pop removes the first step from a heap that is not empty.
func (s *Sweep) pop() Step {
	first, last := s.steps[0], len(s.steps)-1
	s.steps[0] = s.steps[last]
	s.steps = s.steps[:last]
	s.sift(0)
	return first
}

// sift restores the heap below i.
func (s *Sweep) sift(i int) {
	h := s.steps
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].before(&h[c]) {
			c++
		}
		if !h[c].before(&h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}
