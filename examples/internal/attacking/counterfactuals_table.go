package attacking

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// mostShown is the number of rows whose counterfactuals are printed.
const mostShown = 10

// printCounterfactuals prints what would have changed the label of the first rows.
func (e *evaluation) printCounterfactuals(w io.Writer, lines []results.Line) error {
	if e.all == nil {
		return nil
	}
	lines = slices.DeleteFunc(slices.Clone(lines),
		func(l results.Line) bool { return !l.Attacked() })
	slices.SortFunc(lines, func(a, b results.Line) int { return cmp.Compare(a.Row, b.Row) })
	for _, l := range lines[:min(len(lines), mostShown)] {
		fmt.Fprintf(w, "\nrow %d is predicted %v; %s\n", l.Row, l.Predicted, nothing(&l))
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

// nothing says how many answers a row has.
func nothing(l *results.Line) string {
	switch {
	case len(l.Counterfactuals) > 0:
		return "it would be predicted"
	case l.Optimal:
		return "no input that the rules allow is anything else"
	}
	return "no other was found in time"
}

// others says what is known of answers beyond those of a row that has some.
func others(l *results.Line) string {
	switch {
	case len(l.Counterfactuals) == 0:
		return ""
	case l.Others == results.NoOthers:
		return "No other features would do.\n"
	case l.Others == results.UnknownOthers:
		return "Whether other features would do was not found out in time.\n"
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
