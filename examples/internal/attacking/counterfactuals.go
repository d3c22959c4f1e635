package attacking

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// counterfactuals is an attack that keeps the answers beyond the first.
type counterfactuals struct {
	*attack.RegionBased
	most int
	all  attack.Counterfactuals // of the row that was attacked
}

// Perturb implements attack.Attack.
func (c *counterfactuals) Perturb(ctx context.Context, x []float64) (r attack.Result, err error) {
	c.all, err = c.Counterfactuals(ctx, x, c.most)
	return first(c.all), err
}

// first returns the nearest counterfactual, or the proven bound if there is none.
func first(all attack.Counterfactuals) attack.Result {
	if len(all.Found) > 0 {
		return all.Found[0]
	}
	return attack.Result{
		Label: -1, Distance: math.Inf(1), Bound: all.Bound, Status: all.Status,
		Nodes: all.Nodes, Solves: all.Solves,
	}
}

// addCounterfactuals adds the answers for a row to its line.
func (e *evaluation) addCounterfactuals(l *results.Line, row int, c *counterfactuals) {
	x, raw := e.data.Test.Row(row)
	if len(c.all.Found) < c.most {
		if l.Others = results.UnknownOthers; c.all.Status == attack.StatusNone {
			l.Others = results.NoOthers
		}
	}
	for _, r := range c.all.Found {
		z := e.data.Unscale(row, r.Example, r.Label, e.box)
		l.Counterfactuals = append(l.Counterfactuals, results.Counterfactual{
			Label: e.classes[r.Label], Distance: r.Distance, Bound: finite(r.Bound),
			Optimal: r.Optimal(), Example: e.data.Words.Row(z),
			Changes: e.moves.Changes(e.Measure.Changes, x, r.Example, raw, e.short(x, z, r.Label),
				e.data.Names, e.data.Words),
		})
	}
}

// short returns an example in numbers that people can say: a little farther than z, within the
// rules, and of the same label. It is z itself if there are none, and for distances of scaled
// features.
func (e *evaluation) short(x, z []float64, label int) []float64 {
	if e.data.Scaling != nil {
		return z
	}
	moves := e.moves.From(attack.Options{Domain: e.moves.Domain}, x).Moves()
	for _, part := range []float64{1e-3, 1e-6, 1e-9} {
		near := slices.Clone(z)
		for j, f := range e.moves.Features {
			if z[j] != x[j] && f.Step == 0 && f.Group == 0 && !f.Categorical {
				near[j] = outward(x[j], z[j], part)
			}
		}
		if e.data.Classifier.Predict(near) == label && moves.Broken(near) == nil {
			return near
		}
	}
	return z
}

// outward returns the number of the fewest digits that is at least as far from x as z is, and
// farther by at most a part of that.
func outward(x, z, part float64) float64 {
	for digits := range 17 {
		v, _ := strconv.ParseFloat(strconv.FormatFloat(z, 'g', digits+1, 64), 64)
		if unit := math.Pow(
			10, math.Floor(math.Log10(math.Abs(z)))-float64(digits),
		); math.Abs(v-x) < math.Abs(z-x) {
			// It was rounded towards x: one unit of the last digit on.
			v, _ = strconv.ParseFloat(
				strconv.FormatFloat(v+math.Copysign(unit, z-x), 'g', digits+1, 64), 64,
			)
		}
		if far := math.Abs(v - x); far >= math.Abs(z-x) && far <= (1+part)*math.Abs(z-x) &&
			(v > x) == (z > x) {
			return v
		}
	}
	return z
}

// mostShown is the number of rows whose counterfactuals are printed.
const mostShown = 10

// printCounterfactuals prints the changes that give the first rows another label.
func (e *evaluation) printCounterfactuals(w io.Writer, lines []results.Line) error {
	lines = slices.DeleteFunc(slices.Clone(lines),
		func(l results.Line) bool { return !l.Attacked() })
	slices.SortFunc(lines, func(a, b results.Line) int { return cmp.Compare(a.Row, b.Row) })
	for _, l := range lines[:min(len(lines), mostShown)] {
		fmt.Fprintf(w, "\nrow %d is predicted %v; %s\n", l.Row, l.Predicted, e.finding(&l))
		for i, c := range l.Counterfactuals {
			proven := "the nearest there is"
			switch {
			case i > 0 && c.Optimal:
				proven = "the nearest of other features"
			case !c.Optimal && c.Bound != nil:
				proven = "none is nearer than " + number(c.Bound)
			}
			fmt.Fprintf(w, "%d) %v, at a distance of %s, %s:\n",
				i+1, c.Label, number(&c.Distance), proven)
			if err := printChanges(w, &c); err != nil {
				return err
			}
		}
		fmt.Fprint(w, others(&l))
	}
	if more := len(lines) - mostShown; more > 0 {
		where := "; --out FILE keeps them"
		if e.out != "" {
			where = ", in " + e.out
		}
		fmt.Fprintf(w, "\n%d more rows%s\n", more, where)
	}
	return nil
}

// finding says whether a row has answers.
func (e *evaluation) finding(l *results.Line) string {
	switch {
	case len(l.Counterfactuals) > 0:
		return "it would be predicted"
	case l.Optimal:
		return fmt.Sprintf("%s has %s", e.meta().None(), e.meta().Sought())
	}
	return "no other was found"
}

// others says whether a row that has answers may have more.
func others(l *results.Line) string {
	switch {
	case len(l.Counterfactuals) == 0:
		return ""
	case l.Others == results.NoOthers:
		return "No other features would do.\n"
	case l.Others == results.UnknownOthers:
		return "Whether other features would do is not known.\n"
	}
	return ""
}

func printChanges(w io.Writer, c *results.Counterfactual) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "   feature\tfrom\tto\tcost")
	for _, one := range c.Changes {
		fmt.Fprintf(t, "   %s\t%s\t%s\t%.4g\n",
			one.Feature, value(one.From), value(one.To), one.Cost)
	}
	return t.Flush()
}

// value shows a number with as many digits as people look at, or a category.
func value(v any) string {
	if number, ok := v.(float64); ok {
		return strconv.FormatFloat(number, 'g', 8, 64)
	}
	return fmt.Sprint(v)
}
