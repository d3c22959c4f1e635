// Package jsonvalue writes results as JSON. A number that is infinite, or missing in an input, is a
// word, for which JSON has no number: "+Inf", "-Inf", "NaN".
package jsonvalue

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Fields returns the fields of a struct by their names. Intervals are pairs of their ends.
func Fields(of any) ([]byte, error) {
	v, text := reflect.ValueOf(of), []byte{'{'}
	for i := range v.NumField() {
		value, err := json.Marshal(plain(v.Field(i)))
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(strconv.AppendQuote(text, v.Type().Field(i).Name), ':')
		text = append(text, value...)
	}
	return append(text, '}'), nil
}

// plain returns a value as package json has it.
func plain(v reflect.Value) any {
	switch own := v.Interface().(type) {
	case json.Marshaler, encoding.TextMarshaler:
		return own
	case polytope.Interval:
		return [...]any{number(own.Lo), number(own.Hi)}
	case float64:
		return number(own)
	}
	if v.Kind() == reflect.Array || v.Kind() == reflect.Slice && !v.IsNil() {
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plain(v.Index(i))
		}
		return list
	}
	return v.Interface()
}

func number(v float64) any {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return v
}
