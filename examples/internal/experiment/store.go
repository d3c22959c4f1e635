package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/atomicfile"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// ErrStore is returned when results cannot be written to their folder.
var ErrStore = errors.New("cannot keep results")

// store is a folder of results, one file each.
type store struct {
	folder  string // "" keeps nothing
	fresh   bool   // what is there does not count
	program string // identifies what makes the results
}

// openStore makes the folder and checks that files can be written to it, so that a
// wrong one is known before any work is done.
func openStore(folder string, fresh bool) (*store, error) {
	s := &store{folder: folder, fresh: fresh}
	if folder == "" {
		return s, nil
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStore, err)
	}
	probe, err := os.CreateTemp(folder, ".probe*")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStore, err)
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStore, err)
	}
	if s.program, err = fingerprint(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStore, err)
	}
	return s, nil
}

// fingerprint is a checksum of the running program: other code may have other results.
func fingerprint() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// path is that of the result with this name, which becomes the file's.
func (s *store) path(name fmt.Stringer) string {
	return filepath.Join(s.folder, strings.ReplaceAll(name.String(), " ", "-")+".json")
}

// header begins a record and says what it is about.
type header struct {
	Program string `json:"program"` // checksum of the program
	Data    string `json:"data"`    // checksum of the prepared set
	Name    string `json:"name"`
}

// record is the content of a file: the result of a subject or of a run.
type record struct {
	header
	Test   *Test   `json:"test,omitzero"`
	Points []point `json:"points,omitzero"`
}

func (s *store) header(name fmt.Stringer, data string) header {
	return header{s.program, data, name.String()}
}

// read returns the record with this header, nil if there is none or it is torn or
// about something else.
func (s *store) read(name fmt.Stringer, data string) (*record, error) {
	if s.folder == "" || s.fresh {
		return nil, nil
	}
	text, err := os.ReadFile(s.path(name))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := new(record)
	if json.Unmarshal(text, r) != nil || r.header != s.header(name, data) {
		return nil, nil
	}
	return r, nil
}

func (s *store) write(name fmt.Stringer, r *record) error {
	if s.folder == "" {
		return nil
	}
	err := atomicfile.Write(s.path(name), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(r)
	})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	return nil
}

// keptTest returns the result of a subject if it is known, nil otherwise.
func (l *Lab) keptTest(ctx context.Context, s Subject) (*Test, error) {
	if t := l.tests[s]; t != nil {
		return t, nil
	}
	set, err := l.set(ctx, s.Set)
	if err != nil {
		return nil, err
	}
	r, err := l.store.read(s, set.checksum)
	if err != nil || r == nil || r.Test == nil {
		return nil, err
	}
	l.tests[s] = r.Test
	return r.Test, nil
}

func (l *Lab) keepTest(ctx context.Context, s Subject, t *Test) error {
	set, err := l.set(ctx, s.Set)
	if err != nil {
		return err
	}
	return l.store.write(s, &record{header: l.store.header(s, set.checksum), Test: t})
}

// keptPoints returns the result of a run if it is known, nil otherwise.
func (l *Lab) keptPoints(ctx context.Context, r Run) ([]metrics.Point, error) {
	if points := l.points[r]; points != nil {
		return points, nil
	}
	set, err := l.set(ctx, r.Set)
	if err != nil {
		return nil, err
	}
	kept, err := l.store.read(r, set.checksum)
	if err != nil || kept == nil || kept.Points == nil {
		return nil, err
	}
	points := make([]metrics.Point, len(kept.Points))
	for i := range points {
		points[i] = kept.Points[i].restore()
	}
	l.points[r] = points
	return points, nil
}

func (l *Lab) keepPoints(ctx context.Context, r Run, points []metrics.Point) error {
	set, err := l.set(ctx, r.Set)
	if err != nil {
		return err
	}
	kept := &record{header: l.store.header(r, set.checksum), Points: make([]point, len(points))}
	for i := range points {
		kept.Points[i] = newPoint(&points[i])
	}
	return l.store.write(r, kept)
}
