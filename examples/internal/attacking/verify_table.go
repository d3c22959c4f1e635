package attacking

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// print writes the properties for people to read.
func (v *verifying) print(w io.Writer) error {
	for i, line := range v.lines {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := v.printOne(w, line); err != nil {
			return err
		}
	}
	return nil
}

// printOne writes a property: whether it holds, the proven bound, and the pair.
func (v *verifying) printOne(w io.Writer, line *verdict) error {
	holds := "is open: a limit ended the search"
	switch {
	case line.Holds != nil && *line.Holds && line.rounded:
		holds = "holds but for rounding"
	case line.Holds != nil && *line.Holds:
		holds = "holds"
	case line.Holds != nil:
		holds = "does not hold"
	}
	fmt.Fprintf(w, "%s: %s\n", line.Name, holds)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	switch {
	case line.Outputs != nil && line.Other == nil:
		fmt.Fprintf(t, "  most extreme output\t%s proven\n", number(line.Bound))
	case line.X != nil:
		fmt.Fprintf(t, "  difference of %s\t%s, of any pair at most %s\n",
			v.compares(), number(line.Difference), number(line.Bound))
	case line.Bound != nil:
		fmt.Fprintf(t, "  difference of %s\tat most %s\n", v.compares(), number(line.Bound))
	}
	if line.Class != nil {
		fmt.Fprintf(t, "  outputs of label\t%v\n", line.Class)
	}
	if line.Rounding > 0 {
		fmt.Fprintf(t, "  more by rounding\tat most %s\n", number(&line.Rounding))
	}
	fmt.Fprintf(t, "  time\t%.3g s\n", line.Seconds)
	if line.X != nil {
		v.printPair(t, line.columns, &line.Pair)
	}
	if err := t.Flush(); err != nil || line.Changing == nil {
		return err
	}
	c := line.Changing
	fmt.Fprintf(w, "with two labels: difference of outputs %s", number(&c.Difference))
	if c.Class != nil {
		fmt.Fprintf(w, ", of label %v", c.Class)
	}
	if c.Status == attack.StatusOptimal.String() {
		fmt.Fprint(w, ", the largest of any pair")
	}
	fmt.Fprintln(w)
	v.printPair(t, line.columns, &c.Pair)
	return t.Flush()
}

// compares names the numbers that are compared: the sums of the trees, where they are not outputs
// yet.
func (v *verifying) compares() string {
	if v.model.linked {
		return "sums"
	}
	return "outputs"
}

// mostShared is how many features that both inputs share are printed.
const mostShared = 30

// printPair writes both inputs beside each other, and marks the features that differ.
func (v *verifying) printPair(w io.Writer, columns [2]string, line *results.Pair) {
	inputs := [][]tabular.Value{line.X}
	if line.Other != nil {
		inputs = append(inputs, line.Other)
		fmt.Fprintf(w, "  \t%s\t%s\n", columns[0], columns[1])
	}
	fmt.Fprint(w, "  output")
	for i := range line.Outputs {
		fmt.Fprintf(w, "\t%s", number(&line.Outputs[i]))
	}
	if line.Labels != nil {
		fmt.Fprint(w, "\n  label")
		for _, label := range line.Labels {
			fmt.Fprintf(w, "\t%v", label)
		}
	}
	fmt.Fprintln(w)
	shared := 0
	for j := range line.X {
		mark := " "
		if line.Other != nil && differ(line.X[j], line.Other[j]) {
			mark = "*"
		} else if shared++; shared > mostShared {
			continue
		}
		fmt.Fprintf(w, "%s %s", mark, costs.Name(v.model.names, j))
		for _, x := range inputs {
			fmt.Fprintf(w, "\t%s", x[j])
		}
		fmt.Fprintln(w)
	}
	if shared > mostShared {
		fmt.Fprintf(w, "  and %d more\n", shared-mostShared)
	}
}

// differ reports whether two values are not the same to the last bit.
func differ(x, other tabular.Value) bool {
	return math.Float64bits(x.Number) != math.Float64bits(other.Number)
}
