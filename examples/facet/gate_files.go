package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/gate"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// gateFormat is a format of a gate's report.
type gateFormat struct {
	name, title string
	endings     []string // of files that have it
	write       func(g *gate.Gate, r *gate.Report, w io.Writer) error
}

var gateFormats = []gateFormat{
	{"markdown", "Markdown", []string{".md", ".markdown"},
		func(_ *gate.Gate, r *gate.Report, w io.Writer) error { return r.WriteMarkdown(w) }},
	{"junit", "JUnit", []string{".xml"},
		func(_ *gate.Gate, r *gate.Report, w io.Writer) error { return r.WriteJUnit(w) }},
	{"json", "JSON", []string{".json", outfile.Stdout},
		func(_ *gate.Gate, r *gate.Report, w io.Writer) error { return r.WriteJSON(w) }},
	{"report", "page", []string{".html", ".htm"},
		func(g *gate.Gate, _ *gate.Report, w io.Writer) error { return g.Page().Write(w) }},
}

// gateFile is a file that a gate writes.
type gateFile struct {
	path   string
	format *gateFormat
}

// gateFiles is the value of --out of facet gate, which may be given more than once.
type gateFiles []gateFile

func (l *gateFiles) String() string { return "" }

func (l *gateFiles) Type() string { return "file" }

// Set takes up a file, whose format is named before it, or told by its ending.
func (l *gateFiles) Set(text string) error {
	name, path, named := strings.Cut(text, ":")
	for i := range gateFormats {
		f := &gateFormats[i]
		if named && name == f.name {
			if path == "" {
				return errors.New("it names no file")
			}
			*l = append(*l, gateFile{path, f})
			return nil
		}
	}
	for i := range gateFormats {
		for _, ending := range gateFormats[i].endings {
			if text == ending || strings.EqualFold(filepath.Ext(text), ending) {
				*l = append(*l, gateFile{text, &gateFormats[i]})
				return nil
			}
		}
	}
	return fmt.Errorf("it ends in none of .md, .xml, .json and .html, which say what is written: "+
		"markdown:%[1]s, junit:%[1]s, json:%[1]s or report:%[1]s does, too", text)
}

// paths returns the files.
func (l gateFiles) paths() (paths []string) {
	for _, f := range l {
		paths = append(paths, f.path)
	}
	return paths
}

// outputs returns the files to check before there is any work.
func (l gateFiles) outputs() (list []outfile.Output) {
	for _, path := range l.paths() {
		list = append(list, outfile.Output{Flag: "out", Path: path})
	}
	return list
}

// havePage reports whether one of the files is a page.
func (l gateFiles) havePage() bool {
	return slices.ContainsFunc(l, func(f gateFile) bool { return f.format.name == "report" })
}

// write writes all files.
func (l gateFiles) write(g *gate.Gate, r *gate.Report) error {
	for _, f := range l {
		err := outfile.Write(f.path, func(w io.Writer) error { return f.format.write(g, r, w) })
		if err != nil {
			return err
		}
	}
	return nil
}

// print says where the files are.
func (l gateFiles) print(t command.Table) {
	for _, f := range l {
		t.Written(f.format.title, f.path)
	}
}
