package proof

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
)

// Error says what is wrong with a file of proofs, and where. Lines and columns, of bytes, count from 1.
type Error struct {
	Line, Column int
	Err          error
}

// Error returns "line L, column C: message".
func (e *Error) Error() string { return fmt.Sprintf("line %d, column %d: %v", e.Line, e.Column, e.Err) }

// Unwrap returns the message's error.
func (e *Error) Unwrap() error { return e.Err }

// scanner reads lines of words. The first fault stays in err, and all that is read after it is
// zero.
type scanner struct {
	r      *bufio.Reader
	number int    // of the line
	line   string // the line, without its end
	at     int    // where the next word begins
	last   int    // where the last one did
	ended  bool   // the file ended before the line
	err    error
}

// fail notes a fault of the last word.
func (s *scanner) fail(format string, args ...any) {
	if s.err == nil {
		s.err = &Error{s.number, s.last + 1, fmt.Errorf(format, args...)}
	}
}

// advance reads the next line. A file may end before a line, not within it.
func (s *scanner) advance() {
	if s.err != nil {
		return
	}
	s.number++
	var text []byte
	var err error
	for part := []byte(nil); ; text = append(text, part...) {
		if part, err = s.r.ReadSlice('\n'); err != bufio.ErrBufferFull || len(text) > mostBytes {
			text = append(text, part...)
			break
		}
	}
	s.line, s.at, s.last = "", 0, 0
	if s.ended = err == io.EOF && len(text) == 0; s.ended {
		return
	}
	if err != nil {
		s.last = len(text)
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		s.fail("the line has no end: %w", err)
		return
	}
	s.line = string(text[:len(text)-1])
}

// key returns the first word of the line.
func (s *scanner) key() string {
	word, _, _ := strings.Cut(s.line, " ")
	return word
}

// expect reads the first word of the line, which is given.
func (s *scanner) expect(key string) {
	if s.ended {
		s.fail("the file ends where %q is expected", key)
	}
	if word := s.word(); word != key {
		s.fail("%.40q where %q is expected", word, key)
	}
}

// more reports whether there is another word.
func (s *scanner) more() bool { return s.err == nil && s.at <= len(s.line) }

// word reads the next word.
func (s *scanner) word() string {
	s.last = min(s.at, len(s.line))
	if !s.more() {
		s.fail("the line ends too early")
		return ""
	}
	word, _, _ := strings.Cut(s.line[s.at:], " ")
	if s.at += len(word) + 1; word == "" {
		s.fail("a word is missing")
	}
	return word
}

// finish makes sure that the line has no more words.
func (s *scanner) finish() {
	if s.more() {
		s.last = s.at
		s.fail("a word too many")
	}
}

// done ends the line and goes on to the next one.
func (s *scanner) done() {
	s.finish()
	s.advance()
}

// integer reads a number below a limit.
func (s *scanner) integer(limit int) int { return s.below(s.word(), limit) }

// below returns the number that a word is, below a limit.
func (s *scanner) below(word string, limit int) int {
	v, err := strconv.ParseUint(word, 10, 31)
	if s.err == nil && (err != nil || int(v) >= limit) {
		s.fail("%.40q is no number from 0 to %d", word, limit-1)
		return 0
	}
	return int(v)
}

// float reads a number that may be infinite.
func (s *scanner) float() float64 {
	word := s.word()
	v, err := strconv.ParseFloat(word, 64)
	digits := strings.Trim(word, "0123456789abcdefpx.+-ABCDEFPX") == "" || word == "inf" || word == "-inf"
	if s.err == nil && (err != nil || !digits) {
		s.fail("%.40q is no number", word)
	}
	return v
}

// floats reads so many finite numbers, and returns as many after a fault.
func (s *scanner) floats(count int) []float64 {
	v := make([]float64, 0, min(count, len(s.line)))
	for len(v) < count && s.err == nil {
		e := s.float()
		if !finite(e) {
			s.fail("a number that is not finite")
		}
		v = append(v, e)
	}
	return append(v, make([]float64, count-len(v))...)
}

// multiplied splits a term into its multiplier and what it multiplies.
func (s *scanner) multiplied() (*big.Int, string) {
	word := s.word()
	factor, term, ok := strings.Cut(word, "*")
	if !ok {
		return big.NewInt(1), word
	}
	n, ok := new(big.Int).SetString(factor, 10)
	if s.err == nil && (!ok || n.Sign() <= 0 || len(factor) > 1000 || factor[0] == '+') {
		s.fail("%.40q is no positive integer of at most 1000 digits", factor)
	}
	return n, term
}
