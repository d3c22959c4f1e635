package experiment

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ErrStore is returned when results cannot be written to their folder.
var ErrStore = errors.New("cannot keep results")

// store is a folder of results, one file each.
type store struct {
	folder  string // "" keeps no result
	norm    polytope.Norm
	program string // identifies the program that makes the results
}

// openStore makes the folder and checks that files can be written to it, so that a
// wrong one is known before any work is done.
func openStore(folder string, norm polytope.Norm) (*store, error) {
	s := &store{folder: folder, norm: norm}
	if folder == "" {
		return s, nil
	}
	program, err := os.Executable()
	if err == nil {
		s.program, err = outfile.Checksum(program) // other code may have other results
	}
	if err == nil {
		err = outfile.Folder(folder)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStore, err)
	}
	return s, nil
}

// path is that of the result with this name, which becomes the file's.
func (s *store) path(name fmt.Stringer) string {
	text := name.String()
	if s.norm != polytope.LInf {
		text += " " + s.norm.String()
	}
	return filepath.Join(s.folder, strings.ReplaceAll(text, " ", "-")+".gob")
}

// record is the content of a file, in the encoding of package gob.
type record[V any] struct {
	Program string // checksum of the program
	Data    string // checksum of the prepared set
	Name    string
	Result  V
}

// subject is a Subject or a Run.
type subject interface {
	comparable
	fmt.Stringer
	set() string
}

// known returns the result of a subject, which find computes if it is not known yet.
func known[S subject, V any](
	ctx context.Context, l *Lab, memory map[S]V, s S, find func(context.Context, S) (V, error),
) (V, error) {
	result, ok, err := recall(ctx, l, memory, s)
	if ok || err != nil {
		return result, err
	}
	if l.options.Kept {
		return result, fmt.Errorf("%v: %w", s, ErrLeftOut)
	}
	if result, err = find(ctx, s); err != nil {
		return result, fmt.Errorf("%v: %w", s, err)
	}
	memory[s] = result
	if l.store.folder == "" {
		return result, nil
	}
	set, err := l.set(ctx, s.set())
	if err != nil {
		return result, err
	}
	kept := record[V]{l.store.program, set.checksum, s.String(), result}
	err = outfile.Write(l.store.path(s),
		func(w io.Writer) error { return gob.NewEncoder(w).Encode(kept) })
	if err != nil {
		return result, fmt.Errorf("%w: %w", ErrStore, err)
	}
	return result, nil
}

// recall returns the result of a subject if it is known already: not if its file is torn, or about
// something else.
func recall[S subject, V any](
	ctx context.Context, l *Lab, memory map[S]V, s S,
) (result V, ok bool, err error) {
	if result, ok = memory[s]; ok {
		return result, true, nil
	}
	set, err := l.set(ctx, s.set())
	if err != nil || l.store.folder == "" {
		return result, false, err
	}
	text, err := os.ReadFile(l.store.path(s))
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
		return result, false, err
	}
	var kept record[V]
	if gob.NewDecoder(bytes.NewReader(text)).Decode(&kept) != nil ||
		kept.Program != l.store.program || kept.Data != set.checksum || kept.Name != s.String() {
		return result, false, nil
	}
	memory[s] = kept.Result
	return kept.Result, true, nil
}
