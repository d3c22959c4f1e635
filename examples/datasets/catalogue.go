package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
)

// file is one that a publisher offers.
type file struct {
	base   string   // as protocol.Files names it
	suffix string   // of the compressed file that is offered
	places []string // folders on the web that have it, the publisher's first
	known  checksum // of the contents, or of the compressed file if it says so
}

// name is the path of the file within the folder of the data sets.
func (f *file) name() string { return f.base + f.suffix }

// urls returns where the file is offered.
func (f *file) urls(mirror string) []string {
	if mirror != "" {
		return []string{strings.TrimSuffix(mirror, "/") + "/" + f.name()}
	}
	var urls []string
	for _, place := range f.places {
		urls = append(urls, place+path.Base(f.name()))
	}
	return urls
}

// usedBy returns those of the sets that are read from the file.
func (f *file) usedBy(sets []string) []string {
	var users []string
	for _, set := range sets {
		if files, err := protocol.Files(set); err == nil && slices.Contains(files, f.base) {
			users = append(users, set)
		}
	}
	return users
}

// setNames are those of the paper's sets, and of the one that others compare robust trees on.
func setNames() []string {
	names := append(protocol.Names(), protocol.Covtype500)
	slices.Sort(names)
	return names
}

// filesOf returns those of the files that the sets are read from.
func filesOf(sets []string, files []*file) []*file {
	var needed []*file
	for _, f := range files {
		if len(f.usedBy(sets)) > 0 {
			needed = append(needed, f)
		}
	}
	return needed
}

// catalogueFile has all files, those of a set side by side: the suffix of the compressed file that
// is offered, what of it is checked, and the folders on the web that have it, the publisher's
// first. The checksums of Fashion-MNIST are published, of the compressed files; those of MNIST were
// taken of the contents of the published files; those of the LIBSVM files were taken of copies, of
// which that of australian is on record elsewhere too. Covtype is known by its rows.
//
//go:embed catalogue.tsv
var catalogueFile string

// catalogue returns all files. A fault in the table is one of the program, which every test meets.
func catalogue() (files []*file) {
	r := csv.NewReader(strings.NewReader(catalogueFile))
	r.Comma = '\t'
	rows, err := r.ReadAll()
	if err != nil {
		panic(err)
	}
	for _, row := range rows[1:] {
		known := checksum{hex: row[3], compressed: row[2] == "published"}
		if row[2] == "rows" {
			known.rows = protocol.CheckCovtype
		}
		files = append(files, &file{row[0], row[1], strings.Fields(row[4]), known})
	}
	return files
}

// checksum identifies a file: by the SHA-256 of its contents, uncompressed, or,
// where no other is on record, of the compressed file as it is published.
type checksum struct {
	hex        string
	compressed bool // of the file as it is published
	// rows returns the fault of the rows that r reads, of a file that is known by them: covtype,
	// which its publishers render differently. It is nil for others.
	rows func(ctx context.Context, r io.Reader, name string) error
}

// kind says which checksum is compared.
func (c checksum) kind() string {
	if c.rows != nil {
		return "rows"
	}
	return "SHA-256"
}

// mismatch is the error about a file that is not the one known: its checksum is
// another, its rows are, or it cannot be uncompressed.
type mismatch struct {
	got  string
	want checksum
	err  error
}

func (e *mismatch) Error() string {
	switch {
	case e.err == nil:
		return fmt.Sprintf("its %s is %s, where %s is known", e.want.kind(), e.got, e.want.hex)
	case e.want.rows != nil:
		return e.err.Error()
	}
	return fmt.Sprintf("it cannot be uncompressed: %v", e.err)
}

// check reads a file, and returns a *mismatch when it is not the one known.
func (c checksum) check(ctx context.Context, path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var r io.Reader = bytes.NewReader(content)
	if !c.compressed {
		r, err = dataset.Uncompressed(r)
	}
	got := ""
	switch {
	case err != nil:
	case c.rows != nil:
		err = c.rows(ctx, r, path)
	default:
		h := sha256.New()
		_, err = io.Copy(h, r)
		got = hex.EncodeToString(h.Sum(nil))
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return &mismatch{want: c, err: err}
	case got != c.hex:
		return &mismatch{got: got, want: c}
	}
	return nil
}
