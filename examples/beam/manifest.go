package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

func init() {
	register.DoFn3x1[context.Context, int, func(*Record) bool, error](&manifestFn{})
	register.Iter1[Record]()
}

// Manifest says that a job is done, and lists its files.
type Manifest struct {
	Lines   int          `json:"lines"`   // of all shards
	Refused int          `json:"refused"` // rows without a line
	Shards  []Record     `json:"shards"`
	Run     results.Meta `json:"run"`
}

// manifestName is the file of the manifest.
const manifestName = "manifest.json"

// manifestFn writes the manifest once it has the records of all shards.
type manifestFn struct {
	Out   string
	Meta  []byte
	Count int
}

func (fn *manifestFn) ProcessElement(ctx context.Context, _ int, records func(*Record) bool) error {
	var all []Record
	for r := (Record{}); records(&r); r = (Record{}) {
		all = append(all, r)
	}
	var m Manifest
	if err := json.Unmarshal(fn.Meta, &m.Run); err != nil {
		return err
	}
	if err := m.join(all, fn.Count); err != nil {
		return err
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(ctx, join(fn.Out, manifestName), append(text, '\n'))
}

// join takes up the records of all shards. One that was done twice counts once; one that is
// missing, or that became another file the second time, is an error.
func (m *Manifest) join(all []Record, count int) error {
	slices.SortStableFunc(all, func(a, b Record) int { return cmp.Compare(a.Index, b.Index) })
	all = slices.Compact(all)
	rows := 0
	for i, r := range all {
		switch {
		case i > 0 && all[i-1].Index == r.Index:
			return fmt.Errorf("shard %d/%d was done twice, and its files differ: was the test "+
				"set or the model replaced meanwhile?", r.Index, count)
		case r.Index != i+1:
			return fmt.Errorf("shard %d/%d is missing", i+1, count)
		case r.Lines+r.Refused != r.Rows || r.First != rows:
			return fmt.Errorf("shard %d/%d has %d lines and %d errors for %d rows from %d on, "+
				"where %d rows come before", r.Index, count, r.Lines, r.Refused, r.Rows, r.First,
				rows)
		}
		rows += r.Rows
		m.Lines, m.Refused = m.Lines+r.Lines, m.Refused+r.Refused
	}
	switch {
	case len(all) < count:
		return fmt.Errorf("shard %d/%d is missing", len(all)+1, count)
	case rows != m.Run.Rows:
		return fmt.Errorf("the shards have %d rows together, the test set has %d", rows, m.Run.Rows)
	}
	m.Shards, m.Run.Lines, m.Run.Refused = all, m.Lines, m.Refused
	return nil
}
