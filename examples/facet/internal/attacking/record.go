package attacking

import (
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// record is the first line of -out: what made the file.
type record struct {
	Program string            `json:"program"`
	Version string            `json:"version"`
	Flags   map[string]string `json:"flags"`
	Inputs  map[string]string `json:"inputs"` // SHA-256 by flag
}

// recorder tells records from the first lines of other files.
const recorder = "facet attack"

func newRecord(s *settings) (record, error) {
	r := record{Program: recorder, Version: command.Release(), Flags: s.flags, Inputs: make(map[string]string)}
	for name, path := range s.inputs() {
		sum, err := checksum(path)
		if err != nil {
			return record{}, fmt.Errorf("--%s: %w", name, err)
		}
		if sum != "" {
			r.Inputs[name] = sum
		}
	}
	return r, nil
}

// checksum returns nothing for a pipe, which cannot be read a second time.
func checksum(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", err
	}
	return outfile.Checksum(path)
}

// differs returns an error that names the first difference of an older record. The version
// may differ: the file then says which one began it.
func (r *record) differs(old *record) error {
	if name, ok := firstDifference(r.Flags, old.Flags); ok {
		return fmt.Errorf("it was made with --%s %q, not %q", name, old.Flags[name], r.Flags[name])
	}
	if name, ok := firstDifference(r.Inputs, old.Inputs); ok {
		return fmt.Errorf("it was made from another file than --%s %s is now", name, r.Flags[name])
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
