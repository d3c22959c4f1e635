package models

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/document"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// File is a struct that the JSON of a model is decoded into. Its fields are the keys that are read,
// and those of the structs within it; a blank field names keys that may not matter, in a tag:
//
//	_ struct{} `ignored:"split_gain leaf_count"`
//
// Unknown returns the error for any other key of an object, which has the key within itself; nil
// if the key does not matter after all. It is asked when all is decoded.
type File interface {
	Unknown(within, key string) error
}

// Numbers are an array of numbers, or a single one.
type Numbers []float64

// DecodeJSON decodes the JSON of a model into a struct. encoding/json would let the last
// of several equal keys win, take "Trees" for "trees", pass over keys that it does not know, and
// take a null among numbers, which some writers put for NaN, for a zero: all are errors here.
// It also takes several times as long.
func DecodeJSON(text []byte, file File) error {
	d := decoder{Text: document.NewText(text), fields: make(map[reflect.Type]map[string]field)}
	err := d.value(reflect.ValueOf(file).Elem())
	if err == nil {
		err = d.Close()
	}
	for _, u := range d.unknown {
		if err != nil {
			break
		}
		if e := file.Unknown(u.within, u.key); e != nil {
			err = trees.AtByte(u.at, e)
		}
	}
	return err
}

// decoder reads a document into values.
type decoder struct {
	*document.Text
	path    []string // keys, up to the value that is read
	depth   int
	unknown []unknown
	fields  map[reflect.Type]map[string]field // the fields of keys in the types that were met
	rows    []float64                         // memory of the next row
}

// unknown is a key that a type does not have.
type unknown struct {
	at          int // its byte
	within, key string
}

// mostDepth keeps the recursion within the memory of a stack.
const mostDepth = 1 << 14

// value reads the next value into v, which can be set.
func (d *decoder) value(v reflect.Value) error {
	if d.depth++; d.depth > mostDepth {
		return d.Fault("brackets nested more than %d deep", mostDepth)
	}
	defer func() { d.depth-- }()
	switch to := v.Addr().Interface().(type) {
	case *[]float64:
		return words(d, to, document.Double, number)
	case *[][]float64:
		*to = nil
		return d.list(func() error {
			return d.Array(func(int) error {
				row, err := d.row()
				*to = append(*to, row)
				return err
			})
		})
	case *[]int:
		return words(d, to, readInteger[int], integer)
	case *[]int64:
		return words(d, to, readInteger[int64], integer)
	case *[]bool:
		return words(d, to, document.Truth, boolean)
	case *Numbers:
		if d.Kind() == "array" {
			return words(d, (*[]float64)(to), document.Double, number)
		}
		*to = make(Numbers, 1)
		return word(d, &(*to)[0], document.Double, number)
	case *float64:
		return word(d, to, document.Double, number)
	case *int:
		return word(d, to, readInteger[int], integer)
	case *int64:
		return word(d, to, readInteger[int64], integer)
	case *bool:
		return word(d, to, document.Truth, boolean)
	case *json.RawMessage:
		raw, err := d.Raw()
		*to = raw
		return err
	}
	return d.composed(v)
}

// begins names the kinds of values.
var begins = map[reflect.Kind]string{
	reflect.Struct: "an object", reflect.Map: "an object", reflect.Slice: "an array",
	reflect.String: "a string",
}

// composed reads a value that is no number.
func (d *decoder) composed(v reflect.Value) error {
	kind := d.Kind()
	ofNumber := v.Kind() == reflect.Pointer && v.Type().Elem().Kind() != reflect.Struct
	if kind == "null" && !ofNumber {
		v.SetZero()
		return d.Skip()
	}
	if want := begins[v.Kind()]; want != "" && !strings.HasSuffix(want, kind) || kind == "" {
		return d.mistaken(kind, want)
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return d.value(v.Elem())
	case reflect.Struct:
		return d.object(v)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		return d.members(func(key string) error {
			member := reflect.New(v.Type().Elem()).Elem()
			err := d.value(member)
			v.SetMapIndex(reflect.ValueOf(key), member)
			return err
		})
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		return d.Array(func(i int) error {
			v.Grow(1)
			v.SetLen(i + 1)
			return d.value(v.Index(i))
		})
	case reflect.String:
		s, err := d.String()
		v.SetString(s)
		return err
	}
	raw, err := d.Raw()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
		return d.Fault("%s: %w", strings.Join(d.path, "."), err)
	}
	return nil
}

// members calls read with each key of an object, which is the last one of the path then.
func (d *decoder) members(read func(key string) error) error {
	d.path = append(d.path, "")
	defer func() { d.path = d.path[:len(d.path)-1] }()
	return d.Object(func(key string) error {
		d.path[len(d.path)-1] = key
		return read(key)
	})
}

// object reads an object into a struct, and notes the keys that it does not have.
func (d *decoder) object(v reflect.Value) error {
	return d.members(func(key string) error {
		f := d.field(v.Type(), key)
		if f.is {
			return d.value(v.Field(f.number))
		}
		if !f.ignored {
			u := unknown{at: d.Place(), key: key}
			if len(d.path) > 1 {
				u.within = d.path[len(d.path)-2]
			}
			d.unknown = append(d.unknown, u)
		}
		return d.Skip()
	})
}

// What words are to be.
const (
	number  = "a number"
	integer = "a whole number in its range"
	boolean = "true or false"
)

// row reads an array of numbers. Many short ones share their memory.
func (d *decoder) row() ([]float64, error) {
	row, room := d.rows, cap(d.rows)
	err := words(d, &row, document.Double, number)
	if n := len(row); n <= room {
		d.rows = d.rows[n:n]
	} else {
		d.rows = make([]float64, 0, max(mostShort, 4*n))
	}
	return slices.Clip(row), err
}

// mostShort is how many numbers share their memory.
const mostShort = 1024

// words appends an array of words, each read by a function that returns how long it is; null is
// none.
func words[T any](d *decoder, to *[]T, read func(b []byte) (T, int), want string) error {
	switch {
	case d.Kind() != "array":
		*to = nil
	case *to == nil:
		*to = []T{}
	}
	return d.list(func() (err error) {
		*to, err = document.Words(d.Text, *to, read, func() (v T, err error) {
			err = word(d, &v, read, want)
			return v, err
		})
		return err
	})
}

// list calls read of an array, and skips null.
func (d *decoder) list(read func() error) error {
	switch kind := d.Kind(); kind {
	case "null":
		return d.Skip()
	case "array":
		return read()
	default:
		return d.mistaken(kind, "an array")
	}
}

// word reads one.
func word[T any](d *decoder, to *T, read func(b []byte) (T, int), want string) (err error) {
	switch kind := d.Kind(); {
	case kind == "null" && want == boolean: // it is false
		return d.Skip()
	case kind == "null":
		return d.Fault("%s: a null for %s", d.path[len(d.path)-1], want)
	case kind != "number" && want != boolean, kind != "bool" && want == boolean:
		return d.mistaken(kind, want)
	}
	w, err := d.Word()
	if err != nil {
		return err
	}
	var n int
	if *to, n = read(w); n != len(w) {
		return d.mistaken(fmt.Sprintf("number %.40s", w), want)
	}
	return nil
}

// readInteger reads a whole number.
func readInteger[T int | int64](b []byte) (T, int) {
	v, n := document.Integer(b)
	if int64(T(v)) != v {
		return 0, 0
	}
	return T(v), n
}

// mistaken says that a value is of another kind than wanted.
func (d *decoder) mistaken(kind, want string) error {
	switch {
	case kind == "":
		w, err := d.Word()
		if err == nil {
			err = d.Fault("%q, want %s", w, want)
		}
		return err
	case len(d.path) == 0:
		return d.Fault("the file is a JSON %s, want %s", kind, want)
	}
	return d.Fault("%q is a JSON %s, want %s", strings.Join(d.path, "."), kind, want)
}

// field is the part of a struct that a key names, or none.
type field struct {
	is, ignored bool
	number      int
}

// field returns the field of a key in a type, and remembers it.
func (d *decoder) field(t reflect.Type, key string) field {
	f, ok := d.fields[t][key]
	if !ok {
		f = fieldOf(t, key)
		if d.fields[t] == nil {
			d.fields[t] = make(map[string]field)
		}
		d.fields[t][key] = f
	}
	return f
}

// fieldOf returns the field of a struct that a key names.
func fieldOf(t reflect.Type, key string) field {
	for i := range t.NumField() {
		f := t.Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name == key && key != "" {
			return field{is: true, number: i}
		}
		if slices.Contains(strings.Fields(f.Tag.Get("ignored")), key) {
			return field{ignored: true}
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
