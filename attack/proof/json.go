package proof

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// parseJSON reads a value, in which no object has a key twice: map[string]any, []any, json.Number, string, bool or nil.
func parseJSON(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v := parseValue(d, 0)
	_, err := d.Token()
	demand(err == io.EOF, "byte %d: more follows", d.InputOffset())
	return v
}

func parseValue(d *json.Decoder, depth int) any {
	token, err := d.Token()
	if err != nil || depth > 100 {
		demand(false, "no LightGBM's text, and no JSON that is read: byte %d: %w", d.InputOffset(), err)
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			list = append(list, parseValue(d, depth+1))
		}
		parseValue(d, depth) // the end, or what is wrong with it
		return list
	case json.Delim('{'):
		object := map[string]any{}
		for d.More() {
			key := parseValue(d, depth).(string) // or Token would have failed
			_, twice := object[key]
			demand(!twice, "byte %d: the key %.40q again", d.InputOffset(), key)
			object[key] = parseValue(d, depth+1)
		}
		parseValue(d, depth)
		return object
	}
	return token
}

// as returns a value of a type, that type's zero for nothing.
func as[T any](v any) T {
	t, ok := v.(T)
	if !ok && v != nil {
		demand(false, "%.40v is no %T", v, t)
	}
	return t
}

// get returns what belongs to keys of objects within each other, nil if there is nothing.
func get(v any, keys ...string) any {
	for _, key := range keys {
		v = as[map[string]any](v)[key]
	}
	return v
}

// list reads the elements of an array, none of nothing.
func list[T any](v any, read func(any) T) []T {
	array := as[[]any](v)
	values := make([]T, len(array))
	for i, e := range array {
		values[i] = read(e)
	}
	return values
}

// decimal returns a finite number, rounded to so many bits.
func decimal(v any, bits int) float64 {
	n, _ := v.(json.Number)
	f, err := strconv.ParseFloat(string(n), bits)
	if err != nil || !finite(f) {
		demand(false, "%.40v is no number", v)
	}
	return f
}

func float(v any) float64    { return decimal(v, 64) }
func single(v any) float64   { return decimal(v, 32) }
func floats(v any) []float64 { return list(v, float) }
func integers(v any) []int   { return list(v, integer) }

// integer returns a number, or one in a string.
func integer(v any) int {
	n, err := strconv.Atoi(fmt.Sprint(v))
	if err != nil {
		demand(false, "%.40v is no integer", v)
	}
	return n
}

// optional returns a number, or another where there is nothing.
func optional(v any, missing int) int {
	if v == nil {
		return missing
	}
	return integer(v)
}
