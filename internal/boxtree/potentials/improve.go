package potentials

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

// Improve sweeps until a margin falls short of the goal, which it reports, or that gains little.
// It returns the margin within the farther distance, and how many sweeps there were.
func (s *Sweeper) Improve(d *Decomposition, stop Stop) (margin float64, sweeps int, lost bool) {
	return s.improve(d, stop, nil)
}

func (s *Sweeper) improve(
	d *Decomposition, stop Stop, e *exclusion,
) (margin float64, sweeps int, lost bool) {
	margin = d.Margin(stop.Far)
	s.Prepare(d)
	for ; sweeps < stop.Sweeps && !stop.lost(d, margin) && !s.ended(); sweeps++ {
		before := margin
		s.sweep(d, leastLoss*max(0, margin-stop.Goal), e)
		if sweeps == 0 && !stop.Root {
			s.Scale(d, stop.Far)
		}
		if margin = d.Margin(stop.Far); before-margin < leastGain*(margin-stop.Goal) {
			sweeps++
			break
		}
	}
	return margin, sweeps, stop.lost(d, margin)
}

// lost reports whether a margin falls short of the goal.
func (stop *Stop) lost(d *Decomposition, margin float64) bool {
	return margin < stop.Goal || (stop.Near < stop.Far && d.Margin(stop.Near) < stop.Goal)
}
