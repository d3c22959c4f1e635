package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// lines walks over the lines of a text file and knows where it is.
type lines struct {
	file    string
	scanner *bufio.Scanner
	number  int // of the current line, from 1
}

func newLines(r io.Reader, file string) *lines {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	return &lines{file: file, scanner: s}
}

// next moves to the next line that is not blank and returns it without
// surrounding space. The bytes are valid until the following call.
func (l *lines) next() ([]byte, bool) {
	for l.scanner.Scan() {
		l.number++
		line := l.scanner.Bytes()
		if l.number == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // byte order mark of Windows editors
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, true
		}
	}
	return nil, false
}

// fail places err at the current line.
func (l *lines) fail(err error) error {
	return &InputError{File: l.file, Line: l.number, Err: err}
}

// err returns what ended the walk, nil at the end of the file.
func (l *lines) err() error {
	err := l.scanner.Err()
	if err == nil {
		return nil
	}
	l.number++
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("%w: the line has more than %d bytes", ErrTooLarge, maxLine)
	}
	return l.fail(err)
}
