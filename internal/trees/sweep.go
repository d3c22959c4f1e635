package trees

import "math"

// Sweep finds the radius at which the best choice of each group could win. A group stands
// for one tree or several, and its choices for their leaves; within a radius it can
// choose among those that do not lie beyond it.
//
// Reset forgets all groups. Then, for each of them, Choose says what is best within the
// radius that is known, if anything, and Step what is better beyond it. Cross lets the
// radius grow.
type Sweep struct {
	Best    []int32   // the choice of each group, −1 for none yet
	Gain    []float64 // its gain, −Inf for none
	missing int       // groups without a choice
	sum     float64   // base and gains of the others
	steps   []step    // a heap, once the radius grows
}

// step is a choice that is better than the best of its group within the radius so
// far.
type step struct {
	reach, gain   float64
	group, choice int32
}

// Reset prepares for so many groups with a lead.
func (s *Sweep) Reset(groups int, l *Lead) {
	if cap(s.Best) < groups {
		s.Best, s.Gain = make([]int32, groups), make([]float64, groups)
	}
	s.Best, s.Gain = s.Best[:groups], s.Gain[:groups]
	for g := range s.Best {
		s.Best[g], s.Gain[g] = -1, math.Inf(-1)
	}
	s.missing, s.sum, s.steps = groups, l.Base, s.steps[:0]
}

// Choose makes a choice the best of a group that has none yet.
func (s *Sweep) Choose(group int, choice int32, gain float64) {
	s.Best[group], s.Gain[group] = choice, gain
	s.missing--
	s.sum += gain
}

// Step adds a choice that a group has from a reach on.
func (s *Sweep) Step(group int, choice int32, gain, reach float64) {
	s.steps = append(s.steps, step{reach: reach, gain: gain, group: int32(group), choice: choice})
}

// Cross returns the reach of the step at which the lead could be won, that within which
// Choose knew the best when these win it already, and leaves in Best the choices that do;
// false when no step wins it.
func (s *Sweep) Cross(l *Lead, known float64) (reach float64, ok bool) {
	slack := l.Slack
	if s.missing == 0 && s.sum >= -slack {
		return known, true
	}
	for s.heap(); len(s.steps) > 0; {
		next := s.pop()
		switch best := s.Gain[next.group]; {
		case next.gain <= best:
			continue
		case s.Best[next.group] < 0:
			s.Choose(int(next.group), next.choice, next.gain)
		default:
			s.Best[next.group], s.Gain[next.group] = next.choice, next.gain
			s.sum += next.gain - best
		}
		if slack += l.Change; s.missing == 0 && s.sum >= -slack {
			return next.reach, true
		}
	}
	return 0, false
}

// before reports whether a comes before b: the nearer first, then the better.
func (a *step) before(b *step) bool {
	switch {
	case a.reach != b.reach:
		return a.reach < b.reach
	case a.gain != b.gain:
		return a.gain > b.gain
	case a.group != b.group:
		return a.group < b.group
	}
	return a.choice < b.choice
}

// heap makes a heap of the steps, the next one on top.
func (s *Sweep) heap() {
	for i := len(s.steps)/2 - 1; i >= 0; i-- {
		s.sift(i)
	}
}

// pop removes the first step from a heap that is not empty.
func (s *Sweep) pop() step {
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
