package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"golang.org/x/sync/errgroup"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

func init() {
	register.DoFn3x1[context.Context, Batch, func(Record), error](&attackFn{})
	register.Emitter1[Record]()
}

// Record describes a shard whose files are there.
type Record struct {
	Index   int    `json:"index"` // from 1
	Path    string `json:"path"`  // in the folder of the manifest
	First   int    `json:"first_row"`
	Rows    int    `json:"rows"`
	Lines   int    `json:"lines"`
	Refused int    `json:"refused"` // rows without a line, whose reasons are in Errors
	Errors  string `json:"errors,omitempty"`
	Sum     string `json:"sha256"`
}

// attackFn attacks the rows of a shard and writes its files.
type attackFn struct {
	Flags []string
	Out   string
	Meta  []byte // of the run, as JSON
	Count int    // of all shards

	worker *worker
	meta   results.Meta
}

// loads counts the processes that loaded the model, and how often they did.
var loads = beam.NewCounter("facet", "model_loads")

func (fn *attackFn) Setup(ctx context.Context) (err error) {
	if fn.worker, err = workerOf(ctx, fn.Flags, io.Discard); err != nil {
		return err
	}
	return json.Unmarshal(fn.Meta, &fn.meta)
}

func (fn *attackFn) ProcessElement(ctx context.Context, b Batch, emit func(Record)) error {
	if !fn.worker.told.Swap(true) {
		loads.Inc(ctx, 1)
	}
	meta := fn.meta
	meta.Shard = &results.Shard{Index: b.Shard.Index, Count: fn.Count}
	record := Record{
		Index: b.Shard.Index,
		Path:  fn.name("shard", b.Shard),
		First: b.Shard.First,
		Rows:  b.Shard.Rows,
	}
	done, err := fn.kept(ctx, &meta, &record)
	if err == nil && !done {
		err = fn.write(ctx, &meta, &record, b)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", join(fn.Out, record.Path), err)
	}
	emit(record)
	return nil
}

func (fn *attackFn) name(kind string, s Shard) string {
	return fmt.Sprintf("%s-%05d-of-%05d.jsonl", kind, s.Index, fn.Count)
}

// kept reports whether the shard is there from before, as its last file says.
func (fn *attackFn) kept(ctx context.Context, meta *results.Meta, r *Record) (bool, error) {
	path := join(fn.Out, r.Path)
	if found, err := list(ctx, path); err != nil || len(found) == 0 {
		return false, err
	}
	text, err := readFile(ctx, path)
	if err != nil {
		return false, err
	}
	beside, err := readFile(ctx, results.MetaPath(path))
	if err != nil {
		return false, err
	}
	old, err := results.Continue(meta, beside)
	if err != nil {
		return false, err
	}
	if lines := bytes.Count(text, []byte("\n")); lines != old.Lines {
		return false, fmt.Errorf("it has %d of its %d lines: remove it", lines, old.Lines)
	}
	fn.fill(r, old, text)
	return true, nil
}

// fill takes the counts of a shard that is there.
func (fn *attackFn) fill(r *Record, m *results.Meta, text []byte) {
	r.Lines, r.Refused, r.Sum = m.Lines, m.Refused, fmt.Sprintf("%x", sha256.Sum256(text))
	if m.Refused > 0 {
		r.Errors = fn.name("errors", Shard{Index: r.Index})
	}
}

// write attacks the rows and writes the files of the shard, itself last.
func (fn *attackFn) write(ctx context.Context, meta *results.Meta, r *Record, b Batch) error {
	lines, faults, err := fn.worker.attack(ctx, b)
	if err != nil {
		return err
	}
	meta.Lines, meta.Refused = len(lines), bytes.Count(faults, []byte("\n"))
	text, beside, err := results.Encode(meta, lines)
	if err != nil {
		return err
	}
	fn.fill(r, meta, text)
	if r.Errors != "" {
		if err := writeFile(ctx, join(fn.Out, r.Errors), faults); err != nil {
			return err
		}
	}
	path := join(fn.Out, r.Path)
	if err := writeFile(ctx, results.MetaPath(path), beside); err != nil {
		return err
	}
	return writeFile(ctx, path, text)
}

// refusal is the line of the file of errors about a row.
type refusal struct {
	Row    int    `json:"row"`
	Reason string `json:"reason"`
}

// attack returns the lines of a shard, and those of its file of errors. What is wrong with one row
// does not stop the others.
func (w *worker) attack(
	ctx context.Context, b Batch,
) (lines []results.Line, faults []byte, err error) {
	all, reasons := make([]results.Line, len(b.Rows)), make([]string, len(b.Rows))
	var group errgroup.Group
	group.SetLimit(w.pieces.Workers())
	for i, row := range b.Rows {
		reasons[i] = row.Fault
		if row.Fault != "" || ctx.Err() != nil {
			continue
		}
		group.Go(func() error {
			var err error
			if all[i], err = w.pieces.Line(ctx, b.Shard.First+i, row.Cells); err != nil {
				reasons[i] = err.Error()
			}
			return nil
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	for i, reason := range reasons {
		if reason == "" {
			lines = append(lines, all[i])
			continue
		}
		text, err := json.Marshal(refusal{b.Shard.First + i, reason})
		if err != nil {
			return nil, nil, err
		}
		faults = append(append(faults, text...), '\n')
	}
	return lines, faults, nil
}
