package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// field is a column of an array of records.
type field struct {
	name  string
	kind  reflect.Kind
	size  int
	order binary.ByteOrder
}

// records reads an array of records, whose fields are columns with names, such as
// pandas.DataFrame.to_records makes.
func records(header string, r io.Reader, limits Limits) (*Array, error) {
	fields, rows, err := parseRecords(header)
	if err != nil {
		return nil, err
	}
	if err := limits.Check(rows, len(fields)); err != nil {
		return nil, err
	}
	a := &Array{Shape: []int{rows, len(fields)}}
	width := 0
	for _, f := range fields {
		a.Names = append(a.Names, f.name)
		width += f.size
	}
	record := make([]byte, width)
	for i := range rows {
		if n, err := io.ReadFull(r, record); errors.Is(err, io.EOF) || n > 0 && n < width {
			return nil, fmt.Errorf("the file ends after %d of %d records", i, rows)
		} else if err != nil {
			return nil, err
		}
		rest := record
		for _, f := range fields {
			v, err := f.value(rest)
			if err != nil {
				return nil, fmt.Errorf("record %d, field %q: %w", i, f.name, err)
			}
			a.Data, rest = append(a.Data, v), rest[f.size:]
		}
	}
	if n, err := io.ReadFull(r, record[:1]); n > 0 {
		return nil, fmt.Errorf("the file goes on after its %d records", rows)
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return a, nil
}

// value decodes the value at the beginning of the bytes.
func (f *field) value(b []byte) (float64, error) {
	switch f.kind {
	case reflect.Float64:
		return math.Float64frombits(f.order.Uint64(b)), nil
	case reflect.Float32:
		return float64(math.Float32frombits(f.order.Uint32(b))), nil
	case reflect.Bool, reflect.Uint8:
		return float64(b[0]), nil
	case reflect.Uint16:
		return float64(f.order.Uint16(b)), nil
	case reflect.Uint32:
		return float64(f.order.Uint32(b)), nil
	case reflect.Uint64:
		v := f.order.Uint64(b)
		return exact(float64(v), v)
	case reflect.Int8:
		return float64(int8(b[0])), nil
	case reflect.Int16:
		return float64(int16(f.order.Uint16(b))), nil
	case reflect.Int32:
		return float64(int32(f.order.Uint32(b))), nil
	}
	v := int64(f.order.Uint64(b))
	return exact(float64(v), v)
}

// exact refuses integers from 2⁵³ on, of which neighbouring ones become one float64.
func exact(v float64, integer any) (float64, error) {
	if math.Abs(v) >= 1<<53 {
		return 0, fmt.Errorf("the integer %v is too large to be exact in a float64", integer)
	}
	return v, nil
}

// recordsDict is the dictionary of a header up to the list of fields.
var recordsDict = regexp.MustCompile(`^\s*\{\s*'descr':\s*\[`)

// recordsShape is what follows the list, with the number of records.
var recordsShape = regexp.MustCompile(`^\s*,\s*'fortran_order':\s*(?:True|False)\s*,` +
	`\s*'shape':\s*\(\s*(\d+)\s*,?\s*\)\s*,?\s*\}\s*$`)

// parseRecords returns the fields and the number of records that a header announces.
func parseRecords(header string) (fields []field, rows int, err error) {
	malformed := errors.New("the NPY header is malformed")
	p := &literal{text: header[len(recordsDict.FindString(header)):]}
	known := make(map[string]bool)
	for !p.skip("]") {
		var name, kind string
		ok := p.skip("(") && p.quoted(&name) && p.skip(",") && p.quoted(&kind)
		if ok && p.skip(",") && !p.skip(")") {
			return nil, 0, fmt.Errorf("field %q holds several values", name)
		}
		if !ok || !p.closed() || len(fields) == MaxFeatures {
			return nil, 0, malformed
		}
		f, err := newField(name, kind)
		if err != nil {
			return nil, 0, err
		}
		if known[name] {
			return nil, 0, fmt.Errorf("two fields are named %q", name)
		}
		known[name] = true
		fields = append(fields, f)
		p.skip(",")
	}
	shape := recordsShape.FindStringSubmatch(p.text)
	if shape == nil {
		return nil, 0, fmt.Errorf("%w, or the records are no vector", malformed)
	}
	if rows, err = strconv.Atoi(shape[1]); err != nil {
		return nil, 0, malformed
	}
	return fields, rows, nil
}

func newField(name, kind string) (field, error) {
	if kind == "|b1" {
		return field{name, reflect.Bool, 1, nil}, nil
	}
	t, err := numberType(kind)
	if err != nil {
		return field{}, fmt.Errorf("field %q: %w", name, err)
	}
	f := field{name, t.Kind(), int(t.Size()), binary.LittleEndian}
	if kind[0] == '>' {
		f.order = binary.BigEndian
	}
	return f, nil
}

// literal is the rest of a literal of Python.
type literal struct {
	text string
	done bool // the last comma was followed by the end of a tuple
}

// skip passes a token, and blanks before it.
func (p *literal) skip(token string) bool {
	rest, found := strings.CutPrefix(strings.TrimLeft(p.text, " "), token)
	if found {
		p.text, p.done = rest, token == ")"
	}
	return found
}

// closed reports whether a tuple has ended, or ends here.
func (p *literal) closed() bool { return p.done || p.skip(")") }

// quoted reads a string.
func (p *literal) quoted(s *string) bool {
	p.text = strings.TrimLeft(p.text, " ")
	if p.text == "" || p.text[0] != '\'' && p.text[0] != '"' {
		return false
	}
	quote, out := p.text[0], new(strings.Builder)
	p.text, p.done = p.text[1:], false
	for p.text != "" {
		if p.text[0] == quote {
			p.text = p.text[1:]
			*s = out.String()
			return utf8.ValidString(*s)
		}
		// Python and Go have the same escapes, but for \' and \" in strings of the other quote.
		if strings.HasPrefix(p.text, `\'`) || strings.HasPrefix(p.text, `\"`) {
			out.WriteByte(p.text[1])
			p.text = p.text[2:]
			continue
		}
		r, _, rest, err := strconv.UnquoteChar(p.text, 0)
		if err != nil {
			return false
		}
		out.WriteRune(r)
		p.text = rest
	}
	return false
}

// headerOf returns the dictionary of a header that was copied, which is Latin-1 before version 3
// and UTF-8 since.
func headerOf(buf *bytes.Buffer) string {
	const version = 6
	text := buf.Bytes()
	switch v := text[version]; {
	case v <= 1: // there is no version 0, and what says so is for the library to refuse
		return latin(text[10:])
	case v == 2:
		return latin(text[12:])
	}
	return string(text[12:])
}

func latin(text []byte) string {
	letters := make([]rune, len(text))
	for i, b := range text {
		letters[i] = rune(b)
	}
	return string(letters)
}
