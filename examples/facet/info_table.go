package main

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// readTable reads a file as the rows that a run would take it for; false if it is no table, and the
// error names its fault.
func (d *describing) readTable(ctx context.Context) (t *tabular.Table, is bool, err error) {
	o := tabular.Options{Missing: tabular.Keep, Unlabeled: true, MaxValues: d.values}
	if !tabular.IsTable(d.path) {
		return nil, false, nil
	}
	list, err := tabular.Load(ctx, o, tabular.Model{}, tabular.Source{Path: d.path})
	if err != nil {
		return nil, true, err
	}
	return list[0], true, nil
}

// printRows describes a table, and how a run would read it.
func printRows(t *tabular.Table, stdout io.Writer) error {
	w := command.NewTable(stdout)
	w.Row("file", "%s", t.Path)
	w.Row("kind", "a table of rows, for --train and --test")
	w.Row("rows", "%d", t.Rows)
	w.Row("features", "%s", listed(t.Dim, t.Names))
	kinds := kindsOf(t)
	w.Row("whole numbers", "%s", listed(len(kinds.whole), kinds.whole))
	if kinds.truths != nil {
		w.Row("True or False", "%s, as 1 and 0", listed(len(kinds.truths), kinds.truths))
	}
	if kinds.constant != nil {
		w.Row("constant", "%s", listed(len(kinds.constant), kinds.constant))
	}
	if kinds.cells > 0 {
		w.Row("missing", "%d values in %s", kinds.cells, listed(len(kinds.missing), kinds.missing))
		w.Row("", "--missing drop leaves rows without them, --missing keep is for models that "+
			"take them")
	}
	if t.Labels == nil {
		w.Row("labels", "none")
	} else {
		describeLabels(t, w)
	}
	for _, note := range t.Notes {
		w.Row("note", "%s", note)
	}
	return w.Flush()
}

// describeLabels counts the rows of each label, and those that are there with several.
func describeLabels(t *tabular.Table, w command.Table) {
	counts, order := map[string]int{}, []string(nil)
	labels := map[string]map[string]int{} // of rows that are the same
	for i, label := range t.Labels {
		if counts[label]++; counts[label] == 1 {
			order = append(order, label)
		}
		key := tabular.Key(t.Row(i))
		if labels[key] == nil {
			labels[key] = map[string]int{}
		}
		labels[key][label]++
	}
	of := "the last column"
	if t.LabelName != "" {
		of = fmt.Sprintf("column %q", t.LabelName)
	}
	w.Row("labels", "%s, %d of them; --label names another", of, len(order))
	for _, label := range order[:min(len(order), mostClasses)] {
		w.Row("", "%s: %d rows", label, counts[label])
	}
	if more := len(order) - mostClasses; more > 0 {
		w.Row("", "%d more: is it a number, not a label?", more)
	}
	same, other := 0, 0
	for _, by := range labels {
		n := 0
		for _, count := range by {
			n += count
		}
		if n > 1 {
			same += n
		}
		if len(by) > 1 {
			other += n
		}
	}
	w.Row("repeated rows", "%d, of them %d with several labels", same, other)
}

// mostClasses are as many as a reader looks at.
const mostClasses = 10

// kinds are the names of features by their values.
type kinds struct {
	whole, truths, constant, missing []string
	cells                            int // that are missing
}

func kindsOf(t *tabular.Table) (k kinds) {
	truths := make(map[int]bool)
	for _, j := range t.Truths {
		truths[j] = true
	}
	for j := range t.Dim {
		name := fmt.Sprint(j)
		if t.Names != nil {
			name = t.Names[j]
		}
		whole, missing, low, high := true, 0, math.Inf(1), math.Inf(-1)
		for i := range t.Rows {
			v := t.Row(i)[j]
			if math.IsNaN(v) {
				missing++
				continue
			}
			whole = whole && v == math.Trunc(v)
			low, high = min(low, v), max(high, v)
		}
		if missing > 0 {
			k.missing, k.cells = append(k.missing, name), k.cells+missing
		}
		switch {
		case low >= high:
			k.constant = append(k.constant, name)
		case truths[j]:
			k.truths = append(k.truths, name)
		case whole:
			k.whole = append(k.whole, name)
		}
	}
	return k
}
