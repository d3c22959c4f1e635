package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
)

// provide sees to it that a file is there, and prints a line about it.
func (t *fetcher) provide(ctx context.Context, s *settings, f *file) (string, error) {
	found := s.look(ctx, f)
	switch {
	case found.path == "":
		return t.download(ctx, s, f)
	case found.altered() && found.path == s.target(f):
		return t.replace(ctx, s, f, found.err)
	case found.altered():
		return "", fmt.Errorf("%s was altered: %w; remove it to have it downloaded",
			found.path, found.err)
	case found.err != nil:
		return "", found.err
	case found.other:
		return found.path + " is there, not as published and not checked", nil
	}
	return fmt.Sprintf("%s is there, %s checked", found.path, f.known.kind()), nil
}

// replace downloads a file again that is in the folder of downloads but altered.
func (t *fetcher) replace(
	ctx context.Context, s *settings, f *file, altered error,
) (string, error) {
	bad, err := setAside(s.target(f), s.target(f))
	if err != nil {
		return "", err
	}
	done, err := t.download(ctx, s, f)
	if err != nil {
		return "", fmt.Errorf("what was there was altered (%w) and is now %s; %w",
			altered, bad, err)
	}
	return fmt.Sprintf("%s; what was there, altered, is now %s", done, bad), nil
}

// setAside renames a file that is not the one of its path, and returns its new name.
func setAside(file, path string) (string, error) {
	bad := path + ".bad"
	return bad, os.Rename(file, bad)
}

// target is the path to which a file is downloaded.
func (s *settings) target(f *file) string {
	return filepath.Join(s.folder, filepath.FromSlash(f.name()))
}

// download gets a file that is missing from the first place that has it.
func (t *fetcher) download(ctx context.Context, s *settings, f *file) (string, error) {
	path := s.target(f)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", err
	}
	var failures []string
	for _, url := range f.urls(s.mirror) {
		err := t.fetch(ctx, url, path, f.known)
		if err == nil {
			return fmt.Sprintf("%s is downloaded, %s checked", path, f.known.kind()), nil
		}
		if errors.Is(err, syscall.ENOSPC) {
			err = fmt.Errorf("the disk is full: %w", err)
		}
		failures = append(failures, err.Error())
		if ctx.Err() != nil || onDisk(err) {
			failures = failures[len(failures)-1:]
			break // another place would not help
		}
	}
	return "", errors.New(strings.Join(append(failures, kept(path+partial)...), "; "))
}

// kept says how much of an unfinished file is there, which it removes if that is empty.
func kept(part string) []string {
	info, err := os.Stat(part)
	if err != nil {
		return nil
	}
	if info.Size() == 0 {
		os.Remove(part) // if that fails an empty file is left, which does no harm
		return nil
	}
	return []string{
		fmt.Sprintf("%s of it are kept in %s, and the same command goes on from there",
			size(info.Size()), part),
	}
}

// finding is the state of a file on disk.
type finding struct {
	path  string // "" when it is missing
	size  int64
	other bool  // it is there packed or unpacked otherwise than the checksum is known for
	err   error // why it cannot be used: *mismatch for an altered one
}

// look looks for a file, and checks it if a checksum is known for it as it is there.
func (s *settings) look(ctx context.Context, f *file) finding {
	path, err := protocol.Locate(f.base, s.folders...)
	if errors.Is(err, fs.ErrNotExist) {
		return finding{}
	}
	found := finding{path: path, err: err}
	if err != nil {
		return found
	}
	info, err := os.Stat(path)
	if err != nil {
		return finding{path: path, err: err}
	}
	found.size = info.Size()
	found.other = f.known.compressed && !strings.HasSuffix(path, filepath.FromSlash(f.name()))
	if !found.other {
		found.err = f.known.check(ctx, path)
	}
	return found
}

// altered reports whether the file is there but not the right one.
func (f finding) altered() bool {
	wrong := (*mismatch)(nil)
	return errors.As(f.err, &wrong)
}

// size formats a number of bytes.
func size(n int64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}
