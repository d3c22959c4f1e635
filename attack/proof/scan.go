package proof

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// ErrProof is wrapped by errors about a fault of a file of proofs. They name its line and column,
// of bytes, from 1 on.
var ErrProof = errors.New("wrong proof")

// fault is a fault, and its place.
type fault struct {
	line, column int
	error
}

func (f *fault) Error() string {
	return fmt.Sprintf("line %d, column %d: %v", f.line, f.column, f.error)
}

func (f *fault) Unwrap() []error { return []error{ErrProof, f.error} }

// refusal is the value that reading and checking panic with: they stop at the first fault.
type refusal struct{ error }

// demand refuses a file unless something holds.
func demand(holds bool, format string, args ...any) {
	if !holds {
		panic(refusal{fmt.Errorf(format, args...)})
	}
}

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

// Limits of files, in bytes: of a model, of a file that gzip packed tightly, of a line of a proof
// but for a tree's, and of the line that names a proof.
const (
	mostBytes    = 1 << 30
	mostUnpacked = 1 << 23
	longestLine  = 1 << 22
	longestName  = 1 << 12
)

// scanner reads lines of words.
type scanner struct {
	r        *bufio.Reader
	number   int    // of the line
	rest     string // of the line, from the next word on
	more     bool   // there is a next word
	fresh    bool   // no word of the line has been read
	ended    bool   // the file ended before the line
	at, next int    // where the last word begins, and the next one
}

// newScanner reads the first two lines of a file.
func newScanner(r io.Reader, format, key string, sum [32]byte) *scanner {
	s := &scanner{r: uncompressed(r)}
	s.expect(format)
	s.demand(s.word() == "1", "%s is read in version 1 only", format)
	s.about(key, sum)
	return s
}

// about reads the line that names the subject of the file.
func (s *scanner) about(key string, sum [32]byte) {
	s.expect(key)
	found := s.word() + " " + s.word()
	s.demand(found == fmt.Sprintf("sha256 %x", sum),
		"this is about another file: %.71s, and that at hand has the SHA-256 %x", found, sum)
}

// demand refuses the file at the last word unless something holds.
func (s *scanner) demand(holds bool, format string, args ...any) {
	if !holds {
		panic(refusal{&fault{s.number, s.at + 1, fmt.Errorf(format, args...)}})
	}
}

// finish makes sure that the line has no more words.
func (s *scanner) finish() {
	if s.more {
		s.word()
		s.demand(false, "a word too many")
	}
}

// key returns the first word of the next line, "" at the end of the file, which is not within a
// line.
func (s *scanner) key() string {
	if !s.fresh {
		s.finish()
		var text []byte
		err := bufio.ErrBufferFull
		for err == bufio.ErrBufferFull && len(text) <= longestLine {
			var part []byte
			part, err = s.r.ReadSlice('\n')
			text = append(text, part...)
		}
		s.ended = err == io.EOF && len(text) == 0
		s.number, s.at, s.next, s.fresh, s.more = s.number+1, len(text), 0, true, !s.ended
		s.demand(err != bufio.ErrBufferFull && len(text) <= longestLine,
			"a line of more than %d bytes", longestLine)
		s.demand(err == nil || s.ended, "the line has no end: %w", err)
		s.at, s.rest = 0, strings.TrimSuffix(string(text), "\n")
	}
	word, _, _ := strings.Cut(s.rest, " ")
	return word
}

// has reports whether the next line begins with a word, and if so reads it.
func (s *scanner) has(key string) bool { return s.key() == key && s.word() == key }

// expect reads the first word of the next line, which is given.
func (s *scanner) expect(key string) {
	found := s.key()
	s.demand(s.has(key), "%.40q where %q is expected", found, key)
}

// word reads the next word of the line.
func (s *scanner) word() (word string) {
	s.fresh, s.at = false, s.next
	s.demand(s.more, "the line ends too early")
	word, s.rest, s.more = strings.Cut(s.rest, " ")
	s.next += len(word) + 1
	s.demand(word != "", "a word is missing")
	return word
}

// byte reads the next byte of a line that is not kept.
func (s *scanner) byte() byte {
	s.at++
	c, err := s.r.ReadByte()
	s.demand(err == nil, "the file ends within a tree: %w", err)
	return c
}

// integer reads a number below a limit.
func (s *scanner) integer(limit int) int { return s.below(s.word(), limit) }

// below parses a number below a limit.
func (s *scanner) below(word string, limit int) int {
	v, err := strconv.Atoi(word)
	if err != nil || v < 0 || v >= limit || strconv.Itoa(v) != word {
		s.demand(false, "%.40q is no number from 0 to %d", word, limit-1)
	}
	return v
}

// ascending reads numbers below a limit to the end of the line, at least one.
func (s *scanner) ascending(limit int, what string) (numbers []int) {
	for last := -1; s.more || last < 0; numbers = append(numbers, last) {
		next := s.integer(limit)
		s.demand(next > last, "%s are not ascending", what)
		last = next
	}
	return numbers
}

// isFloat reports whether a word is a number of a proof.
var isFloat = regexp.MustCompile(`^-?(inf|[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?` +
	`|0x[0-9a-f]+(\.[0-9a-f]+)?p[-+]?[0-9]+)$`).MatchString

// float reads a number that may be infinite.
func (s *scanner) float() float64 {
	word := s.word()
	v, err := strconv.ParseFloat(word, 64)
	s.demand(err == nil && isFloat(word) && len(word) <= longestNumber, "%.40q is no number",
		word)
	return v
}

// floats reads so many finite numbers.
func (s *scanner) floats(count int) []float64 {
	v := make([]float64, count)
	for i := range v {
		v[i] = s.float()
		s.demand(finite(v[i]), "a number that is not finite")
	}
	return v
}
