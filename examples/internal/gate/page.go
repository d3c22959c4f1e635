package gate

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/seed-1a7dc1f9/facet/examples/internal/report"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// ReadReport reads a report that WriteJSON wrote.
func ReadReport(path string) (*Report, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := new(Report)
	if err := json.Unmarshal(text, r); err != nil || r.Checks == nil {
		return nil, fmt.Errorf("%s is no file of facet gate --out FILE.json", path)
	}
	return r, nil
}

// Sections are the checks as parts of a page: the table, and the worst cases.
func (r *Report) Sections() []report.Section {
	checks := report.Table{About: "Checks", Head: []string{"verdict", "check", "found", "wanted"}}
	for _, c := range r.Checks {
		checks.Rows = append(checks.Rows, []string{string(c.Status), c.Name, c.Found, c.Wants})
	}
	list := []report.Section{{
		Title: "The gate " + verdicts[r.Status], Says: []string{r.Verdict() + "."},
		Tables: []report.Table{checks},
	}}
	for _, c := range r.Unmet() {
		s := report.Section{Title: c.Name + " " + verdicts[c.Status], Code: c.Command}
		if c.Worst != "" {
			s.Says = []string{c.Worst}
		}
		s.Tables = c.Case.tables()
		list = append(list, s)
	}
	if b := r.Baseline; b != nil {
		list = append(list, report.Section{
			Title: "Beside the model in service", Says: b.Lines(), Tables: b.Case.tables(),
		})
	}
	return list
}

// tables is a case as a table of a page.
func (c *Case) tables() []report.Table {
	if c == nil {
		return nil
	}
	rows := c.Rows()
	rows[0][0] = "feature"
	return []report.Table{{About: "The inputs", Head: rows[0], Rows: rows[1:]}}
}

// ReadProperties reads a file of facet verify and makes a section of it, with the names of the
// features, if they have any.
func ReadProperties(path string, names []string) (s report.Section, err error) {
	lines, err := readLines[results.Property](path)
	if err != nil || len(lines) == 0 || lines[0].Name == "" {
		return s, fmt.Errorf("%s is no file of facet verify", path)
	}
	s.Title = "What facet verify was asked"
	t := report.Table{About: "Properties", Head: []string{"property", "verdict", "proven at most"}}
	for _, l := range lines {
		holds, bound := "open", "–"
		if l.Holds != nil {
			holds = map[bool]string{true: "holds", false: "does not hold"}[*l.Holds]
		}
		if l.Bound != nil {
			bound = fmt.Sprintf("%.6g", *l.Bound)
		}
		t.Rows = append(t.Rows, []string{l.Name, holds, bound})
	}
	s.Tables = append(s.Tables, t)
	for _, l := range lines {
		shown := l.Shown()
		if l.Holds == nil || *l.Holds || shown.X == nil {
			continue
		}
		g := Gate{names: names}
		c := g.paired(shown, []string{"x", "other"}[:1+min(1, len(shown.Other))])
		tables := c.tables()
		tables[0].About = l.Name
		s.Tables = append(s.Tables, tables...)
	}
	return s, nil
}
