// Package proofs is the file that facet attack --proofs writes: one proof after another, each whole
// as soon as its row is done.
package proofs

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// File is a file of proofs that is being written.
type File struct {
	file    *os.File
	path    string       // "" for a device or a pipe
	zip     *gzip.Writer // nil for a plain file
	written map[int]bool // rows that have a proof
	Proofs  int
}

// Open begins a file of proofs about a model, and others that are to accept, gzipped if its name
// ends in .gz, or continues one: then whole proofs stay, and one that was cut off goes.
func Open(path string, resume bool, models ...[32]byte) (*File, error) {
	var begin bytes.Buffer
	if _, err := proof.NewWriter(&begin, models...).Write(nil); err != nil {
		return nil, err
	}
	f, kept := &File{written: make(map[int]bool)}, []byte(nil)
	if resume {
		var err error
		if kept, err = f.keep(path, begin.Bytes()); err != nil {
			return nil, err
		}
	}
	beside := path // where it is made
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		f.file, err = os.Create(path)
		if err != nil {
			return nil, err
		}
	} else {
		if f.file, err = os.CreateTemp(filepath.Dir(path), ".*.proofs"); err != nil {
			return nil, err
		}
		beside = f.file.Name()
	}
	if strings.HasSuffix(path, ".gz") {
		f.zip = gzip.NewWriter(f.file)
	}
	err := f.write(append(begin.Bytes(), kept...))
	if err == nil && beside != path {
		f.path = path
		err = errors.Join(f.file.Chmod(0o644), os.Rename(beside, path))
	}
	if err != nil {
		err = errors.Join(err, f.file.Close())
		if beside != path { // never a device or a pipe
			err = errors.Join(err, os.Remove(beside))
		}
		return nil, err
	}
	return f, nil
}

// keep returns the whole proofs of a file, nil if there are none.
func (f *File) keep(path string, begin []byte) ([]byte, error) {
	text, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(text, begin) && len(text) >= len(begin) {
		return nil, fmt.Errorf("%s is about another model, or holds no proofs", path)
	}
	text = text[min(len(begin), len(text)):]
	end := bytes.LastIndex(text, []byte("\nend\n"))
	if end < 0 {
		return nil, nil
	}
	text = text[:end+len("\nend\n")]
	for line := range bytes.Lines(text) {
		if number, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("proof row ")); ok {
			row, err := strconv.Atoi(string(number))
			if err != nil || f.written[row] {
				return nil, fmt.Errorf("%s: %q names no row, or one that has a proof", path, line)
			}
			f.written[row] = true
		}
	}
	f.Proofs = bytes.Count(text, []byte("\nend\n"))
	return text, nil
}

// read returns the contents of a file, as far as they go if it was cut off.
func read(path string) ([]byte, error) {
	file, err := dataset.Open(path)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return text, err
}

// Add writes the proofs about a row, of which the first gets its name, unless they are there. An
// empty one, of a bound of 0, is none.
func (f *File) Add(row int, text []byte) error {
	if len(text) == 0 || f.written[row] {
		return nil
	}
	f.written[row] = true
	f.Proofs += bytes.Count(text, []byte("\nend\n"))
	name := fmt.Appendf(nil, "proof row %d\n", row)
	return f.write(append(name, bytes.TrimPrefix(text, []byte("proof\n"))...))
}

// write writes so much, down to the file.
func (f *File) write(text []byte) error {
	if f.zip == nil {
		_, err := f.file.Write(text)
		return err
	}
	_, err := f.zip.Write(text)
	return errors.Join(err, f.zip.Flush())
}

// Close ends the file. One without any proof would be refused, and is removed.
func (f *File) Close() error {
	var err error
	if f.zip != nil {
		err = f.zip.Close()
	}
	err = errors.Join(err, f.file.Close())
	if f.Proofs == 0 && f.path != "" {
		err = errors.Join(err, os.Remove(f.path))
	}
	return err
}

// ModelPath is where the model of a file of proofs is, unless checkers read that of the run.
func ModelPath(path string) string { return strings.TrimSuffix(path, ".gz") + ".model.json" }

// ReadModel reads the file of a model as checkers of proofs do.
func ReadModel(path string) (*proof.Model, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return proof.ReadModel(file)
}
