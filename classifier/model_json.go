package classifier

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"
)

// mostModelBytes is how long the file of a model may be: 1 GiB, which is kept in
// memory while it is read.
const mostModelBytes = 1 << 30

// readModel returns the text of a model.
func readModel(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, mostModelBytes+1))
	if err == nil && len(text) > mostModelBytes {
		err = fmt.Errorf("more than %d bytes", mostModelBytes)
	}
	return text, err
}

// decodeModel decodes the JSON of a model into a struct and returns how long it is.
// encoding/json would let the last of several equal keys win, and take "Trees" for
// "trees": such keys are errors here.
func decodeModel(r io.Reader, what string, file any) (int64, error) {
	text, err := readModel(r)
	if err != nil {
		return 0, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(file); err != nil {
		return 0, fmt.Errorf("not the JSON of %s: %w", what, locate(err, int64(len(text))))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return 0, fmt.Errorf("byte %d: more text after the model", decoder.InputOffset())
	}
	keys := keyCheck{text: text}
	keys.value(reflect.TypeOf(file).Elem())
	return int64(len(text)), keys.err
}

// keyCheck walks valid JSON and looks at the keys of its objects.
type keyCheck struct {
	text []byte
	at   int
	err  error // the first fault
}

// value goes over a value that is decoded into a type; nil for one that is not
// decoded into a struct.
func (k *keyCheck) value(t reflect.Type) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch k.next() {
	case '{':
		k.object(t)
	case '[':
		var element reflect.Type
		if t != nil && t.Kind() == reflect.Slice && t != rawMessage {
			element = t.Elem()
		}
		k.at++
		for k.next() != ']' {
			k.value(element)
			k.comma()
		}
		k.at++
	case '"':
		k.str()
	default:
		for k.at < len(k.text) && strings.IndexByte(",]} \t\r\n", k.text[k.at]) < 0 {
			k.at++
		}
	}
}

var rawMessage = reflect.TypeFor[json.RawMessage]()

// next returns the first byte that is no white space.
func (k *keyCheck) next() byte {
	for strings.IndexByte(" \t\r\n", k.text[k.at]) >= 0 {
		k.at++
	}
	return k.text[k.at]
}

// comma skips a comma if there is one.
func (k *keyCheck) comma() {
	if k.next() == ',' {
		k.at++
	}
}

// str goes over a string and returns it, quotes included.
func (k *keyCheck) str() []byte {
	begin := k.at
	for k.at++; k.text[k.at] != '"'; k.at++ {
		if k.text[k.at] == '\\' {
			k.at++
		}
	}
	k.at++
	return k.text[begin:k.at]
}

// object goes over an object. Two equal keys are a fault, and so is one that differs
// from a key of the struct in nothing but case.
func (k *keyCheck) object(t reflect.Type) {
	fields := fieldsByFold(t)
	seen := map[string]bool{}
	k.at++
	for k.next() != '}' {
		at := k.at
		var key string
		if err := json.Unmarshal(k.str(), &key); err != nil {
			k.fail(at, "%w", err)
		}
		field, known := fields[folded(key)]
		switch {
		case seen[key]:
			k.fail(at, "the key %.40q again in one object", key)
		case known && field.key != key:
			k.fail(at, "the key %.40q, want %q", key, field.key)
		}
		seen[key] = true
		k.next()
		k.at++ // the colon
		k.value(field.kind)
		k.comma()
	}
	k.at++
}

func (k *keyCheck) fail(at int, format string, args ...any) {
	if k.err == nil {
		k.err = fmt.Errorf("byte %d: %w", at, fmt.Errorf(format, args...))
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

// jsonField is a field of a struct: its key and what it is decoded into.
type jsonField struct {
	key  string
	kind reflect.Type
}

// fieldsByFold returns the fields of a struct type by their folded keys.
func fieldsByFold(t reflect.Type) map[string]jsonField {
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	fields := make(map[string]jsonField, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		key := f.Tag.Get("json")
		fields[folded(key)] = jsonField{key, f.Type}
	}
	return fields
}
