package modelfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// decode decodes the JSON of a model into a struct. encoding/json would let the last
// of several equal keys win, take "Trees" for "trees", and a null among numbers, which
// some writers put for NaN, for a zero: all three are errors here.
func decode(text []byte, file any) error {
	if err := json.Unmarshal(text, file); err != nil {
		return locate(err)
	}
	w := walk{text: text}
	w.value(reflect.TypeOf(file).Elem())
	return w.err
}

// locate adds its place in the file to an error of encoding/json.
func locate(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return trees.AtByte(int(syntax.Offset), err)
	case errors.As(err, &kind):
		return trees.AtByte(int(kind.Offset), err)
	}
	return err
}

// walk goes over valid JSON.
type walk struct {
	text []byte
	at   int
	key  string // the last one
	err  error  // the first fault
}

// value goes over a value that is decoded into a type; nil for one that is not
// decoded into a struct.
func (w *walk) value(t reflect.Type) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch w.next() {
	case '{':
		w.object(t)
	case '[':
		w.array(t)
	case '"':
		w.str()
	default:
		w.literal(t)
	}
}

// next returns the first byte that is no white space.
func (w *walk) next() byte {
	for strings.IndexByte(" \t\r\n", w.text[w.at]) >= 0 {
		w.at++
	}
	return w.text[w.at]
}

// comma skips a comma if there is one.
func (w *walk) comma() {
	if w.next() == ',' {
		w.at++
	}
}

// str goes over a string and returns it, quotes included.
func (w *walk) str() []byte {
	begin := w.at
	for w.at++; w.text[w.at] != '"'; w.at++ {
		if w.text[w.at] == '\\' {
			w.at++
		}
	}
	w.at++
	return w.text[begin:w.at]
}

// literal goes over a number, true, false or null.
func (w *walk) literal(t reflect.Type) {
	if w.text[w.at] == 'n' && t != nil && (t.Kind() == reflect.Int || t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32) {
		w.fail(w.at, "%s: a null for a number", w.key)
	}
	for w.at < len(w.text) && strings.IndexByte(",]} \t\r\n", w.text[w.at]) < 0 {
		w.at++
	}
}

func (w *walk) array(t reflect.Type) {
	if t != nil && t.Kind() == reflect.Slice {
		t = t.Elem()
	} else {
		t = nil
	}
	w.at++
	for w.next() != ']' {
		w.value(t)
		w.comma()
	}
	w.at++
}

// object goes over an object. Two equal keys are a fault, and so is one that differs
// from a key of the struct in nothing but case.
func (w *walk) object(t reflect.Type) {
	fields := fieldsByFold(t)
	seen := map[string]bool{}
	w.at++
	for w.next() != '}' {
		at := w.at
		var key string
		if err := json.Unmarshal(w.str(), &key); err != nil {
			w.fail(at, "%w", err)
		}
		field, known := fields[folded(key)]
		switch {
		case seen[key]:
			w.fail(at, "the key %.40q again in one object", key)
		case known && field.key != key:
			w.fail(at, "the key %.40q, want %q", key, field.key)
		}
		seen[key] = true
		w.key = key
		w.next()
		w.at++ // the colon
		w.value(field.kind)
		w.comma()
	}
	w.at++
}

func (w *walk) fail(at int, format string, args ...any) {
	if w.err == nil {
		w.err = trees.AtByte(at, fmt.Errorf(format, args...))
	}
}

// folded returns what encoding/json compares keys by: the smallest rune that differs
// in nothing but case, for each.
func folded(key string) string {
	return strings.Map(func(r rune) rune {
		for {
			next := unicode.SimpleFold(r)
			if next <= r {
				return next
			}
			r = next
		}
	}, key)
}

// field is a field of a struct: its key and what it is decoded into.
type field struct {
	key  string
	kind reflect.Type
}

// fieldsByFold returns the fields of a struct type by their folded keys.
func fieldsByFold(t reflect.Type) map[string]field {
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	fields := make(map[string]field, t.NumField())
	for _, f := range reflect.VisibleFields(t) {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[folded(key)] = field{key, f.Type}
	}
	return fields
}
