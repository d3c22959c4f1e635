package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// eachLine hands the lines of a text file that are not blank, without surrounding
// space, to read, and places what it returns. The bytes are valid during the call.
func eachLine(r io.Reader, file string, read func(line []byte) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	number := 1
	for ; s.Scan(); number++ {
		line := s.Bytes()
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // byte order mark of Windows editors
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := read(line); err != nil {
			return in(file, number, err)
		}
	}
	err := s.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("%w: the line has more than %d bytes", ErrTooLarge, maxLine)
	}
	return in(file, number, err)
}
