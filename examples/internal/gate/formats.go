package gate

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// WriteJSON writes the report as a JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// suites is the form that JUnit's readers take.
type suites struct {
	XMLName xml.Name `xml:"testsuites"`
	Suite   suite    `xml:"testsuite"`
}

type suite struct {
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Time     string     `xml:"time,attr"`
	Cases    []testCase `xml:"testcase"`
}

type testCase struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Time    string   `xml:"time,attr"`
	Failure *problem `xml:"failure,omitempty"`
	Error   *problem `xml:"error,omitempty"` // an open check is no failure, and no success
	Out     string   `xml:"system-out,omitempty"`
}

type problem struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the checks as tests of JUnit: a failing one is a failure, an open one an error.
func (r *Report) WriteJUnit(w io.Writer) error {
	s := suite{Name: "facet gate " + r.Policy, Time: fmt.Sprintf("%.3f", r.Seconds)}
	for _, c := range r.Checks {
		t := testCase{
			Class: "facet.gate", Name: c.Name, Time: fmt.Sprintf("%.3f", c.Seconds),
			Out: c.Found + ", wanted: " + c.Wants,
		}
		p := &problem{c.Found + ", wanted: " + c.Wants, c.Worst + "\n" + c.Command}
		switch c.Status {
		case Fail:
			t.Failure = p
			s.Failures++
		case Open:
			t.Error = p
			s.Errors++
		}
		s.Cases = append(s.Cases, t)
	}
	s.Tests = len(s.Cases)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(suites{Suite: s}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// WriteMarkdown writes a text to paste into a pull request: the verdict, a table of the checks, and
// the worst cases.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n| | check | found | wanted |\n|---|---|---|---|\n",
		cell(r.Verdict()))
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.Status, cell(c.Name), cell(c.Found),
			cell(c.Wants))
	}
	for _, c := range r.Checks {
		if c.Status == Pass {
			continue
		}
		fmt.Fprintf(&b, "\n### %s %s\n\n", cell(c.Name), verdicts[c.Status])
		if c.Worst != "" {
			fmt.Fprintf(&b, "%s\n\n", cell(c.Worst))
		}
		c.Case.markdown(&b)
		fmt.Fprintf(&b, "```sh\n%s\n```\n", c.Command)
	}
	if r.Baseline != nil {
		fmt.Fprintf(&b, "\n### Beside %s, which is in service\n\n", cell(r.Baseline.Model))
		for _, line := range r.Baseline.lines() {
			fmt.Fprintf(&b, "- %s\n", cell(line))
		}
		b.WriteString("\n")
		r.Baseline.Case.markdown(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown writes the inputs of a case as a table.
func (c *Case) markdown(b *strings.Builder) {
	if c == nil {
		return
	}
	for i, row := range c.rows() {
		for len(row) <= len(c.Columns) {
			row = append(row, "")
		}
		for j := range row {
			row[j] = cell(strings.TrimSpace(row[j]))
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(b, "|%s\n", strings.Repeat("---|", len(row)))
		}
	}
	b.WriteString("\n")
}

// cell is text as a cell of a table of Markdown has it.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "\n", " ").
		Replace(text)
}
