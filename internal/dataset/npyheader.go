package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

const npyMagic = "\x93NUMPY"

// readHeader reads everything before the values: a magic string, the version, the length of the
// dictionary that follows, and the dictionary, which it returns. That is Latin-1 before version 3
// and UTF-8 since.
func readHeader(r io.Reader) (string, error) {
	const longest = 1 << 20 // real ones have about a hundred bytes, or thirty a field
	begin, err := readExactly(r, len(npyMagic)+2)
	if err != nil {
		return "", err
	}
	if magic := string(begin[:len(npyMagic)]); magic != npyMagic {
		return "", fmt.Errorf("the file starts with %s, which is not the beginning of an NPY file",
			quote(magic))
	}
	version, width := begin[len(npyMagic)], 4
	switch version {
	case 1:
		width = 2
	case 2, 3:
	default:
		return "", fmt.Errorf("version %d of the NPY format is not known", version)
	}
	field, err := readExactly(r, width)
	if err != nil {
		return "", err
	}
	length := binary.LittleEndian.Uint32(append(field, 0, 0))
	if length > longest {
		return "", fmt.Errorf("%w: the NPY header announces %d bytes, at most %d are allowed",
			ErrTooLarge, length, longest)
	}
	text, err := readExactly(r, int(length))
	if err != nil || version == 3 {
		return string(text), err
	}
	letters := make([]rune, len(text))
	for i, b := range text {
		letters[i] = rune(b)
	}
	return string(letters), nil
}

// readExactly reads so many bytes of the header.
func readExactly(r io.Reader, n int) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err == nil && len(b) < n {
		err = errors.New("the file ends within its NPY header")
	}
	return b, err
}

// header is what the dictionary says.
type header struct {
	fields  []field // one, but of records
	records bool
	fortran bool
	shape   []int // one length of records
}

var errHeader = errors.New("the NPY header is malformed")

// parseHeader reads the dictionary, whose keys NumPy writes in this order.
func parseHeader(text string) (h header, err error) {
	p := &literal{text: text}
	if !p.skip("{") || !p.key("descr") {
		return h, errHeader
	}
	var kind string
	if h.records = p.skip("["); h.records {
		h.fields, err = p.fields()
	} else if h.fields = make([]field, 1); p.quoted(&kind) {
		h.fields[0], err = newField("", kind)
	} else {
		err = errHeader
	}
	if err != nil {
		return h, err
	}
	ok := p.skip(",") && p.key("fortran_order")
	h.fortran = p.skip("True")
	ok = ok && (h.fortran || p.skip("False")) && p.skip(",") && p.key("shape") && p.skip("(")
	for ok && !p.skip(")") {
		var n int
		if n, ok = p.number(); ok {
			h.shape = append(h.shape, n)
			p.skip(",")
		}
	}
	p.skip(",")
	switch {
	case !ok || !p.skip("}") || strings.TrimSpace(p.text) != "":
		return h, errHeader
	case h.records && len(h.shape) != 1:
		return h, errors.New("the records are no vector")
	}
	return h, nil
}

// fields reads the rest of a list of the names and types of fields.
func (p *literal) fields() (fields []field, err error) {
	known := make(map[string]bool)
	for !p.skip("]") {
		var name, kind string
		ok := p.skip("(") && p.quoted(&name) && p.skip(",") && p.quoted(&kind)
		more := ok && p.skip(",")
		switch closed := p.skip(")"); {
		case more && !closed:
			return nil, fmt.Errorf("field %q holds several values", name)
		case !ok || !closed || len(fields) == MaxFeatures:
			return nil, errHeader
		}
		f, err := newField(name, kind)
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", name, err)
		}
		if known[name] {
			return nil, fmt.Errorf("two fields are named %q", name)
		}
		known[name] = true
		fields = append(fields, f)
		p.skip(",")
	}
	if fields == nil {
		return nil, errHeader
	}
	return fields, nil
}

// literal is the rest of a literal of Python.
type literal struct{ text string }

// skip passes a token, and blanks before it.
func (p *literal) skip(token string) bool {
	rest, found := strings.CutPrefix(strings.TrimLeft(p.text, " "), token)
	if found {
		p.text = rest
	}
	return found
}

// key passes a key of a dictionary.
func (p *literal) key(name string) bool { return p.skip("'"+name+"'") && p.skip(":") }

// number reads a whole number.
func (p *literal) number() (int, bool) {
	text := strings.TrimLeft(p.text, " ")
	rest := strings.TrimLeft(text, "-0123456789")
	n, err := strconv.Atoi(text[:len(text)-len(rest)])
	p.text = rest
	return n, err == nil
}

// quoted reads a string.
func (p *literal) quoted(s *string) bool {
	p.text = strings.TrimLeft(p.text, " ")
	if p.text == "" || p.text[0] != '\'' && p.text[0] != '"' {
		return false
	}
	quote, out := p.text[0], new(strings.Builder)
	p.text = p.text[1:]
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
