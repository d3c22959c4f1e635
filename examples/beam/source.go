package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// Shard is a part of the test set.
type Shard struct {
	Index int // from 1
	First int // its first row
	Rows  int
	Start int64 // of a text: where its lines are
	End   int64
	Group int // of Parquet: the row group, and how many of its rows come before
	Skip  int
}

// rowSource is a test set that can be read from the middle.
type rowSource interface {
	// beginning is the part that tells the columns.
	beginning() tabular.Beginning
	// divide returns shards of at most so many rows.
	divide(ctx context.Context, columns *tabular.Columns, most int) ([]Shard, error)
	// read calls each with the cells of the rows of a shard, or with the fault of a row.
	read(
		ctx context.Context, columns *tabular.Columns, s Shard,
		each func(cells []string, fault error) error,
	) error
	io.Closer
}

// headBytes is how much of a text is looked at to tell its columns.
const headBytes = 1 << 20

// openRows tells the format of a test set by its first bytes.
func openRows(ctx context.Context, path string) (rowSource, error) {
	file, err := openAt(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("--test: %w", err)
	}
	head := make([]byte, min(headBytes, file.size))
	if _, err := io.ReadFull(io.NewSectionReader(file, 0, file.size), head); err != nil {
		return nil, fmt.Errorf("--test %s: %w", path, err)
	}
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		return openParquet(path, file)
	case bytes.HasPrefix(head, []byte("\x1f\x8b")), bytes.HasPrefix(head, []byte("BZh")):
		return nil, fmt.Errorf("--test %s: it is compressed as a whole and cannot be read from "+
			"the middle: unpack it, or write Parquet", path)
	}
	return &textRows{path: path, file: file, head: head}, nil
}

// checksum returns the SHA-256 of a file.
func checksum(ctx context.Context, path string) (string, error) {
	file, err := openAt(ctx, path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(file, 0, file.size)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), ctx.Err()
}
