package potentials

// Aim is what potentials are improved for: that a lead within a reach falls short of a goal.
type Aim struct {
	Goal      float64
	Near, Far float64 // it suffices that the lead does within the nearer one of two reaches
	Sweeps    int     // at most
	Root      bool    // of the first part of a search: the rate of distances is worth the time
}

// A sweep is the last one when it gains less than a share of what is missing. A half counts as
// losing at least a share of it.
const leastGain, leastLoss = 0.05, 0.001

// Improve sweeps until a lead falls short of the goal, which it reports, or that gains little.
// It returns the lead within the farther reach, and how many sweeps there were.
func (s *Sweeper) Improve(d *Decomposition, a Aim) (lead float64, sweeps int, lost bool) {
	lead = d.Lead(a.Far)
	s.Prepare(d)
	for ; sweeps < a.Sweeps && !a.lost(d, lead); sweeps++ {
		before := lead
		s.Sweep(d, leastLoss*max(0, lead-a.Goal))
		if sweeps == 0 || a.Root {
			s.Scale(d, a.Far)
		}
		if lead = d.Lead(a.Far); before-lead < leastGain*(lead-a.Goal) {
			sweeps++
			break
		}
	}
	return lead, sweeps, a.lost(d, lead)
}

// lost reports whether a lead falls short of the goal.
func (a *Aim) lost(d *Decomposition, lead float64) bool {
	return lead < a.Goal || (a.Near < a.Far && d.Lead(a.Near) < a.Goal)
}
