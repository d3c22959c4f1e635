package results

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// openStream waits for the reader of a pipe no longer than the context lets it.
func openStream(ctx context.Context, path string) (*os.File, error) {
	if path == outfile.Stdout {
		return os.Stdout, nil
	}
	return command.UnlessEnded(ctx, func() (*os.File, error) {
		// Not for reading: a pipe that this program itself may read would never be left by its
		// reader.
		return os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	})
}

// closeStream leaves standard output open, which is not only for rows.
func closeStream(file *os.File) error {
	if file == os.Stdout {
		return nil
	}
	return file.Close()
}

// patience is how long a write may take once the context has ended.
const patience = time.Second

// stream writes to a file. A reader that does not read cannot hold it up for ever once the context
// has ended.
type stream struct {
	ctx  context.Context
	file *os.File
}

func (s *stream) Write(text []byte) (int, error) {
	stop := context.AfterFunc(s.ctx, func() { s.file.SetWriteDeadline(time.Now().Add(patience)) })
	defer stop()
	n, err := s.file.Write(text)
	if path := (*os.PathError)(nil); errors.As(err, &path) {
		err = path.Err // callers name the file, by the user's name for it
	}
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrDeadlineExceeded) {
		err = fmt.Errorf("nobody reads it any more: %w", err)
	}
	return n, err
}
