package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
)

// print prints what was measured and where the points are.
func (s *settings) print(w io.Writer, subjects []*subject) error {
	fmt.Fprintf(w, "data: %s\n", subjects[0].Data.Describe())
	fmt.Fprintf(w, "attack: exact, %s\n\n", s.Limit())
	table := newTable(w, "k\tnorm\taccuracy\tproven\tmean distance\tmean bound\tgap of the rest\tmedian ms\tmean ms\tworst ms\tnodes\tprograms\tMiB\t")
	for _, t := range subjects {
		fmt.Fprintf(table, "%d\t%v\t%.4g\t%d of %d\t%s\t%s\t%s\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%d\t\n",
			t.k, s.Norm, t.Accuracy, t.Optimal, t.Attacked, trial.Mean(t.Mean), trial.Mean(t.Bound), percent(t.Gap),
			t.Median, t.Average, t.Most, t.Nodes, t.Programs, t.memory)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, t := range subjects {
		if without := t.Without(); without != "" {
			fmt.Fprintf(w, "k = %d: means%s\n", t.k, without)
		}
	}
	_, err := fmt.Fprintf(w, "\npoints written to %s\n", s.Out)
	return err
}

// newTable begins a table with this line.
func newTable(w io.Writer, head string) *tabwriter.Writer {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, head)
	return table
}

// percent shows a share, or that there is none.
func percent(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.2f %%", 100*v)
}
