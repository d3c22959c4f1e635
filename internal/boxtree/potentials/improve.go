package potentials

import "github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"

// Stop says when improving potentials ends: once a margin within a distance falls short of a goal.
type Stop struct {
	Goal      float64
	Near, Far float64 // it suffices that the margin does within the nearer of two distances
	Sweeps    int     // at most
	Root      bool    // of the first part of a search: its potentials are zero, and say no rate
}

// A sweep is the last one when it gains less than a share of the margin that is missing. A half
// counts as losing at least a share of it.
const leastGain, leastLoss = 0.05, 0.001

// Swept is what sweeps came to.
type Swept struct {
	Margin float64  // within the farther distance
	Sweeps int      // how many there were
	Lost   bool     // the margin falls short of the goal
	Split  grid.Cut // of the box, where both halves lose most; feature −1 if there is none
}

// Improve sweeps until a margin falls short of the goal, or that gains little.
func (s *Sweeper) Improve(d *Decomposition, stop Stop) Swept { return s.improve(d, stop, nil) }

func (s *Sweeper) improve(d *Decomposition, stop Stop, e *exclusion) Swept {
	now := Swept{Margin: d.Margin(stop.Far), Split: grid.Cut{Feature: -1}}
	s.Prepare(d)
	for now.Sweeps < stop.Sweeps && !stop.lost(d, now.Margin) && !s.ended() {
		before := now.Margin
		now.Split = s.sweep(d, leastLoss*max(0, before-stop.Goal), e)
		if now.Sweeps == 0 && !stop.Root {
			s.Scale(d, stop.Far)
		}
		now.Sweeps++
		now.Margin = d.Margin(stop.Far)
		if before-now.Margin < leastGain*(now.Margin-stop.Goal) {
			break
		}
	}
	now.Lost = stop.lost(d, now.Margin)
	return now
}

// lost reports whether a margin falls short of the goal.
func (stop *Stop) lost(d *Decomposition, margin float64) bool {
	return margin < stop.Goal || (stop.Near < stop.Far && d.Margin(stop.Near) < stop.Goal)
}
