package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// eachLine reads the complete lines, and leaves out one at the end that is torn.
func eachLine[L Record[L]](file *os.File, each func(L, span) error) error {
	r, start := bufio.NewReader(file), int64(0)
	for number := 1; ; number++ {
		text, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		l, err := readLine[L](text)
		if err == nil {
			err = each(l, span{file, l.number(), start, len(text)})
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		start += int64(len(text))
	}
}

func readLine[L Record[L]](text []byte) (l L, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		// the rest of a JSON error is about Go's types
		return l, errors.New("not the result of a row")
	}
	return l, l.check()
}

// Read reads the file of a run whose rows all have a line, and its settings: of facet attack or
// facet certify, or of facet explain.
func Read[L Record[L]](path string) (*Meta, []L, error) {
	m, err := readMeta(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	of := Attacking
	if _, reasons := any((*L)(nil)).(*Explanation); reasons {
		of = Explaining
	}
	if (of == Explaining) != (m.Program == Explaining) {
		return nil, nil, fmt.Errorf("%s is of %s, not of %s", path, m.Program, of)
	}
	lines, err := readAll[L](path, m)
	return m, lines, err
}

// Program returns the command that made a file of results; "" for any other file.
func Program(path string) string {
	m, err := readMeta(path)
	if err != nil {
		return ""
	}
	return m.Program
}

func readAll[L Record[L]](path string, m *Meta) (lines []L, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	err = eachLine(file, func(l L, _ span) error {
		lines = append(lines, l)
		return nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case len(lines) != m.Lines:
		return nil, fmt.Errorf("%s has %d of its %d rows: continue it with %s --resume",
			path, len(lines), m.Lines, m.Program)
	}
	return lines, nil
}
