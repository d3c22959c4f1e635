package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// Schema is the number of the format of files and of Meta.
const Schema = 1

// The commands that write the files.
const (
	Attacking  = "facet attack"
	Certifying = "facet certify"
	Explaining = "facet explain"
)

// Meta describes the run that made a file. It stands beside it.
type Meta struct {
	Schema   int               `json:"schema"`
	Program  string            `json:"program"`
	Version  string            `json:"version"`
	Flags    map[string]string `json:"flags"` // those that determine the results
	Inputs   map[string]Input  `json:"inputs"`
	Classes  []tabular.Label   `json:"classes"`
	Features []string          `json:"features"` // null if no file names them
	// the limits of inputs in files, besides those that it names
	Limits    []string `json:"limits,omitempty"`
	Dimension int      `json:"dimension"`
	// null: distances are in the units of the files
	Scaling  *Scaling `json:"scaling"`
	TestRows int      `json:"test_rows"` // of the test file
	Rows     int      `json:"rows"`      // that the run has lines for, all shards together
	Lines    int      `json:"lines"`     // that this file will have
	// rows of this file that have no line, because they are faulty
	Refused int    `json:"refused,omitempty"`
	Shard   *Shard `json:"shard"` // null: all of them
}

// Input is a file that was read.
type Input struct {
	Path string `json:"path"`
	Sum  string `json:"sha256"`
}

// Scaling says how features became those whose distances are measured: scaled = value·scale +
// shift.
type Scaling struct {
	Scale []float64 `json:"scale"`
	Shift []float64 `json:"shift"`
}

// Shard is a part of the rows: every Count-th of them.
type Shard struct {
	Index int `json:"index"` // from 1
	Count int `json:"count"`
}

// ParseShard reads I/N.
func ParseShard(text string) (*Shard, error) {
	s := new(Shard)
	if n, err := fmt.Sscanf(text, "%d/%d", &s.Index, &s.Count); err != nil || n != 2 ||
		s.String() != text || s.Index < 1 || s.Index > s.Count {
		return nil, fmt.Errorf("%q is no shard: 2/5 is the second of five", text)
	}
	return s, nil
}

func (s *Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// part names the rows of a file.
func (m *Meta) part() string {
	if m.Shard == nil {
		return "all rows"
	}
	return "shard " + m.Shard.String()
}

// partDiffers returns an error if an older file is of other rows of the run.
func (m *Meta) partDiffers(old *Meta) error {
	if old.part() == m.part() {
		return nil
	}
	return fmt.Errorf("it is for %s, not for %s", old.part(), m.part())
}

// Take returns the shard's part of a list, which is all of it for nil.
func Take[T any](s *Shard, list []T) []T {
	if s == nil {
		return list
	}
	part := []T{}
	for i := s.Index - 1; i < len(list); i += s.Count {
		part = append(part, list[i])
	}
	return part
}

// MetaPath is where the Meta of a file is.
func MetaPath(path string) string { return path + ".meta.json" }

func (m *Meta) encode() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	return append(text, '\n'), err
}

func (m *Meta) write(path string) error {
	text, err := m.encode()
	if err != nil {
		return err
	}
	return replace(MetaPath(path), func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// readMeta reads the description of the run that made a file.
func readMeta(path string) (*Meta, error) {
	text, err := os.ReadFile(MetaPath(path))
	if errors.Is(err, os.ErrNotExist) {
		if _, err := os.Stat(path); err != nil {
			return nil, errors.New("there is no such file")
		}
		return nil, fmt.Errorf("it is no file of results of facet attack, certify or explain, or "+
			"%s, which says what made it, is gone from beside it", filepath.Base(MetaPath(path)))
	}
	if err != nil {
		return nil, err
	}
	m, err := decodeMeta(text)
	if err != nil {
		return nil, fmt.Errorf("%s %w", MetaPath(path), err)
	}
	return m, nil
}

func decodeMeta(text []byte) (*Meta, error) {
	m := new(Meta)
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(m); err != nil ||
		!slices.Contains([]string{Attacking, Certifying, Explaining}, m.Program) {
		return nil, fmt.Errorf("is not of %s", Attacking)
	}
	if m.Schema != Schema {
		return nil, fmt.Errorf("has schema %d, this program knows %d", m.Schema, Schema)
	}
	return m, nil
}

// differs returns an error that names the first difference of an older file. The version
// may differ: the file then says which one began it.
func (m *Meta) differs(old *Meta) error {
	if m.Program != old.Program {
		return fmt.Errorf("it was made by %s, not %s", old.Program, m.Program)
	}
	if name, ok := firstDifference(m.Flags, old.Flags); ok {
		return fmt.Errorf("it was made with --%s %q, not %q", name, old.Flags[name], m.Flags[name])
	}
	sums := func(inputs map[string]Input) map[string]string {
		out := make(map[string]string)
		for name, input := range inputs {
			out[name] = input.Sum
		}
		return out
	}
	if name, ok := firstDifference(sums(m.Inputs), sums(old.Inputs)); ok {
		return fmt.Errorf("it was made from another file than --%s %s is now",
			name, m.Inputs[name].Path)
	}
	switch {
	case !slices.Equal(m.Classes, old.Classes):
		return fmt.Errorf("its classes are %v, not %v", old.Classes, m.Classes)
	case m.Rows != old.Rows || m.TestRows != old.TestRows:
		return fmt.Errorf("it is for %d of %d test rows, not %d of %d",
			old.Rows, old.TestRows, m.Rows, m.TestRows)
	}
	return nil
}

func firstDifference(a, b map[string]string) (name string, ok bool) {
	union := maps.Clone(a)
	maps.Copy(union, b)
	for _, name := range slices.Sorted(maps.Keys(union)) {
		if a[name] != b[name] {
			return name, true
		}
	}
	return "", false
}

// Encode returns the file of all lines, and the one beside it, for programs that keep
// files elsewhere than in folders: the second is to be there first.
func Encode(m *Meta, lines []Line) (text, meta []byte, err error) {
	var b bytes.Buffer
	for _, l := range lines {
		line, err := json.Marshal(l)
		if err != nil {
			return nil, nil, fmt.Errorf("row %d: %w", l.Row, err)
		}
		b.Write(append(line, '\n'))
	}
	meta, err = m.encode()
	return b.Bytes(), meta, err
}

// Continue reads the Meta beside the file of a shard, and returns an error unless it is of the same
// run.
func Continue(m *Meta, text []byte) (*Meta, error) {
	old, err := decodeMeta(text)
	if err != nil {
		return nil, err
	}
	if err := m.differs(old); err != nil {
		return nil, err
	}
	if old.Shard == nil || m.Shard != nil && old.Shard.Count != m.Shard.Count {
		return nil, fmt.Errorf("it is for %s, not for %s", old.part(), m.part())
	}
	return old, nil
}
