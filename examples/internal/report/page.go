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
		"add":  func(a, b float64) float64 { return a + b },
		"rows": rowsOf, "brief": brief,
	}).Parse(text)
	if err != nil {
		return err
	}
	return t.Execute(w, newPage(s))
}

// brief shortens a name for a picture, whose table has all of it.
func brief(name string) string {
	const most, end = 26, 8
	if letters := []rune(name); len(letters) > most {
		return string(letters[:most-end-1]) + "…" + string(letters[len(letters)-end:])
	}
	return name
}
