package tabular

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// Format is how a table is written.
type Format string

const (
	LIBSVM Format = "libsvm" // text, "label index:value …"
	CSV    Format = "csv"    // text in columns, with any separator
	TSV    Format = "tsv"    // text in columns, tabs between them
	NPY    Format = "npy"    // numpy's arrays, labels in a file of their own
	IDX    Format = "idx"    // MNIST's arrays, labels in a file of their own
)

// Formats are the formats, as they are listed to users.
var formats = []Format{LIBSVM, CSV, TSV, NPY, IDX}

// ParseFormat returns the format of a name; that of none stands for any.
func ParseFormat(name string) (Format, error) {
	for _, f := range append(formats, "") {
		if strings.EqualFold(name, string(f)) {
			return f, nil
		}
	}
	return "", fmt.Errorf("want libsvm, csv, tsv, npy or idx, not %q", name)
}

// suffixes of paths that tell a format.
var suffixes = map[string]Format{".csv": CSV, ".tsv": TSV, ".tab": TSV, ".npy": NPY, ".idx": IDX}

// foreign are beginnings of files that are no tables, with advice.
var foreign = []struct{ begin, advice string }{
	{"\xff\xfe", "it is UTF-16 text: save it as UTF-8"},
	{"\xfe\xff", "it is UTF-16 text: save it as UTF-8"},
	{"PK\x03\x04", "it is a zip archive, as .xlsx and .npz files are: save a sheet as CSV, an " +
		"array with numpy.save"},
	{"PAR1", "it is a Parquet file: pandas.read_parquet(…).to_csv(…, index=False) writes CSV"},
	{"\x89HDF", "it is an HDF5 file: save the table as CSV, or the arrays with numpy.save"},
	{"\xfd7zXZ", "it is compressed by xz: unpack it, or compress it with gzip"},
	{"\x28\xb5\x2f\xfd", "it is compressed by zstd: unpack it, or compress it with gzip"},
	{"\x80\x02", pickle}, {"\x80\x03", pickle}, {"\x80\x04", pickle}, {"\x80\x05", pickle},
	{"@relation", "it is an ARFF file: save it as CSV"},
	{"<!doctype", page}, {"<html", page},
	{"{", "it is JSON, not a table: save it as CSV"},
}

const (
	pickle = "it is a Python pickle: save the table with to_csv(…, index=False), or the array " +
		"with numpy.save"
	page = "it is a web page, not a table: was the download an error message?"
)

// formatOf tells the format of a file by its name and by how it begins.
func formatOf(name string, head []byte) (Format, error) {
	lower := unpacked(name)
	known, told := suffixes[filepath.Ext(lower)]
	for _, f := range foreign {
		if len(head) >= len(f.begin) && strings.EqualFold(string(head[:len(f.begin)]), f.begin) {
			return "", fmt.Errorf("%s", f.advice)
		}
	}
	switch {
	case bytes.HasPrefix(head, []byte("\x93NUMPY")):
		return NPY, nil
	case len(head) > 3 && head[0] == 0 && head[1] == 0 && head[2] == 8:
		return IDX, nil
	case strings.HasSuffix(lower, "-ubyte"):
		return IDX, nil
	case known != NPY && known != IDX && bytes.IndexByte(head, 0) >= 0:
		return "", fmt.Errorf(
			"it has zero bytes, as no text has but UTF-16 without a mark: save the table as CSV " +
				"in UTF-8",
		)
	case told:
		return known, nil
	case looksSparse(head):
		return LIBSVM, nil
	}
	return CSV, nil
}

// IsTable reports whether a file has the name of a table.
func IsTable(name string) bool {
	_, told := suffixes[filepath.Ext(unpacked(name))]
	return told
}

// unpacked returns the name of a file, in lower case, without the ending of a compressed one.
func unpacked(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".bz2")
}

// pair is a feature of a LIBSVM line.
var pair = regexp.MustCompile(`^[0-9]+:`)

// looksSparse reports whether a text begins as LIBSVM files do: a feature follows the label, or,
// where all features are zero, the end of the line.
func looksSparse(head []byte) bool {
	for _, line := range firstLines(head) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		fields := bytes.Fields(line)
		if len(fields) > 1 {
			return pair.Match(fields[1])
		}
		if len(fields) == 1 && !isNumber(string(fields[0])) {
			return false
		}
	}
	return true
}

// firstLines returns up to twenty lines that are not blank, whole ones if there is one.
func firstLines(head []byte) (lines [][]byte) {
	const most = 20
	if end := bytes.LastIndexByte(head, '\n'); end > 0 {
		head = head[:end]
	}
	for line := range bytes.Lines(head) {
		if len(bytes.TrimSpace(line)) > 0 && len(lines) < most {
			lines = append(lines, bytes.TrimRight(line, "\r\n"))
		}
	}
	return lines
}

// separatorOf returns the separator of the cells: one that occurs equally often, outside quotes, in
// each of the first lines, or else most often in the first one. A comma comes last, since it may be
// a decimal one.
func separatorOf(head []byte, comma bool) rune {
	lines := firstLines(head)
	if len(lines) == 0 {
		return ','
	}
	best, most := ' ', 0
	some := []byte{'\t', ';', '|', ','}
	if comma { // of numbers
		some = some[:3]
	}
	for _, sep := range some {
		n, equal := separators(lines[0], sep), true
		for _, line := range lines[1:] {
			equal = equal && separators(line, sep) == n
		}
		if n > 0 && equal {
			return rune(sep)
		}
		if n > most {
			best, most = rune(sep), n
		}
	}
	return best
}

// separators counts a byte outside quotes.
func separators(line []byte, sep byte) (n int) {
	quoted := false
	for _, b := range line {
		if b == '"' {
			quoted = !quoted
		}
		if b == sep && !quoted {
			n++
		}
	}
	return n
}

// ParseSeparator returns the separator of a name: a character, tab or space.
func ParseSeparator(name string) (rune, error) {
	switch name {
	case "tab", `\t`:
		return '\t', nil
	case "space":
		return ' ', nil
	}
	runes := []rune(name)
	if len(runes) != 1 || strings.ContainsRune("\"\r\n\ufffd", runes[0]) {
		return 0, fmt.Errorf("%q is no separator: a character, tab or space", name)
	}
	return runes[0], nil
}
