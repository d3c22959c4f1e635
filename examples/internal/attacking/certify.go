package attacking

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// BeginCertify adds the flags of facet certify and returns the work: the exact attack, which stops where it is
// known for each radius whether the row is robust there.
func BeginCertify(f *pflag.FlagSet) command.Work {
	s := &settings{set: f, attackName: "exact", solverName: "native", certify: true}
	command.Var(f, &s.radii, "radius", "", parseRadii, "the radii `R,…`: is a row robust at R, so that all inputs at distance ≤ R have its label?")
	s.AddRows(f)
	s.AddModel(f)
	s.AddSearch(f)
	s.addRun(f)
	f.StringVar(&s.plot, "plot", "", "draw the certified and the possible accuracy against the radius: a `file`.png or .svg")
	return s.run
}

// parseRadii reads radii and returns them in ascending order.
func parseRadii(text string) ([]float64, error) {
	radii, err := command.Each(command.Radius)(text)
	if err == nil && slices.Contains(radii, 0) {
		err = errors.New("at 0 there is nothing to ask")
	}
	slices.Sort(radii)
	return slices.Compact(radii), err
}

func (s *settings) checkCertify() error {
	if !s.certify {
		return nil
	}
	if s.radii == nil {
		return errors.New("--radius R is missing: several are separated by commas, as in --radius 0.05,0.1")
	}
	if s.plot == "" {
		return nil
	}
	if err := plotting.CheckName(s.plot); err != nil {
		return fmt.Errorf("--plot: %w", err)
	}
	return nil
}

// program is the command, as it is recorded.
func (s *settings) program() string {
	if s.certify {
		return results.Certifying
	}
	return results.Attacking
}

// doing is what the progress says.
func (s *settings) doing() string {
	if s.certify {
		return "certifying"
	}
	return "attacking"
}

// addVerdicts adds what the answer for a row says about the radii.
func (s *settings) addVerdicts(l *results.Line, r attack.Result) {
	l.Status, l.Radii = results.Decided, s.radii
	for _, radius := range s.radii {
		v := r.RobustAt(radius)
		if v == attack.Undecided {
			l.Status = results.Undecided
		}
		l.Robust = append(l.Robust, v.String())
	}
}
