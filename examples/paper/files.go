package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// writeFiles writes the cells to the files that the flags name.
func (s *settings) writeFiles(all cells) error {
	for _, file := range []struct {
		flag, path string
		write      func(io.Writer, cells) error
	}{
		{"-json", s.json, writeJSON},
		{"-markdown", s.markdown, writeMarkdown},
	} {
		if file.path == "" {
			continue
		}
		err := outfile.Write(file.path, func(w io.Writer) error { return file.write(w, all) })
		if err != nil {
			return fmt.Errorf("%s: %w", file.flag, err)
		}
	}
	return nil
}

// line is a cell in a file of JSON.
type line struct {
	Table   int      `json:"table"`
	Dataset string   `json:"dataset"`
	Column  string   `json:"column"`
	Value   *float64 `json:"value"`   // null for no number
	Printed *float64 `json:"printed"` // likewise
}

// writeJSON writes an array with a line for each cell.
func writeJSON(w io.Writer, all cells) error {
	lines := make([]string, len(all))
	for i, c := range all {
		text, err := json.Marshal(c.line())
		if err != nil {
			return err
		}
		lines[i] = string(text)
	}
	_, err := fmt.Fprintf(w, "[\n%s\n]\n", strings.Join(lines, ",\n"))
	return err
}

func (c *cell) line() line {
	l := line{Table: c.table, Dataset: c.title, Column: c.column.name}
	if c.has() {
		l.Value = &c.value
	}
	if c.printed != nil {
		l.Printed = &c.printed.Value
	}
	return l
}
