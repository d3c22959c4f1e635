package attacking

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// certifying is facet certify: the exact attack, which stops where it is known for each radius
// whether the row is robust there.
type certifying struct{ task }

// BeginCertify adds the flags of facet certify and returns the work.
func BeginCertify(f *pflag.FlagSet) command.Work {
	c := new(certifying)
	c.Unlabeled = true
	c.program, c.doing = results.Certifying, "certifying"
	command.Var(f, &c.radii, "radius", "", parseRadii,
		"the radii `R,…`: is a row robust at R, so that all inputs at distance ≤ R have its "+
			"label? 5% is 0.05, of features that are scaled, or whose --units are range")
	c.AddRows(f)
	c.AddModel(f)
	c.AddSearch(f)
	c.AddThreshold(f)
	f.BoolVar(&c.misclassified, "include-misclassified", false,
		"ask about the misclassified test rows too: do they keep their prediction?")
	c.addRun(f)
	f.StringVar(&c.plot, "plot",
		"", "draw the certified and the possible accuracy against the radius: a `file`.png or .svg")
	return c.work(c)
}

// parseRadii reads radii and returns them in ascending order.
func parseRadii(text string) ([]float64, error) {
	radii, err := command.Each(func(text string) (float64, error) {
		r, _, err := command.Part(text)
		return r, err
	})(text)
	if err == nil && slices.Contains(radii, 0) {
		err = errors.New("at 0 there is nothing to ask")
	}
	slices.Sort(radii)
	return slices.Compact(radii), err
}

func (c *certifying) check() error {
	if c.radii == nil {
		return errors.New(
			"--radius R is missing: several are separated by commas, as in --radius 0.05,0.1",
		)
	}
	if text := c.set.Lookup("radius").Value.String(); strings.Contains(text, "%") &&
		c.units != "range" && c.Scale != "minmax" {
		return fmt.Errorf("--radius %s: parts of what? --units range measures distances in parts "+
			"of the range of each feature", text)
	}
	return c.checkPlot()
}

func (c *certifying) build(e *evaluation) (attacker, error) {
	exact, err := e.exact(e.data.Classifier)
	return each(func() attack.Attack { return exact }), err
}

// mark has the verdict at each radius.
func (c *certifying) mark(l *results.Line, p *metrics.Point) {
	l.Status, l.Radii = results.Decided, c.radii
	for _, radius := range c.radii {
		v := p.Verdict(radius)
		if v == attack.Undecided {
			l.Status = results.Undecided
		}
		l.Robust = append(l.Robust, v.String())
	}
}
