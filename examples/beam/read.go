package main

import (
	"context"
	"fmt"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.DoFn4x1[context.Context, *sdf.LockRTracker, Section, func(Batch), error](&readFn{})
	register.Emitter1[Batch]()
}

// Section is some shards of the test set: as many as fit into an element that is copied for each of
// them.
type Section struct{ Shards []Shard }

const sectionShards = 8

func sections(shards []Shard) (list []any) {
	for len(shards) > 0 {
		n := min(sectionShards, len(shards))
		list = append(list, Section{shards[:n]})
		shards = shards[n:]
	}
	return list
}

// Batch is the rows of a shard.
type Batch struct {
	Shard Shard
	Rows  []Row
}

// Row is a row of the test set as it stands in it.
type Row struct {
	Cells []string
	Fault string // of a row without cells
}

// readFn reads the shards of a section. It may be split between any two of them, before it begins
// and while it runs.
type readFn struct {
	Flags  []string
	worker *worker
}

func (fn *readFn) Setup(ctx context.Context) (err error) {
	fn.worker, err = workerOf(ctx, fn.Flags, io.Discard)
	return err
}

func (fn *readFn) CreateInitialRestriction(s Section) offsetrange.Restriction {
	return offsetrange.Restriction{Start: 0, End: int64(len(s.Shards))}
}

func (fn *readFn) SplitRestriction(_ Section, r offsetrange.Restriction) []offsetrange.Restriction {
	return r.SizedSplits(1)
}

// RestrictionSize is the number of rows, which cost about the same wherever they are.
func (fn *readFn) RestrictionSize(s Section, r offsetrange.Restriction) float64 {
	rows := 0
	for _, shard := range s.Shards[r.Start:r.End] {
		rows += shard.Rows
	}
	return float64(rows)
}

func (fn *readFn) CreateTracker(r offsetrange.Restriction) *sdf.LockRTracker {
	return sdf.NewLockRTracker(offsetrange.NewTracker(r))
}

func (fn *readFn) ProcessElement(
	ctx context.Context, rt *sdf.LockRTracker, s Section, emit func(Batch),
) error {
	for i := rt.GetRestriction().(offsetrange.Restriction).Start; rt.TryClaim(i); i++ {
		b, err := fn.worker.read(ctx, s.Shards[i])
		if err != nil {
			return err
		}
		emit(b)
	}
	return nil
}

// read reads a shard.
func (w *worker) read(ctx context.Context, s Shard) (Batch, error) {
	b := Batch{Shard: s, Rows: make([]Row, 0, s.Rows)}
	err := w.source.read(ctx, w.pieces.Text(), s, func(cells []string, fault error) error {
		row := Row{Cells: cells}
		if fault != nil {
			row.Fault = fault.Error()
		}
		b.Rows = append(b.Rows, row)
		return nil
	})
	if err == nil && len(b.Rows) != s.Rows {
		err = fmt.Errorf(
			"it has %d rows where it had %d: the test set has changed since the job began",
			len(b.Rows), s.Rows,
		)
	}
	if err != nil {
		return Batch{}, fmt.Errorf("rows from %d on: %w", s.First, err)
	}
	return b, nil
}
