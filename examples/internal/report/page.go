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
		"brief": brief, "number": number, "rows": rowsOf, "said": said, "share": share,
		"width": func(part, all int) float64 { return 400 * float64(part) / float64(all) },
	}).Parse(text)
	if err != nil {
		return err
	}
	return t.Execute(w, newPage(s))
}
