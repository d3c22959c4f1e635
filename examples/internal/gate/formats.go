package gate

import (
	_ "embed"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"text/template"
)

// WriteJSON writes the report as a JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

//go:embed formats.tmpl
var formats string

// write writes the report in a format of formats.tmpl.
func (r *Report) write(w io.Writer, format string) error {
	t, err := template.New("").Funcs(template.FuncMap{
		"becomes": func(s Status) string { return verdicts[s] },
		"cell":    cell,
		"junit":   func(s Status) string { return problems[s] },
		"line": func(row []string) string {
			return strings.TrimRight(strings.Join(row, "\t"), "\t")
		},
		"xml": func(text string) (string, error) {
			var b strings.Builder
			err := xml.EscapeText(&b, []byte(text))
			return b.String(), err
		},
	}).Parse(formats)
	if err != nil {
		return err
	}
	return t.ExecuteTemplate(w, format, r)
}

// problems are how JUnit names checks that do not pass: an open one is no failure, and no success.
var problems = map[Status]string{Fail: "failure", Open: "error"}

// WriteJUnit writes the checks as tests of JUnit.
func (r *Report) WriteJUnit(w io.Writer) error { return r.write(w, "junit") }

// WriteMarkdown writes a text to paste into a pull request: the verdict, a table of the checks, and
// the worst cases.
func (r *Report) WriteMarkdown(w io.Writer) error { return r.write(w, "markdown") }

// Print writes the verdict, a table of the checks, and the worst case of each that fails.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if err := r.write(t, "text"); err != nil {
		return err
	}
	return t.Flush()
}

// cell is text as a cell of a table of Markdown has it.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "\n", " ").
		Replace(strings.TrimSpace(text))
}

// verdicts are the words for the outcome of a check, or of all.
var verdicts = map[Status]string{Pass: "passes", Fail: "fails", Open: "is open"}

// Count returns how many checks have the status.
func (r *Report) Count(s Status) (count int) {
	for _, c := range r.Checks {
		if c.Status == s {
			count++
		}
	}
	return count
}

// Unmet returns the checks that do not pass.
func (r *Report) Unmet() (list []*Check) {
	for _, c := range r.Checks {
		if c.Status != Pass {
			list = append(list, c)
		}
	}
	return list
}

// Verdict is a sentence about the outcome of the checks.
func (r *Report) Verdict() string {
	return fmt.Sprintf("%s %s: of %d checks %d pass, %d fail, %d are open", r.Model,
		verdicts[r.Status], len(r.Checks), r.Count(Pass), r.Count(Fail), r.Count(Open))
}

// Outcome is the finding of a check, and the wanted one.
func (c *Check) Outcome() string { return c.Found + ", wanted: " + c.Wants }

// mostShared is how many features that both inputs share are shown.
const mostShared = 12

// Rows is a case as a table: a line for each feature, those that differ first.
func (c *Case) Rows() [][]string {
	rows := [][]string{append([]string{""}, c.Columns...)}
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
	feature := func(before string, j int) {
		add(before+c.Features[j], func(i int) string { return short(c.Values[i][j]) })
	}
	var shared []int
	for j := range c.Features {
		if c.differs(j) {
			feature("* ", j)
		} else {
			shared = append(shared, j)
		}
	}
	for _, j := range shared[:min(len(shared), mostShared)] {
		feature("  ", j)
	}
	if more := len(shared) - mostShared; more > 0 {
		last := make([]string, 1+len(c.Columns))
		last[0] = fmt.Sprintf("  and %d more", more)
		rows = append(rows, last)
	}
	return rows
}

// Lines are sentences about the differences from the model in service.
func (b *Compared) Lines() (lines []string) {
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
