package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
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

// header has the entries of the dictionary.
type header struct {
	fields  []field // one, but of records
	records bool
	fortran bool
	shape   []int // one length of records
}

var errHeader = errors.New("the NPY header is malformed")

// literal is a string of Python.
const literal = `('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")`

var (
	// dictionary has its keys in the order in which NumPy writes them.
	dictionary = regexp.MustCompile(`^ *\{ *'descr' *: *(?:` + literal + `|\[(.*)\]) *,` +
		` *'fortran_order' *: *(True|False) *, *'shape' *: *\(([-0-9, ]*)\) *,? *\}\s*$`)
	// record is the name and the type of a field.
	record = regexp.MustCompile(`^ *\( *` + literal + ` *, *` + literal + ` *(,?) *(\)?) *,? *`)
)

// parseHeader reads the dictionary.
func parseHeader(text string) (h header, err error) {
	parts := dictionary.FindStringSubmatch(text)
	if parts == nil {
		return h, errHeader
	}
	kind, list := parts[1], parts[2]
	h.fortran, h.records = parts[3] == "True", kind == ""
	for length := range strings.FieldsSeq(strings.ReplaceAll(parts[4], ",", " ")) {
		n, err := strconv.Atoi(length)
		if err != nil {
			return h, errHeader
		}
		h.shape = append(h.shape, n)
	}
	if h.records {
		h.fields, err = fields(list)
	} else {
		h.fields = make([]field, 1)
		h.fields[0], err = newField("", kind[1:len(kind)-1])
	}
	if err == nil && h.records && len(h.shape) != 1 {
		err = errors.New("the records are no vector")
	}
	return h, err
}

// fields reads a list of the names and types of fields.
func fields(list string) (fields []field, err error) {
	known := make(map[string]bool)
	for fields == nil || list != "" {
		parts := record.FindStringSubmatch(list)
		if parts == nil || len(fields) == MaxFeatures {
			return nil, errHeader
		}
		name, ok := unquoted(parts[1])
		list = list[len(parts[0]):]
		switch more, closed := parts[3] != "", parts[4] != ""; {
		case ok && more && !closed:
			return nil, fmt.Errorf("field %q holds several values", name)
		case !ok || !closed:
			return nil, errHeader
		case known[name]:
			return nil, fmt.Errorf("two fields are named %q", name)
		}
		f, err := newField(name, parts[2][1:len(parts[2])-1])
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", name, err)
		}
		known[name] = true
		fields = append(fields, f)
	}
	return fields, nil
}

// unquoted returns the string of a literal: Python and Go have the same escapes, but for those of
// quotes and \x, which is a letter in Python and a byte in Go.
func unquoted(literal string) (string, bool) {
	inner := strings.NewReplacer(`\\`, `\\`, `\'`, `'`, `\"`, `\"`, `"`, `\"`, `\x`, `\u00`).
		Replace(literal[1 : len(literal)-1])
	text, err := strconv.Unquote(`"` + inner + `"`)
	return text, err == nil && utf8.ValidString(text)
}
