package potentials

// Stop says when improving potentials ends: once a lead within a distance falls short of a goal.
type Stop struct {
	Goal      float64
	Near, Far float64 // it suffices that the lead does within the nearer of two distances
	Sweeps    int     // at most
	Root      bool    // of the first part of a search: the rate of distances is worth the time
}

// A sweep is the last one when it gains less than a share of what is missing. A half counts as
// losing at least a share of it.
const leastGain, leastLoss = 0.05, 0.001

// Improve sweeps until a lead falls short of the goal, which it reports, or that gains little.
// It returns the lead within the farther distance, and how many sweeps there were.
func (s *Sweeper) Improve(d *Decomposition, stop Stop) (lead float64, sweeps int, lost bool) {
	return s.improve(d, stop, nil)
}

func (s *Sweeper) improve(
	d *Decomposition, stop Stop, e *exclusion,
) (lead float64, sweeps int, lost bool) {
	lead = d.Lead(stop.Far)
	s.Prepare(d)
	for ; sweeps < stop.Sweeps && !stop.lost(d, lead); sweeps++ {
		before := lead
		s.sweep(d, leastLoss*max(0, lead-stop.Goal), e)
		if sweeps == 0 || stop.Root {
			s.Scale(d, stop.Far)
		}
		if lead = d.Lead(stop.Far); before-lead < leastGain*(lead-stop.Goal) {
			sweeps++
			break
		}
	}
	return lead, sweeps, stop.lost(d, lead)
}

// lost reports whether a lead falls short of the goal.
func (stop *Stop) lost(d *Decomposition, lead float64) bool {
	return lead < stop.Goal || (stop.Near < stop.Far && d.Lead(stop.Near) < stop.Goal)
}
