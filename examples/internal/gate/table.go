package gate

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// verdicts say what became of a check, or of all.
var verdicts = map[Status]string{Pass: "passes", Fail: "fails", Open: "is open"}

// Verdict says in a sentence what became of the checks.
func (r *Report) Verdict() string {
	count := make(map[Status]int)
	for _, c := range r.Checks {
		count[c.Status]++
	}
	return fmt.Sprintf("%s %s: of %d checks %d pass, %d fail, %d are open", r.Model,
		verdicts[r.Status], len(r.Checks), count[Pass], count[Fail],
		count[Open])
}

// Print writes the verdict, a table of the checks, and the worst case of each that fails.
func (r *Report) Print(w io.Writer) error {
	fmt.Fprintf(w, "%s\n\n", r.Verdict())
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range r.Checks {
		fmt.Fprintf(t, "%s\t%s\t%s\twanted: %s\n", c.Status, c.Name, c.Found, c.Wants)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, c := range r.Checks {
		if c.Status == Pass {
			continue
		}
		fmt.Fprintf(w, "\n%s %s\n", c.Name, verdicts[c.Status])
		if c.Worst != "" {
			fmt.Fprintf(w, "  %s\n", c.Worst)
		}
		c.Case.print(w)
		fmt.Fprintf(w, "  alone: %s\n", c.Command)
	}
	r.Baseline.print(w)
	return nil
}

// print writes the inputs of a case beside each other.
func (c *Case) print(w io.Writer) {
	if c == nil {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range c.rows() {
		fmt.Fprintf(t, "    %s\n", strings.Join(row, "\t"))
	}
	t.Flush()
}

// mostShared is how many features that both inputs share are shown.
const mostShared = 12

// rows is a case as a table: a line for each feature, those that differ first.
func (c *Case) rows() [][]string {
	head := []string{""}
	head = append(head, c.Columns...)
	rows := [][]string{head}
	add := func(name string, value func(i int) string) {
		row := []string{name}
		for i := range c.Columns {
			row = append(row, value(min(i, len(c.Values)-1)))
		}
		rows = append(rows, row)
	}
	if len(c.Labels) >= len(c.Columns) {
		add("label", func(i int) string { return c.Labels[i] })
	}
	if len(c.Outputs) >= len(c.Columns) {
		add("output", func(i int) string { return fmt.Sprintf("%.6g", c.Outputs[i]) })
	}
	changed, shared := c.Changed(), 0
	differs := make(map[int]bool, len(changed))
	for _, j := range changed {
		differs[j] = true
		if len(c.Values) > 1 {
			add("* "+c.Features[j], func(i int) string { return short(c.Values[i][j]) })
		}
	}
	for j := range c.Features {
		if len(c.Values) > 1 && differs[j] {
			continue
		}
		if shared++; shared <= mostShared {
			add("  "+c.Features[j], func(i int) string { return short(c.Values[i][j]) })
		}
	}
	if shared > mostShared {
		rows = append(rows, []string{fmt.Sprintf("  and %d more", shared-mostShared)})
	}
	return rows
}

// print writes how a model differs from that in service.
func (b *Compared) print(w io.Writer) {
	if b == nil {
		return
	}
	fmt.Fprintf(w, "\nbeside %s, which is in service\n", b.Model)
	for _, line := range b.lines() {
		fmt.Fprintf(w, "  %s\n", line)
	}
	b.Case.print(w)
}

// lines says in sentences what differs.
func (b *Compared) lines() (lines []string) {
	if b.Accuracy != nil {
		lines = append(lines, fmt.Sprintf("accuracy %.4g, in service %.4g", b.Accuracy[1],
			b.Accuracy[0]))
	}
	if b.Differ != nil {
		lines = append(lines, fmt.Sprintf("%d of %d rows get another label", *b.Differ, b.Rows))
	}
	switch b.Everywhere {
	case "yes":
		lines = append(lines, b.Inputs+" get the same label, which is proven")
	case "no":
		lines = append(lines, "not "+b.Inputs+" get the same label: "+b.Example)
	default:
		lines = append(lines, "whether "+b.Inputs+" get the same label is open")
	}
	return lines
}
