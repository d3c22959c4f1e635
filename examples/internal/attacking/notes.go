package attacking

import (
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// noteRows notes possible faults of the rows for a classifier that is trained on some of them.
func (e *evaluation) noteRows(stderr io.Writer) {
	if e.data.Train == nil || e.ModelIsFile() {
		return
	}
	e.noteRanges(stderr)
	if n := known(e.data.Train, e.data.Test); n > 0 {
		fmt.Fprintf(stderr, "note: %d of the %d test rows are training rows: what is said of "+
			"these is no estimate for new ones.\n", n, e.data.Test.Rows)
	}
}

// noteRanges says that features of large ranges decide alone who is near.
func (e *evaluation) noteRanges(stderr io.Writer) {
	const much = 1000
	if e.Model != "knn" || e.scaling != nil {
		return
	}
	ranges, least, most := e.data.Train.Set().Widths()
	if least >= 0 && ranges[most] >= much*ranges[least] {
		fmt.Fprintf(stderr, "note: k-NN measures distances of features as they are, and feature "+
			"%s ranges over %.4g, feature %s over %.4g: the first decides who is near. --scale "+
			"minmax takes each to [0,1].\n",
			e.nameOf(most), ranges[most], e.nameOf(least), ranges[least])
	}
}

// known counts the test rows that are training rows.
func known(train, test *subject.Part) (n int) {
	seen := make(map[string]bool, train.Rows)
	for i := range train.Rows {
		_, raw := train.Row(i)
		seen[tabular.Key(raw)] = true
	}
	for i := range test.Rows {
		if _, raw := test.Row(i); seen[tabular.Key(raw)] {
			n++
		}
	}
	return n
}
