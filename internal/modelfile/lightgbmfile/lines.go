package lightgbmfile

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// file holds the lines of a file up to "end of trees". Of the lines behind it, which are for
// people, the names of categories count.
type file struct {
	header *section
	trees  []*section
	names  names
}

// The lines that are read, and those that may not matter: of the header, and of a tree. Without
// is_linear LightGBM ignores the functions in the leaves of a linear tree.
var (
	headerLines = strings.Fields(`version num_class num_tree_per_iteration max_feature_idx objective
		average_output feature_names feature_infos tree_sizes label_index monotone_constraints`)
	treeLines = strings.Fields(`num_leaves num_cat split_feature threshold decision_type left_child
		right_child leaf_value cat_boundaries cat_threshold is_linear
		split_gain leaf_weight leaf_count internal_value internal_weight internal_count shrinkage
		leaf_const num_features leaf_features leaf_coeff`)
)

// section holds lines "key=value" by key. Its methods note the first fault.
type section struct {
	lines map[string]line
	err   error
}

type line struct {
	number int
	value  string
}

func parse(text string) (*file, error) {
	f := &file{header: &section{lines: map[string]line{}}}
	s, number, rest := f.header, 0, text
	for text := range strings.Lines(text) {
		number++
		rest = rest[len(text):]
		text = strings.TrimSpace(text)
		key, value, ok := strings.Cut(text, "=")
		before, twice := s.lines[key]
		switch {
		case number == 1 || text == "":
		case text == "end of trees":
			f.names = namesIn(rest)
			return f, nil
		case key == "Tree":
			if value != strconv.Itoa(len(f.trees)) {
				return nil, trees.AtLine(number,
					fmt.Errorf("the tree is %.20q, want %d", value, len(f.trees)))
			}
			s = &section{lines: map[string]line{}}
			f.trees = append(f.trees, s)
		case !ok && len(f.trees) > 0:
			return nil, trees.AtTree(len(f.trees)-1,
				trees.AtLine(number, fmt.Errorf("%.20q has no =", text)))
		case twice:
			return nil, trees.AtLine(number,
				fmt.Errorf("%.20s again, after line %d", key, before.number))
		default:
			s.lines[key] = line{number, value}
		}
	}
	return nil, trees.AtLine(number, errors.New("the file ends before \"end of trees\""))
}

// errorf describes a fault in the line of a key.
func (s *section) errorf(key, format string, args ...any) error {
	return trees.AtLine(s.lines[key].number, fmt.Errorf("%s: %w", key, fmt.Errorf(format, args...)))
}

// checkLines refuses lines that are none of those which are known.
func (s *section) checkLines(known []string, version string) error {
	first, unknown := "", math.MaxInt
	for key, line := range s.lines {
		if !slices.Contains(known, key) && line.number < unknown {
			first, unknown = key, line.number
		}
	}
	if unknown == math.MaxInt {
		return nil
	}
	what := fmt.Sprintf("the line %.40q", first)
	return trees.AtLine(unknown, models.LightGBM.Unknown(what, version))
}

// note keeps the first fault.
func (s *section) note(err error) {
	if s.err == nil {
		s.err = err
	}
}

// integer returns a number that must be there.
func (s *section) integer(key string) int {
	line, ok := s.lines[key]
	if !ok {
		s.note(fmt.Errorf("%s is missing", key))
		return 0
	}
	v, err := strconv.Atoi(line.value)
	if err != nil {
		s.note(s.errorf(key, "%.20q is no integer", line.value))
	}
	return v
}

// optional returns a number, or another one where it is absent.
func (s *section) optional(key string, absent int) int {
	if _, ok := s.lines[key]; !ok {
		return absent
	}
	return s.integer(key)
}

// list appends the numbers of a line, which must be so many, to none; the memory of to is used
// again.
func list[T any](
	s *section, key string, count int, to []T, parse func(word string) (T, error),
) []T {
	to = to[:0]
	line, ok := s.lines[key]
	if !ok && count > 0 {
		s.note(fmt.Errorf("%s is missing", key))
	}
	for rest := line.value; s.err == nil; {
		var word string
		if word, rest = cutWord(rest); word == "" {
			break
		}
		v, err := parse(word)
		if err != nil || len(to) == count {
			s.noteList(key, count, len(to), word, err)
			return to
		}
		to = append(to, v)
	}
	if len(to) != count {
		s.noteList(key, count, len(to), "", nil)
	}
	return to
}

// noteList notes that a line has not so many numbers, or else an error of one of them.
func (s *section) noteList(key string, count, number int, word string, err error) {
	if words := len(strings.FieldsFunc(s.lines[key].value, isSpace)); words != count {
		s.note(s.errorf(key, "%d numbers, want %d", words, count))
	} else if err != nil {
		s.note(s.errorf(key, "number %d: %.20q: %w", number, word, err))
	}
}

// cutWord returns the first word of a text, and the text behind it; strings.Fields takes memory.
func cutWord(text string) (word, rest string) {
	begin := 0
	for begin < len(text) && isSpace(rune(text[begin])) {
		begin++
	}
	end := begin
	for end < len(text) && !isSpace(rune(text[end])) {
		end++
	}
	return text[begin:end], text[end:]
}

func isSpace(c rune) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// threshold parses a number, which may be +Inf: for missing values only.
func threshold(word string) (float64, error) {
	if word == "inf" {
		return math.Inf(1), nil
	}
	return finite(word)
}

// finite parses a decimal number.
func finite(word string) (float64, error) {
	v, err := strconv.ParseFloat(word, 64)
	isHexadecimal := strings.IndexByte(word, 'x') >= 0 || strings.IndexByte(word, 'X') >= 0
	switch {
	case err != nil || isHexadecimal:
		return 0, errors.New("no number")
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, errors.New("not finite")
	}
	return v, nil
}
