package proof

import (
	"bufio"
	"compress/gzip"
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

// refusal is what reading and checking panic with: nothing that follows the first fault is looked at.
type refusal struct{ error }

func refuse(format string, args ...any) { panic(refusal{fmt.Errorf(format, args...)}) }

// recovered makes a refusal an error.
func recovered(err *error, what string) {
	switch fault := recover().(type) {
	case nil:
	case refusal:
		*err = fmt.Errorf("%s: %w", what, fault.error)
	default:
		panic(fault)
	}
}

// mostBytes is how long a file of a model may be, and a line of a proof but for a tree's.
const mostBytes = 1 << 30

// scanner reads lines of words.
type scanner struct {
	r      *bufio.Reader
	number int    // of the line
	rest   string // of the line, from the next word on
	more   bool   // there is a next word
	fresh  bool   // no word of the line has been read
	ended  bool   // the file ended before the line
	at     int    // where the last word begins
	next   int    // where the next one does
}

// uncompressed returns what gzip compressed, if it did, which the first two bytes tell.
func uncompressed(r io.Reader) *bufio.Reader {
	plain := bufio.NewReaderSize(r, 1<<16)
	if magic, err := plain.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return plain // a fault of reading comes again
	}
	z, err := gzip.NewReader(plain)
	if err != nil {
		refuse("%w", err)
	}
	return bufio.NewReaderSize(z, 1<<16)
}

func (s *scanner) fail(format string, args ...any) {
	refuse("%w", &Error{s.number, s.at + 1, fmt.Errorf(format, args...)})
}

// finish makes sure that the line has no more words.
func (s *scanner) finish() {
	if s.more {
		s.at = s.next
		s.fail("a word too many")
	}
}

// key returns the first word of the next line, "" at the end of the file.
func (s *scanner) key() string {
	if !s.fresh {
		s.finish()
		s.readLine()
	}
	word, _, _ := strings.Cut(s.rest, " ")
	return word
}

// readLine reads the next line. A file may end before a line, not within it.
func (s *scanner) readLine() {
	var text []byte
	err := bufio.ErrBufferFull
	for err == bufio.ErrBufferFull && len(text) <= mostBytes {
		var part []byte
		part, err = s.r.ReadSlice('\n')
		text = append(text, part...)
	}
	s.number, s.at, s.next, s.fresh = s.number+1, 0, 0, true
	s.ended = err == io.EOF && len(text) == 0
	if err != nil && !s.ended {
		s.at = len(text)
		s.fail("the line has no end: %w", err)
	}
	s.rest, s.more = strings.TrimSuffix(string(text), "\n"), !s.ended
}

// has reports whether the next line begins with a word, and if so reads it.
func (s *scanner) has(key string) bool {
	return s.key() == key && s.word() == key
}

// expect reads the first word of the next line, which is given.
func (s *scanner) expect(key string) {
	if found := s.key(); found != key {
		s.fail("%.40q where %q is expected", found, key)
	}
	s.word()
}

// word reads the next word of the line.
func (s *scanner) word() string {
	s.fresh, s.at = false, s.next
	if !s.more {
		s.fail("the line ends too early")
	}
	var word string
	word, s.rest, s.more = strings.Cut(s.rest, " ")
	if s.next += len(word) + 1; word == "" {
		s.fail("a word is missing")
	}
	return word
}

// byte reads the next byte of a line that is not kept.
func (s *scanner) byte() byte {
	s.at++
	c, err := s.r.ReadByte()
	if err != nil {
		s.fail("the file ends within a tree: %w", err)
	}
	return c
}

// integer reads a number below a limit.
func (s *scanner) integer(limit int) int { return s.below(s.word(), limit) }

// below returns the number that a word is, below a limit.
func (s *scanner) below(word string, limit int) int {
	v, err := strconv.ParseUint(word, 10, 31)
	if err != nil || int(v) >= limit {
		s.fail("%.40q is no number from 0 to %d", word, limit-1)
	}
	return int(v)
}

// float reads a number that may be infinite.
func (s *scanner) float() float64 {
	word := s.word()
	v, err := strconv.ParseFloat(word, 64)
	digits := strings.Trim(word, "0123456789abcdefpx.+-ABCDEFPX") == "" || word == "inf" || word == "-inf"
	if err != nil || !digits {
		s.fail("%.40q is no number", word)
	}
	return v
}

// floats reads so many finite numbers.
func (s *scanner) floats(count int) []float64 {
	v := make([]float64, count)
	for i := range v {
		if v[i] = s.float(); !finite(v[i]) {
			s.fail("a number that is not finite")
		}
	}
	return v
}

// multiplied splits a term into its multiplier and what it multiplies.
func (s *scanner) multiplied() (*big.Int, string) {
	factor, term, ok := strings.Cut(s.word(), "*")
	if !ok {
		return big.NewInt(1), factor
	}
	n, ok := new(big.Int).SetString(factor, 10)
	if !ok || n.Sign() <= 0 || len(factor) > 1000 || factor[0] == '+' {
		s.fail("%.40q is no positive integer of at most 1000 digits", factor)
	}
	return n, term
}

// head reads the first two lines.
func (s *scanner) head(format, key string, sum [32]byte) {
	s.expect(format)
	if version := s.word(); version != "1" {
		s.fail("version %.40q, want 1", version)
	}
	s.expect(key)
	if word := s.word(); word != "sha256" {
		s.fail("%.40q where sha256 is expected", word)
	}
	if word := s.word(); word != fmt.Sprintf("%x", sum) {
		s.fail("this is about another file: its SHA-256 is %.64s, and that of the file at hand %x", word, sum)
	}
}
