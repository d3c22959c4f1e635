package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cloud.google.com/go/storage"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// inputFile is a file that is read at any place.
type inputFile struct {
	io.ReaderAt
	io.Closer
	size int64
}

// isRemote reports whether a path is that of a store of objects.
func isRemote(path string) bool { return strings.Contains(path, "://") }

// openAt opens a file of a folder, or an object of Google's store: Beam's own file systems read
// from the beginning only.
func openAt(ctx context.Context, path string) (*inputFile, error) {
	if name, ok := strings.CutPrefix(path, "gs://"); ok {
		return openObject(ctx, name)
	}
	if isRemote(path) {
		return nil, fmt.Errorf("%s: only files of folders and gs:// can be read from the middle",
			path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file that could be read from the middle", path)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &inputFile{file, file, info.Size()}, nil
}

// object is an object of Google's store.
type object struct {
	ctx    context.Context
	handle *storage.ObjectHandle
}

func openObject(ctx context.Context, name string) (*inputFile, error) {
	bucket, key, _ := strings.Cut(name, "/")
	client, err := storage.NewClient(ctx)
	if err != nil {
		return nil, err
	}
	handle := client.Bucket(bucket).Object(key)
	attributes, err := handle.Attrs(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("gs://%s: %w", name, err), client.Close())
	}
	// Of one generation, so that an object that is replaced meanwhile is not read in parts.
	return &inputFile{object{ctx, handle.Generation(attributes.Generation)}, client,
		attributes.Size}, nil
}

func (o object) ReadAt(p []byte, at int64) (int, error) {
	r, err := o.handle.NewRangeReader(o.ctx, at, int64(len(p)))
	if err != nil {
		return 0, err
	}
	defer r.Close()
	n, err := io.ReadFull(r, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// join returns the path of a file of a folder.
func join(folder, name string) string {
	if isRemote(folder) {
		return strings.TrimSuffix(folder, "/") + "/" + name
	}
	return filepath.Join(folder, name)
}

// readFile reads a whole file.
func readFile(ctx context.Context, path string) ([]byte, error) {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	return filesystem.Read(ctx, fs, path)
}

// list returns the files of a pattern.
func list(ctx context.Context, pattern string) ([]string, error) {
	fs, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	return fs.List(ctx, pattern)
}

// writeFile puts a file in its place in one step, as objects are written anyway. Two that write it
// at once do not meet.
func writeFile(ctx context.Context, path string, text []byte) error {
	if !isRemote(path) {
		return outfile.WriteText(path, text)
	}
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	defer fs.Close()
	return filesystem.Write(ctx, fs, path, text)
}
