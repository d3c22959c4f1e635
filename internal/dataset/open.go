package dataset

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
)

// readFile hands the contents of a file, uncompressed, to read.
func readFile(path string, compressed bool, read func(io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err // names the file
	}
	defer f.Close()
	if !compressed {
		return read(bufio.NewReader(f))
	}
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		return &InputError{File: path, Err: err}
	}
	return read(z)
}
