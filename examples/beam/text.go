package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// textRows is a file of lines.
type textRows struct {
	path string
	file *inputFile
	head []byte
}

func (t *textRows) beginning() tabular.Beginning {
	return tabular.Beginning{Path: t.path, Text: t.head}
}

func (t *textRows) Close() error { return t.file.Close() }

// divide finds where every most-th row begins.
func (t *textRows) divide(
	ctx context.Context, columns *tabular.Columns, most int,
) (shards []Shard, err error) {
	at, rows := columns.Offset, 0
	err = t.lines(ctx, at, t.file.size, func(line []byte) error {
		blank := columns.Blank(line)
		if !blank && rows%most == 0 {
			shards = append(shards, Shard{Index: len(shards) + 1, First: rows, Start: at})
		}
		at += int64(len(line))
		if !blank {
			rows++
			last := &shards[len(shards)-1]
			last.Rows, last.End = last.Rows+1, at
		}
		return nil
	})
	if err == nil && rows == 0 {
		err = errors.New("there are no rows")
	}
	return shards, err
}

// lines calls each with the lines between two places.
func (t *textRows) lines(
	ctx context.Context, start, end int64, each func(line []byte) error,
) error {
	r := bufio.NewReaderSize(io.NewSectionReader(t.file, start, end-start), headBytes)
	for ctx.Err() == nil {
		line, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("a line is longer than %d bytes", headBytes)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(line) > 0 {
			if err := each(line); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
	return ctx.Err()
}

func (t *textRows) read(
	ctx context.Context, columns *tabular.Columns, s Shard, each func([]string, error) error,
) error {
	return t.lines(ctx, s.Start, s.End, func(line []byte) error {
		if columns.Blank(line) {
			return nil
		}
		return each(columns.Cells(line))
	})
}
