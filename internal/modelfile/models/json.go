package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/document"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// File is a struct that the JSON of a model is decoded into. Its fields are the keys that are read,
// and those of the structs within it; a blank field names keys that may not matter, in a tag:
//
//	_ struct{} `ignored:"split_gain leaf_count"`
//
// Unknown returns the error for any other key of an object, which has the key within itself; nil
// if the key does not matter after all.
type File interface {
	Unknown(within, key string) error
}

// DecodeJSON decodes the JSON of a model into a struct. encoding/json would let the last
// of several equal keys win, take "Trees" for "trees", pass over keys that it does not know, and
// take a null among numbers, which some writers put for NaN, for a zero: all are errors here.
func DecodeJSON(text []byte, file File) error {
	if !utf8.Valid(text) {
		at := bytes.IndexRune(text, utf8.RuneError)
		return trees.AtByte(at, errors.New("the file is not UTF-8"))
	}
	if err := json.Unmarshal(text, file); err != nil {
		return Locate(err)
	}
	w := walk{file: file, text: text, fields: make(map[reflect.Type]map[string]field)}
	w.value(reflect.TypeOf(file).Elem())
	return w.err
}

// Locate adds its place in the file to an error of encoding/json.
func Locate(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return trees.AtByte(int(syntax.Offset), err)
	case errors.As(err, &kind):
		return trees.AtByte(int(kind.Offset), mistaken(kind))
	}
	return err
}

// mistaken says in the words of JSON what encoding/json says in those of Go.
func mistaken(e *json.UnmarshalTypeError) error {
	want := map[reflect.Kind]string{
		reflect.Bool: "true or false", reflect.String: "a string", reflect.Float32: "a number",
		reflect.Float64: "a number",
		reflect.Slice:   "an array", reflect.Struct: "an object", reflect.Map: "an object",
	}[e.Type.Kind()]
	if want == "" {
		want = "a whole number in its range"
	}
	place := "the file"
	if field := strings.Trim(e.Field, "."); field != "" {
		place = fmt.Sprintf("%q", field)
	}
	return fmt.Errorf("%s is a JSON %s, want %s", place, e.Value, want)
}

// walk goes over valid JSON.
type walk struct {
	file File
	text []byte
	at   int
	key  string // the last one
	err  error  // the first fault
	// fields are what keys mean in the types that were met.
	fields map[reflect.Type]map[string]field
}

// field is the part of a type that a key names, or none.
type field struct {
	known bool
	kind  reflect.Type // nil if it is ignored
}

// value goes over a value that is decoded into a type; nil for one that is ignored.
func (w *walk) value(t reflect.Type) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch w.next() {
	case '{':
		w.object(t)
	case '[':
		if t != nil && t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		for w.at++; !w.numbers() && w.next() != ']'; w.comma() {
			w.value(t)
		}
		w.at++
	case '"':
		w.str()
	default: // a number, true, false or null
		if w.text[w.at] == 'n' && t != nil &&
			(t.Kind() == reflect.Int || t.Kind() == reflect.Float32 ||
				t.Kind() == reflect.Float64) {
			w.fail(w.at, "%s: a null for a number", w.key)
		}
		for w.at < len(w.text) && strings.IndexByte(",]} \t\r\n", w.text[w.at]) < 0 {
			w.at++
		}
	}
}

// numbers goes over the rest of an array if it holds nothing but numbers, up to its end.
func (w *walk) numbers() bool {
	if c := w.next(); c != '-' && (c < '0' || c > '9') {
		return false
	}
	end := bytes.IndexByte(w.text[w.at:], ']')
	if bytes.ContainsAny(w.text[w.at:w.at+end], "[{\"nft") {
		return false
	}
	w.at += end
	return true
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

// object goes over an object. Two equal keys are a fault, and so is one that is not known.
func (w *walk) object(t reflect.Type) {
	var seen document.Keys
	within := w.key
	for w.at++; w.next() != '}'; w.comma() {
		at := w.at
		if err := w.name(); err != nil {
			w.fail(at, "%w", err)
		}
		f := w.field(t)
		switch {
		case seen.Have(w.key):
			w.fail(at, "the key %.40q again in one object", w.key)
		case !f.known:
			if err := w.file.Unknown(within, w.key); err != nil {
				w.fail(at, "%w", err)
			}
		}
		w.next()
		w.at++ // the colon
		w.value(f.kind)
	}
	w.at++
}

// name reads a key.
func (w *walk) name() error {
	text := w.str()
	if bytes.IndexByte(text, '\\') >= 0 {
		return json.Unmarshal(text, &w.key)
	}
	w.key = string(text[1 : len(text)-1])
	return nil
}

// field returns what the key means in a type, and remembers it.
func (w *walk) field(t reflect.Type) field {
	f, ok := w.fields[t][w.key]
	if !ok {
		f = fieldOf(t, w.key)
		if w.fields[t] == nil {
			w.fields[t] = make(map[string]field)
		}
		w.fields[t][w.key] = f
	}
	return f
}

func (w *walk) fail(at int, format string, args ...any) {
	if w.err == nil {
		w.err = trees.AtByte(at, fmt.Errorf(format, args...))
	}
}

// fieldOf returns the part of a type that a key names. Other types than structs and maps may have
// any keys.
func fieldOf(t reflect.Type, key string) field {
	switch {
	case t != nil && t.Kind() == reflect.Map:
		return field{true, t.Elem()}
	case t == nil || t.Kind() != reflect.Struct:
		return field{known: true}
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name == key && key != "" {
			return field{true, f.Type}
		}
		if slices.Contains(strings.Fields(f.Tag.Get("ignored")), key) {
			return field{known: true}
		}
	}
	return field{}
}

// InObject names a key that an object has, for an error.
func InObject(within, key string) string {
	if within == "" {
		return fmt.Sprintf("the key %.40q", key)
	}
	return fmt.Sprintf("the key %.40q in %.40q", key, within)
}
