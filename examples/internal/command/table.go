package command

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Table prints a name and a value a line, in two columns.
type Table struct{ *tabwriter.Writer }

// NewTable begins a table, which Flush prints.
func NewTable(w io.Writer) Table { return Table{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)} }

// Row adds a line.
func (t Table) Row(name, format string, values ...any) {
	fmt.Fprintf(t, name+"\t"+format+"\n", values...)
}

// Written adds where a file is, unless the path is empty.
func (t Table) Written(what, path string) {
	if path != "" {
		t.Row(what+" written to", "%s", path)
	}
}
