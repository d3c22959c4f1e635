package proof

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Values of JSON are of type string, literal, []any or object; nil is none.
type (
	literal string // a number, true, false or null, as it stands in the file
	object  map[string]any
)

// deepestJSON is how many arrays and objects may be open.
const deepestJSON = 100

// longestNumber is how many bytes a number may have, anywhere.
const longestNumber = 1000

// named finds the numbers that only XGBoost writes, and strings, which may have such names in
// them.
var named = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|NaN|-?Infinity`)

// parseJSON reads a text of JSON, in which no object has a key twice. Where XGBoost wrote it, NaN
// and Infinity may stand for numbers.
func parseJSON(text string) any {
	demand(utf8.ValidString(text), "the file is not UTF-8")
	plain := text
	if strings.Contains(text, `"learner"`) &&
		(strings.Contains(text, "NaN") || strings.Contains(text, "Infinity")) {
		plain = named.ReplaceAllStringFunc(text, func(found string) string {
			if found[0] == '"' {
				return found
			}
			return "[]       "[:len(found)] // which, like a name, is a value, and no part of one
		})
	}
	var fault *json.SyntaxError
	if errors.As(json.Unmarshal([]byte(plain), new(json.RawMessage)), &fault) {
		demand(false, "neither LightGBM's text nor JSON: byte %d: %w", fault.Offset-1, fault)
	}
	return (&values{text: text}).value(0)
}

// values reads a text of JSON that is known to be valid.
type values struct {
	text string
	at   int
}

func (r *values) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\n\r", r.text[r.at]) >= 0 {
		r.at++
	}
}

// value reads a value, within so many arrays and objects.
func (r *values) value(depth int) any {
	r.space()
	c := r.text[r.at]
	demand(depth < deepestJSON || c != '[' && c != '{',
		"byte %d: more than 100 arrays and objects within each other", r.at)
	switch c {
	case '[':
		elements := []any{}
		r.members(']', func() { elements = append(elements, r.value(depth+1)) })
		return elements
	case '{':
		members := object{}
		r.members('}', func() {
			at, key := r.at, r.str()
			_, twice := members[key]
			demand(!twice, "byte %d: the key %.40q again", at, key)
			r.space()
			r.at++ // the colon
			members[key] = r.value(depth + 1)
		})
		return members
	case '"':
		return r.str()
	}
	begin := r.at
	for r.at < len(r.text) && strings.IndexByte(",]} \t\n\r", r.text[r.at]) < 0 {
		r.at++
	}
	demand(r.at-begin <= longestNumber, "byte %d: a number of more than 1000 bytes", begin)
	return literal(r.text[begin:r.at])
}

// members calls item at each one within brackets.
func (r *values) members(end byte, item func()) {
	for r.text[r.at] != end {
		r.at++ // the bracket that opens, or a comma
		if r.space(); r.text[r.at] != end {
			item()
			r.space()
		}
	}
	r.at++
}

// str reads a string.
func (r *values) str() (s string) {
	begin := r.at
	for r.at++; r.text[r.at] != '"'; r.at++ {
		if r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
	if quoted := r.text[begin:r.at]; strings.Contains(quoted, `\`) {
		json.Unmarshal([]byte(quoted), &s) // is valid
		return s
	}
	return r.text[begin+1 : r.at-1]
}

// missing reports whether there is no value, or a null.
func missing(v any) bool { return v == nil || v == literal("null") }

// as returns a value of a kind; a missing one, or a null, is empty.
func as[T any](v any, what string) (of T) {
	if missing(v) {
		return of
	}
	of, is := v.(T)
	if !is {
		demand(false, "%.40s where %s is expected", fmt.Sprint(v), what)
	}
	return of
}

// members returns the members of an object, all of whose keys are among those that are read or do
// not matter: members that a library adds to its files may change the predictions.
func members(v any, keys ...string) object {
	o := as[object](v, "an object")
	for _, key := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(keys, key) {
			demand(false, "the key %.40q is unknown: %w", key, errors.ErrUnsupported)
		}
	}
	return o
}

// list reads the elements of an array.
func list[T any](v any, read func(any) T) []T {
	array := as[[]any](v, "an array")
	all := make([]T, len(array))
	for i, e := range array {
		all[i] = read(e)
	}
	return all
}

// same returns a value itself.
func same[T any](v T) T { return v }

// decimal returns a finite number, rounded to so many bits.
func decimal(v any, bits int) float64 {
	n, _ := v.(literal)
	f, err := strconv.ParseFloat(string(n), bits)
	if err != nil || !finite(f) {
		demand(false, "%.40s is no number", fmt.Sprint(v))
	}
	return f
}

func float(v any) float64    { return decimal(v, 64) }
func single(v any) float64   { return decimal(v, 32) }
func floats(v any) []float64 { return list(v, float) }
func integers(v any) []int   { return list(v, integer) }

// integer returns a whole number, which is written as one.
func integer(v any) int {
	n, _ := v.(literal)
	i, err := strconv.ParseInt(string(n), 10, 32)
	if err != nil {
		demand(false, "%.40s is no integer", fmt.Sprint(v))
	}
	return int(i)
}

// optional returns a whole number, 0 where there is none.
func optional(v any) int {
	if v == nil {
		return 0
	}
	return integer(v)
}

// word returns a string.
func word(v any) string { return as[string](v, "a string") }

// truth returns true or false.
func truth(v any) bool {
	said := as[literal](v, "true or false")
	demand(said == "" || said == "true" || said == "false", "%.40s is neither true nor false",
		said)
	return said == "true"
}
