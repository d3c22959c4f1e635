package gate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/report"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// askRows runs the checks about test rows.
func (g *Gate) askRows(ctx context.Context) error {
	p := g.Policy
	if !p.AboutRows() {
		return nil
	}
	begun := time.Now()
	rows, err := g.predict(ctx, "predictions", g.Model)
	if err != nil {
		return err
	}
	g.report.Rows = len(rows)
	if err := g.labelled(rows); err != nil {
		return command.Misuse(err)
	}
	if p.Accuracy != nil {
		g.part("accuracy", g.Model, *p.Accuracy, right(rows), len(rows), begun,
			fmt.Sprintf("%d of %d rows get another label than theirs.", len(rows)-right(rows),
				len(rows)))
	}
	if err := g.classes(rows); err != nil {
		return command.Misuse(err)
	}
	certified, err := g.certify(ctx, g.Model)
	if err != nil {
		return err
	}
	for _, c := range certified {
		if c.Status == Pass {
			c.Worst, c.Case = "", nil
		}
	}
	g.report.Checks = append(g.report.Checks, certified...)
	if s := p.SameAs; s != nil && s.DiffersAt != nil {
		if err := g.sameRows(ctx, rows, s); err != nil {
			return err
		}
	}
	return g.noWorse(ctx, rows, certified)
}

// labelled returns an error for rows without labels, where these are asked about.
func (g *Gate) labelled(rows []results.Asked) error {
	p := g.Policy
	asked := p.Accuracy != nil || p.Classes != nil || p.NoWorse != nil || p.Certified != nil
	switch {
	case len(rows) == 0:
		return errors.New("--test: there is no row")
	case asked && rows[0].Label == nil:
		return errors.New("--test: the rows have no labels, which accuracy, classes and " +
			"certified compare")
	}
	return nil
}

// predict returns the predictions of a model.
func (g *Gate) predict(ctx context.Context, about, model string) ([]results.Asked, error) {
	return call[results.Asked](ctx, g, about, g.predicting(model))
}

func (g *Gate) predicting(model string) []string {
	return append([]string{"predict", "--model=" + model, "--test=" + g.Test}, g.Rows...)
}

// right counts the rows whose label is predicted.
func right(rows []results.Asked) (count int) {
	for _, r := range rows {
		if *r.Label == r.Predicted {
			count++
		}
	}
	return count
}

// classes adds the checks of each label.
func (g *Gate) classes(rows []results.Asked) error {
	for _, class := range g.Policy.Classes {
		var of, as, both int
		for _, r := range rows {
			is, said := r.Label.String() == class.Label, r.Predicted.String() == class.Label
			if is {
				of++
			}
			if said {
				as++
			}
			if is && said {
				both++
			}
		}
		if of == 0 && as == 0 {
			return fmt.Errorf("%s: classes: no row has the label %q, and none is predicted it",
				g.Policy.path, class.Label)
		}
		for _, share := range []struct {
			name   string
			limits *Limits
			of     int
			rows   string
		}{
			{"recall of ", class.Recall, of, "rows of this label"},
			{"precision of ", class.Precision, as, "rows that are predicted this label"},
		} {
			name := share.name + class.Label
			switch {
			case share.limits == nil:
			case share.of == 0: // a share of no rows may be anything
				c := &Check{Name: name, Command: shell(g.predicting(g.Model)...)}
				c.within(*share.limits, 0, 1)
				c.Found = "there are no " + share.rows
				g.add(c, time.Now())
			default:
				g.part(name, g.Model, *share.limits, both, share.of, time.Now(),
					fmt.Sprintf("%d of %d %s.", both, share.of, share.rows))
			}
		}
	}
	return nil
}

// part adds the check of a share of some rows, by the predictions of a model. worst is the text
// about a failure.
func (g *Gate) part(
	name, model string, l Limits, part, of int, begun time.Time, worst string,
) {
	c := &Check{Name: name, Command: shell(g.predicting(model)...)}
	share := float64(part) / float64(of)
	if c.within(l, share, share); c.Status == Fail {
		c.Worst = worst
	}
	g.add(c, begun)
}

// about names the radius, the norm and the rules of a share.
func about(c *Certified) string {
	said := c.Radius + ", norm " + c.Norm
	if c.Costs != "" {
		said += ", " + filepath.Base(c.Costs)
	}
	if c.Domain != "" {
		said += ", inputs in " + filepath.Base(c.Domain)
	}
	return said
}

// certify returns the checks of the certified shares of a model: radii that go by one measure are
// asked about at once.
func (g *Gate) certify(ctx context.Context, model string) ([]*Check, error) {
	checks := make([]*Check, len(g.Policy.Certified))
	for i := range checks {
		if checks[i] != nil {
			continue
		}
		var radii []string
		var of []int
		for j := i; j < len(checks); j++ {
			if g.measure(j) == g.measure(i) {
				radii, of = append(radii, g.Policy.Certified[j].Radius), append(of, j)
			}
		}
		begun := time.Now()
		args := g.certifying(model, i, strings.Join(radii, ","))
		if g.Timeout > 0 { // shared out among the rows that are asked at a time
			turns := (g.report.Rows + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
			args = append(args, "--timeout="+max(g.Timeout/time.Duration(turns), 1).String())
		}
		path, err := g.call(ctx, "certified at "+about(&g.Policy.Certified[i]), args)
		if err != nil {
			return nil, err
		}
		source, err := report.Read(ctx, path)
		if err != nil {
			return nil, err
		}
		if g.rows == nil { // those of this model are asked about before those of another
			g.rows = source
		}
		for _, j := range of {
			checks[j] = g.certified(source, j)
			checks[j].Command = shell(g.certifying(model, j, g.Policy.Certified[j].Radius)...)
			checks[j].Seconds = time.Since(begun).Seconds() / float64(len(of))
		}
	}
	return checks, nil
}

// measure has the settings that radii must share to be asked about at once.
func (g *Gate) measure(i int) Certified {
	c := g.Policy.Certified[i]
	c.AtLeast, c.Radius = 0, strings.TrimLeft(c.Radius, "0123456789.eE+-")
	return c
}

func (g *Gate) certifying(model string, i int, radii string) []string {
	c := &g.Policy.Certified[i]
	args := append([]string{"certify", "--model=" + model, "--test=" + g.Test}, g.Rows...)
	args = append(args, "--radius="+radii, "--norm="+c.Norm)
	if strings.HasSuffix(c.Radius, "%") {
		args = append(args, "--units=range")
		if g.Train != "" {
			args = append(args, "--train="+g.Train)
		}
	}
	if c.Costs != "" {
		args = append(args, "--costs="+g.Policy.file(c.Costs))
	}
	if c.Domain != "" {
		args = append(args, "--domain="+g.Policy.box(c.Domain))
	}
	return args
}

// certified is the check of the share of rows that are right and stay so within a radius. Its case
// is the row that loses its label nearest.
func (g *Gate) certified(s *report.Source, i int) *Check {
	asked := &g.Policy.Certified[i]
	c := &Check{Name: "certified at " + about(asked)}
	at, _, _ := command.Part(asked.Radius) // which facet certify has read
	var yes, undecided int
	var nearest *results.Line
	for i := range s.Lines {
		l := &s.Lines[i]
		for k, r := range l.Radii {
			if r != at {
				continue
			}
			switch l.Robust[k] {
			case "yes":
				yes++
			case "undecided":
				undecided++
			case "no":
				if l.Distance != nil && (nearest == nil || *l.Distance < *nearest.Distance) {
					nearest = l
				}
			}
		}
	}
	n := float64(len(s.Lines))
	c.within(Limits{AtLeast: &asked.AtLeast}, float64(yes)/n, float64(yes+undecided)/n)
	if nearest != nil && s.Row != nil {
		c.Worst, c.Case = g.changed(s, nearest)
	}
	return c
}

// changed names the changes that make a row lose its label.
func (g *Gate) changed(s *report.Source, l *results.Line) (string, *Case) {
	c := &Case{
		Columns:  []string{fmt.Sprintf("row %d", l.Row), "changed"},
		Features: g.features(len(l.Adversarial)),
		Values:   [][]tabular.Value{s.Row(l.Row), l.Adversarial},
		Labels:   []string{l.Predicted.String(), l.AdversarialLabel.String()},
	}
	var changes []string
	for j, name := range c.Features {
		if c.differs(j) {
			changes = append(changes, fmt.Sprintf("%s from %v to %v", name,
				short(c.Values[0][j]), short(c.Values[1][j])))
		}
	}
	return fmt.Sprintf("Row %d, %s, becomes %s at distance %.4g: %s.", l.Row, c.Labels[0],
		c.Labels[1], *l.Distance, listed(changes)), c
}

// mostChanges is how many changed features a sentence names.
const mostChanges = 5

// listed joins changes, of which a sentence names some.
func listed(changes []string) string {
	if more := len(changes) - mostChanges; more > 0 {
		changes = append(changes[:mostChanges:mostChanges], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(changes, ", ")
}

// short writes a value for a sentence.
func short(v tabular.Value) string {
	if _, named := v.Word(); named {
		return v.String()
	}
	return fmt.Sprintf("%.6g", v.Number)
}

// sameRows compares labels with those of another model.
func (g *Gate) sameRows(ctx context.Context, rows []results.Asked, s *SameAs) error {
	begun := time.Now()
	name, model := filepath.Base(s.Model), g.Policy.file(s.Model)
	others, err := g.predict(ctx, "the labels of "+name, model)
	if err != nil {
		return err
	}
	differ, first := differing(rows, others)
	g.part("rows that "+name+" labels otherwise", model, Limits{AtMost: s.DiffersAt}, differ,
		len(rows), begun, fmt.Sprintf("%d of %d rows: row %d is %s, and %s by %s.", differ,
			len(rows), rows[first].Row, rows[first].Predicted, others[first].Predicted, name))
	return nil
}

// differing counts the rows that two models label otherwise, and returns the first.
func differing(rows, others []results.Asked) (count, first int) {
	for i := range rows {
		if rows[i].Predicted == others[i].Predicted {
			continue
		}
		if count++; count == 1 {
			first = i
		}
	}
	return count, first
}
