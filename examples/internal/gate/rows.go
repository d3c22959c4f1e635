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
		g.add(g.accuracy(rows, *p.Accuracy), begun)
	}
	if err := g.classes(rows); err != nil {
		return command.Misuse(err)
	}
	shares, err := g.certify(ctx, g.Model)
	if err != nil {
		return err
	}
	for i, s := range shares {
		c := &Check{
			Name: "certified at " + about(&p.Certified[i]), Command: s.command,
			Worst: s.worst, Case: s.example, Seconds: s.seconds,
		}
		c.within(Limits{AtLeast: &p.Certified[i].AtLeast}, s.low, s.high)
		if c.Status == Pass {
			c.Worst, c.Case = "", nil
		}
		g.report.Checks = append(g.report.Checks, c)
	}
	if s := p.SameAs; s != nil && s.DiffersAt != nil {
		if err := g.sameRows(ctx, rows, s); err != nil {
			return err
		}
	}
	return g.noWorse(ctx, rows, shares)
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

func (g *Gate) accuracy(rows []results.Asked, l Limits) *Check {
	c := &Check{Name: "accuracy", Command: shell(g.predicting(g.Model)...)}
	share := float64(right(rows)) / float64(len(rows))
	c.within(l, share, share)
	if c.Status == Fail {
		c.Worst = fmt.Sprintf("%d of %d rows get another label than theirs.",
			len(rows)-right(rows), len(rows))
	}
	return c
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
		g.part("recall of "+class.Label, class.Recall, both, of, "rows of this label")
		g.part("precision of "+class.Label, class.Precision, both, as,
			"rows that are predicted this label")
	}
	return nil
}

// part adds the check of a share of some rows; nil limits ask about none.
func (g *Gate) part(name string, l *Limits, both, of int, rows string) {
	if l == nil {
		return
	}
	c := &Check{Name: name, Command: shell(g.predicting(g.Model)...)}
	if of == 0 { // a share of no rows may be anything
		c.within(*l, 0, 1)
		c.Found = "there are no " + rows
	} else {
		share := float64(both) / float64(of)
		c.within(*l, share, share)
	}
	if c.Status == Fail {
		c.Worst = fmt.Sprintf("%d of %d %s.", both, of, rows)
	}
	g.add(c, time.Now())
}

// certified is the answer of facet certify about all rows at one radius.
type certified struct {
	low, high float64 // the share of rows that are right and stay so
	command   string
	seconds   float64
	worst     string
	example   *Case
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

// certify asks for the certified shares of a model: radii that go by one measure at once.
func (g *Gate) certify(ctx context.Context, model string) ([]certified, error) {
	shares := make([]certified, len(g.Policy.Certified))
	done := make([]bool, len(shares))
	for i := range shares {
		if done[i] {
			continue
		}
		var radii []string
		var of []int
		for j := i; j < len(shares); j++ {
			if g.measure(j) == g.measure(i) {
				radii = append(radii, g.Policy.Certified[j].Radius)
				of, done[j] = append(of, j), true
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
			shares[j] = g.share(source, g.Policy.Certified[j].Radius)
			shares[j].command = shell(g.certifying(model, j, g.Policy.Certified[j].Radius)...)
			shares[j].seconds = time.Since(begun).Seconds() / float64(len(of))
		}
	}
	return shares, nil
}

// measure is what radii must have in common to be asked about at once.
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

// share counts the rows that keep their label within a radius, and finds the row that loses it
// nearest.
func (g *Gate) share(s *report.Source, radius string) (c certified) {
	at, _, _ := command.Part(radius) // which facet certify has read
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
	c.low, c.high = float64(yes)/n, float64(yes+undecided)/n
	if nearest != nil && s.Row != nil {
		c.worst, c.example = g.changed(s, nearest)
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
	for _, j := range c.Changed() {
		changes = append(changes, fmt.Sprintf("%s from %v to %v", c.Features[j],
			short(c.Values[0][j]), short(c.Values[1][j])))
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
	c := &Check{
		Name: "rows that " + name + " labels otherwise", Command: shell(g.predicting(model)...),
	}
	differ, first := differing(rows, others)
	share := float64(differ) / float64(len(rows))
	c.within(Limits{AtMost: s.DiffersAt}, share, share)
	if c.Status == Fail {
		c.Worst = fmt.Sprintf("%d of %d rows: row %d is %s, and %s by %s.", differ, len(rows),
			rows[first].Row, rows[first].Predicted, others[first].Predicted, name)
	}
	g.add(c, begun)
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
