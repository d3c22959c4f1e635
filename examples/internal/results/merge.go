package results

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// shard is a file to be merged.
type shard struct {
	path  string
	file  *os.File
	meta  *Meta
	spans []span
}

// Shards are the parts of one run, read to be joined.
type Shards struct {
	list  []*shard
	order []span // of all lines
}

// ReadShards reads the shards of a run. They must be of one run, complete, and together all of it.
func ReadShards(paths []string) (*Shards, error) {
	s := new(Shards)
	err := s.read(paths)
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Shards) read(paths []string) error {
	for _, path := range paths {
		one, err := readShard(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		s.list = append(s.list, one)
	}
	if err := checkShards(s.list); err != nil {
		return err
	}
	var err error
	s.order, err = join(s.list)
	return err
}

// Close closes the files that were read.
func (s *Shards) Close() {
	for _, one := range s.list {
		one.file.Close()
	}
}

func readShard(path string) (*shard, error) {
	m, err := readMeta(path)
	if err != nil {
		return nil, err
	}
	if m.Shard == nil {
		return nil, fmt.Errorf("it is no shard, but all rows of a run")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &shard{path: path, file: file, meta: m}
	if m.Program == Explaining {
		s.spans, err = spansOf[Explanation](file)
	} else {
		s.spans, err = spansOf[Line](file)
	}
	if err == nil && len(s.spans) != m.Lines {
		err = fmt.Errorf("shard %v has %d of its %d rows: continue it with %s --resume",
			m.Shard, len(s.spans), m.Lines, m.Program)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return s, nil
}

// spansOf tells where the lines of a file stand.
func spansOf[L Record[L]](file *os.File) (spans []span, err error) {
	err = eachLine(file, func(_ L, at span) error {
		spans = append(spans, at)
		return nil
	})
	return spans, err
}

// checkShards compares the settings that made the shards, and looks whether all are there.
func checkShards(shards []*shard) error {
	slices.SortFunc(shards,
		func(a, b *shard) int { return cmp.Compare(a.meta.Shard.Index, b.meta.Shard.Index) })
	first := shards[0]
	for i, s := range shards {
		if err := first.meta.differs(s.meta); err != nil {
			return fmt.Errorf("%s does not go with %s: %w", s.path, first.path, err)
		}
		switch want := i + 1; {
		case s.meta.Shard.Count != first.meta.Shard.Count:
			return fmt.Errorf("%s is shard %v, %s shard %v",
				s.path, s.meta.Shard, first.path, first.meta.Shard)
		case s.meta.Shard.Index < want:
			return fmt.Errorf("%s and %s are both shard %v", shards[i-1].path, s.path, s.meta.Shard)
		case s.meta.Shard.Index > want:
			return fmt.Errorf("shard %d/%d is missing", want, s.meta.Shard.Count)
		}
	}
	if n := first.meta.Shard.Count; len(shards) < n {
		return fmt.Errorf("shard %d/%d is missing", len(shards)+1, n)
	}
	return nil
}

// join returns the lines of all shards in the order of their rows, each row once and none missing.
func join(shards []*shard) (order []span, err error) {
	for _, s := range shards {
		order = append(order, s.spans...)
	}
	slices.SortStableFunc(order, func(a, b span) int { return cmp.Compare(a.row, b.row) })
	for i, p := range order[:max(len(order)-1, 0)] {
		if next := order[i+1]; next.row == p.row {
			return nil, fmt.Errorf("row %d is in %s and in %s", p.row, p.file.Name(),
				next.file.Name())
		}
	}
	if got, want := len(order)+refused(shards), shards[0].meta.Rows; got != want {
		return nil, fmt.Errorf("the shards have %d rows together, the run has %d", got, want)
	}
	return order, nil
}

// refused counts the rows that have no line.
func refused(shards []*shard) (n int) {
	for _, s := range shards {
		n += s.meta.Refused
	}
	return n
}

// Write writes all lines, in the order of their rows, to a new file or a stream.
func (s *Shards) Write(ctx context.Context, out string) (err error) {
	if outfile.IsStream(out) {
		return s.writeStream(ctx, out)
	}
	out = outfile.Real(out)
	l, err := takeLock(out)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, l.release()) }()
	// As in Open: no rows of an older run may stand beside the Meta of this one.
	if err := os.Remove(out); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	whole := *s.list[0].meta
	whole.Shard, whole.Lines, whole.Refused = nil, len(s.order), refused(s.list)
	if err := whole.write(out); err != nil {
		return err
	}
	return replace(out, func(w io.Writer) error { return s.copy(ctx, w) })
}

func (s *Shards) copy(ctx context.Context, w io.Writer) error {
	for _, p := range s.order {
		if err := cmp.Or(ctx.Err(), p.copy(w)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Shards) writeStream(ctx context.Context, out string) error {
	file, err := openStream(ctx, out)
	if err != nil {
		return err
	}
	err = s.copy(ctx, &stream{ctx, file})
	return cmp.Or(err, closeStream(file))
}
