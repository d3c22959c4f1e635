package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// document is a value of a JSON file: map[string]any, []any, json.Number, string, bool or nil. The
// first fault of what is asked of it is kept in err.
type document struct {
	value any
	err   *error
}

// parseJSON reads a file, in which no object has a key twice.
func parseJSON(text []byte) (document, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	value, err := parseValue(d, 0)
	if err == nil {
		if _, err = d.Token(); err != io.EOF {
			err = errors.New("more follows")
		} else {
			err = nil
		}
	}
	if err != nil {
		err = fmt.Errorf("byte %d: %w", d.InputOffset(), err)
	}
	return document{value, new(error)}, err
}

func parseValue(d *json.Decoder, depth int) (any, error) {
	token, err := d.Token()
	if err == io.EOF || depth > 100 {
		err = errors.New("the text ends within a value, or is too deep")
	}
	switch {
	case err != nil:
		return nil, err
	case token == json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := parseValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	case token == json.Delim('{'):
		object := map[string]any{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			name := key.(string) // or Token would have failed
			if _, twice := object[name]; twice {
				return nil, fmt.Errorf("the key %.40q again", name)
			}
			if object[name], err = parseValue(d, depth+1); err != nil {
				return nil, err
			}
		}
		_, err = d.Token()
		return object, err
	}
	return token, nil
}

func (d document) fail(format string, args ...any) {
	if *d.err == nil {
		*d.err = fmt.Errorf(format, args...)
	}
}

// get returns what belongs to a key, nothing if there is none.
func (d document) get(key string) document {
	object, ok := d.value.(map[string]any)
	if !ok && d.value != nil {
		d.fail("no object where %q is looked for", key)
	}
	return document{object[key], d.err}
}

// list returns the elements of an array, none of nothing.
func (d document) list() []document {
	array, ok := d.value.([]any)
	if !ok && d.value != nil {
		d.fail("%.40v is no array", d.value)
	}
	list := make([]document, len(array))
	for i, v := range array {
		list[i] = document{v, d.err}
	}
	return list
}

// text returns a string, or nothing.
func (d document) text() string {
	s, ok := d.value.(string)
	if !ok && d.value != nil {
		d.fail("%.40v is no string", d.value)
	}
	return s
}

// float returns a number, rounded to as many bits.
func (d document) float(bits int) float64 {
	number, ok := d.value.(json.Number)
	v, err := strconv.ParseFloat(string(number), bits)
	if !ok || err != nil {
		d.fail("%.40v is no number", d.value)
	}
	return v
}

func (d document) floats(bits int) []float64 {
	list := d.list()
	v := make([]float64, len(list))
	for i, e := range list {
		v[i] = e.float(bits)
	}
	return v
}

// integer returns a number, one in a string too, or another where there is nothing.
func (d document) integer(missing int) int {
	if d.value == nil {
		return missing
	}
	v, err := strconv.Atoi(fmt.Sprint(d.value))
	if err != nil {
		d.fail("%.40v is no integer", d.value)
	}
	return v
}

func (d document) integers() []int {
	list := d.list()
	v := make([]int, len(list))
	for i, e := range list {
		if v[i] = e.integer(0); e.value == nil {
			d.fail("a null among numbers")
		}
	}
	return v
}
