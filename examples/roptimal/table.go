package main

import (
	"fmt"
	"io"
)

// writeTable prints a line for each size, and one for the rule.
func (e *experiment) writeTable(w io.Writer, rule *rule, results []*result) error {
	lines := []string{
		fmt.Sprintf("mixture of four normal distributions, two labels; r = %g in the l-2 norm", radius),
		fmt.Sprintf("%d test points, attacked exactly; means of %d training sets", e.tested, e.repeats),
		"",
		"                          1-NN                1-NN, pruned",
		"training    kept   accuracy  astuteness   accuracy  astuteness",
	}
	for _, r := range results[1:] {
		lines = append(lines, fmt.Sprintf("%8d   %.3f      %.3f       %.3f      %.3f       %.3f",
			r.size, r.kept, r.plain.accuracy, r.plain.astuteness, r.pruned.accuracy, r.pruned.astuteness))
	}
	optimal := results[0].pruned
	lines = append(lines,
		fmt.Sprintf("r-optimal rule                                %.3f       %.3f", optimal.accuracy, optimal.astuteness),
		"",
		fmt.Sprintf("The astuteness of the r-optimal rule is between %.4f and %.4f: no classifier's is larger.", rule.least, rule.most),
		fmt.Sprintf("The rule in the table was computed on squares of side %.4f, with certificates.", rule.side),
		"",
	)
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
