package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// finding is what is there of a file.
type finding struct {
	path  string // "" when it is missing
	size  int64
	other bool  // it is there packed or unpacked otherwise than the checksum is known for
	err   error // why it cannot be used: *mismatch for an altered one
}

// look looks for a file, and checks it if a checksum is known for it as it is there.
func (s *settings) look(f *file) finding {
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
		found.err = f.known.check(path)
	}
	return found
}

// altered reports whether the file is there but not what it should be.
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
