package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	neturl "net/url"
	"os"
	"path"
	"time"

	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
)

// partial is the suffix of an unfinished file.
const partial = ".part"

// fetcher downloads files.
type fetcher struct {
	client *http.Client
	stall  time.Duration // after which a connection without data is given up
	stderr io.Writer
}

func newFetcher(stderr io.Writer) *fetcher {
	return &fetcher{client: new(http.Client), stall: time.Minute, stderr: stderr}
}

// onDisk reports whether an error is about our own files, not about the web.
func onDisk(err error) bool {
	file, link := (*fs.PathError)(nil), (*os.LinkError)(nil)
	return errors.As(err, &file) || errors.As(err, &link)
}

// fetch downloads a file to path, going on from an unfinished one. When the continued file turns
// out wrong, it starts once more from the beginning.
func (t *fetcher) fetch(ctx context.Context, url, path string, known checksum) error {
	part := path + partial
	for {
		resumed, err := t.complete(ctx, url, part, known)
		if err == nil {
			return os.Rename(part, path)
		}
		wrong := (*mismatch)(nil)
		if !errors.As(err, &wrong) {
			return err
		}
		if resumed {
			if err := os.Truncate(part, 0); err != nil {
				return err
			}
			continue
		}
		bad, err := setAside(part, path)
		if err != nil {
			return err
		}
		return fmt.Errorf("%s sends an altered file, kept as %s: %w", url, bad, wrong)
	}
}

// complete downloads the missing rest of an unfinished file and checks the whole. It
// reports whether a part of the file was there before.
func (t *fetcher) complete(
	ctx context.Context, url, part string, known checksum,
) (resumed bool, err error) {
	file, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	if info.Size() > 0 && known.check(ctx, part) == nil {
		return true, nil // only the renaming was missing
	}
	if resumed, err = t.transfer(ctx, url, file, info.Size()); err != nil {
		return resumed, err
	}
	if err := file.Sync(); err != nil {
		return resumed, err
	}
	return resumed, known.check(ctx, part)
}

// transfer appends to a file of the given size the rest of the server's, or writes it anew if the
// server sends the whole.
func (t *fetcher) transfer(
	ctx context.Context, url string, file *os.File, have int64,
) (resumed bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(t.stall, func() {
		cancel(fmt.Errorf("nothing came from %s for %v", url, t.stall))
	})
	defer watch.Stop()
	response, err := t.request(ctx, url, have)
	if err != nil {
		return false, cause(ctx, err)
	}
	defer response.Body.Close()
	if resumed = response.StatusCode == http.StatusPartialContent; !resumed && have > 0 {
		if err := file.Truncate(0); err != nil {
			return false, err
		}
		have = 0
	}
	bar := newBar(t.stderr, url, have, response.ContentLength)
	defer bar.Close()
	err = appendTo(file, have, response, func(n int) {
		watch.Reset(t.stall)
		bar.Add(n)
	})
	if err = cause(ctx, err); errors.Is(err, io.ErrUnexpectedEOF) {
		return resumed, fmt.Errorf("%s: the connection ended early", url)
	}
	return resumed, err
}

// appendTo writes the response of the server behind the part that is there; seen is called for each
// piece that comes.
func appendTo(file *os.File, have int64, response *http.Response, seen seen) error {
	if _, err := file.Seek(have, io.SeekStart); err != nil {
		return err
	}
	n, err := io.Copy(io.MultiWriter(file, seen), response.Body)
	if err == nil && response.ContentLength >= 0 && n != response.ContentLength {
		return io.ErrUnexpectedEOF
	}
	return err
}

// cause replaces the error of a connection that was given up by the reason for it.
func cause(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || onDisk(err) {
		return err
	}
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return errors.New("interrupted")
}

// request asks for a file from the given offset on. What it returns is that, with
// status 206, or the whole file.
func (t *fetcher) request(ctx context.Context, url string, from int64) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	// The file is wanted as it is, not unpacked on the way.
	request.Header.Set("Accept-Encoding", "identity")
	if from > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	response, err := t.client.Do(request)
	if lost := (*neturl.Error)(nil); errors.As(err, &lost) {
		return nil, fmt.Errorf("%s: %w", url, lost.Err)
	}
	if err != nil {
		return nil, err
	}
	switch code := response.StatusCode; {
	case code == http.StatusOK, code == http.StatusPartialContent && startsAt(response, from):
		return response, nil
	case from > 0 &&
		(code == http.StatusPartialContent || code == http.StatusRequestedRangeNotSatisfiable):
		response.Body.Close()
		return t.request(ctx, url, 0)
	}
	response.Body.Close()
	return nil, fmt.Errorf("%s answers %s", url, response.Status)
}

// startsAt reports whether a part of a file starts at the byte asked for.
func startsAt(response *http.Response, from int64) bool {
	var first int64
	_, err := fmt.Sscanf(response.Header.Get("Content-Range"), "bytes %d-", &first)
	return err == nil && first == from
}

// seen is called with the length of each piece that is written.
type seen func(n int)

func (s seen) Write(p []byte) (int, error) {
	s(len(p))
	return len(p), nil
}

// newBar shows a file of which have bytes are there and the given number, −1 if
// nobody knows, are to come.
func newBar(w io.Writer, url string, have, missing int64) *progress.Bar {
	total := missing
	if missing >= 0 {
		total += have
	}
	bar := progress.New(w, progress.Options{
		Description: path.Base(url),
		Unit:        progress.Bytes,
		Total:       int(total),
	})
	bar.Add(int(have))
	return bar
}
