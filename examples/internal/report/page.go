package report

import (
	_ "embed"
	"html/template"
	"io"
)

//go:embed page.html
var text string

// Write writes the page.
func (s *Source) Write(w io.Writer) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"rows": rowsOf, "brief": brief,
	}).Parse(text)
	if err != nil {
		return err
	}
	return t.Execute(w, newPage(s))
}
