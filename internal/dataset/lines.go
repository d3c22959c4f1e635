package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// eachLine hands the lines of a text file that are not blank, without surrounding
// space, to read, and places its errors. The bytes are valid during the call.
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

// parseFinite reads a number that is neither NaN nor infinite.
func parseFinite(token []byte) (float64, error) {
	if n, ok := parseDigits(token); ok {
		return float64(n), nil
	}
	return parseAny(string(token))
}

// parseDigits reads a number of one to nine digits, the most frequent kind.
func parseDigits(token []byte) (n int, ok bool) {
	if len(token) == 0 || len(token) > 9 {
		return 0, false
	}
	for _, c := range token {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}

func parseAny(token string) (float64, error) {
	v, err := strconv.ParseFloat(token, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is beyond the range of a float64", quote(token))
	case err != nil:
		return 0, fmt.Errorf("%s is not a number", quote(token))
	case !precise.Finite(v):
		return 0, fmt.Errorf("%s is not a finite number", quote(token))
	}
	return v, nil
}

// quote shows a token in an error message, cut when it is long: a binary file
// read as text may be one token.
func quote(token string) string {
	const longest = 40
	if len(token) > longest {
		return strconv.QuoteToASCII(token[:longest]) + "…"
	}
	return strconv.QuoteToASCII(token)
}

// EachRecord hands the numbers of each line, which have commas between them, to do. They
// are valid during the call. It places the error that do returns.
func EachRecord(r io.Reader, name string, do func(values []float64) error) error {
	var values []float64
	return eachLine(r, name, func(line []byte) error {
		values = values[:0]
		for token := range bytes.SplitSeq(line, []byte(",")) {
			v, err := parseFinite(bytes.TrimSpace(token))
			if err != nil {
				return err
			}
			values = append(values, v)
		}
		return do(values)
	})
}
