package costs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// object is a JSON object whose keys stand in the order of the file, without comments.
type object []entry

// entry is a key and its value: an object, a []any, a string, a json.Number, a bool or nil.
type entry struct {
	key   string
	value any
}

// comment is the key that is ignored everywhere, and may be there more than once.
const comment = "//"

// deepest is how far values may be nested: a file of rules needs three levels.
const deepest = 16

// readObject reads the one object that a file is.
func readObject(text []byte) (object, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := readValue(d, deepest)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("something stands behind the object")
		}
	}
	if err != nil {
		if len(bytes.TrimSpace(text)) == 0 {
			return nil, errors.New("the file is empty")
		}
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) ||
			errors.Is(err, io.EOF) {
			err = fmt.Errorf("not JSON: %w", err)
		}
		return nil, fmt.Errorf("line %d: %w",
			1+bytes.Count(text[:min(d.InputOffset(), int64(len(text)))], []byte("\n")), err)
	}
	o, ok := v.(object)
	if !ok {
		return nil, fmt.Errorf(`the file is %s; an object with "features" and "groups" is wanted`,
			describe(v))
	}
	return o, nil
}

func readValue(d *json.Decoder, depth int) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	if depth == 0 {
		return nil, errors.New("values are nested too deep")
	}
	switch t {
	case json.Delim('{'):
		return readEntries(d, depth-1)
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := readValue(d, depth-1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	}
	return t, nil
}

func readEntries(d *json.Decoder, depth int) (object, error) {
	o, seen := object{}, make(map[string]bool)
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, _ := t.(string) // the decoder lets only strings be keys
		if seen[key] && key != comment {
			return nil, fmt.Errorf("the key %q is there twice", key)
		}
		seen[key] = true
		v, err := readValue(d, depth)
		if err != nil {
			return nil, err
		}
		if key != comment {
			o = append(o, entry{key, v})
		}
	}
	_, err := d.Token()
	return o, err
}

// describe names the type of a value.
func describe(v any) string {
	switch v := v.(type) {
	case object:
		return "an object"
	case []any:
		return "a list"
	case string:
		return fmt.Sprintf("%.40q", v)
	case nil:
		return "null"
	}
	return fmt.Sprintf("%.40v", v)
}

// unknownKey is the error of a key that has no meaning where it stands.
func unknownKey(key string, keys []string) error {
	return fmt.Errorf("there is no key %.40q; the keys are %s%s",
		key, strings.Join(keys, ", "), tabular.Suggest(key, keys))
}
