package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// ReadReasons reads a file of facet explain and makes a section of it: which features force labels,
// and the reasons of some rows.
func ReadReasons(path string) (s Section, err error) {
	_, rows, err := results.Read[results.Explanation](path)
	if err != nil {
		return s, err
	}
	s.Title = "Why rows have their labels"
	counts, minimal, with := make(map[string]int), 0, 0
	for _, row := range rows {
		if row.Reason == nil {
			continue
		}
		with++
		if row.Minimal {
			minimal++
		}
		for _, name := range row.Reason {
			counts[name]++
		}
	}
	s.Says = []string{
		"A reason is a set of features: while these keep their values, whatever the others are, " +
			"the label stays.",
		fmt.Sprintf("%d of %s have one; of %d it is proven that no feature can be left out.", with,
			rowsOf(len(rows)), minimal),
	}
	s.Tables = []Table{reasonsByFeature(counts, with), reasonsOfRows(rows)}
	return s, nil
}

// reasonsByFeature says how often each feature is part of a reason, the most frequent first.
func reasonsByFeature(counts map[string]int, rows int) Table {
	t := Table{About: "Features by how many reasons they are part of",
		Head: []string{"feature", "part of the reason of"}}
	names := byCount(counts)
	for _, name := range names[:min(len(names), mostUsed)] {
		t.Rows = append(t.Rows, []string{name, share(counts[name], rows)})
	}
	return t
}

// reasonsOfRows lists the first rows, their reasons, and the changes that reach the nearest other
// label.
func reasonsOfRows(rows []results.Explanation) Table {
	t := Table{About: "Reasons of rows",
		Head: []string{"row", "predicted", "reason", "nearest change", "distance"}}
	for _, row := range rows[:min(len(rows), mostNear)] {
		var changes []string
		for _, name := range slices.Sorted(maps.Keys(row.Change)) {
			changes = append(changes, name+" → "+written(row.Change[name]))
		}
		distance := "–"
		if row.Distance != nil {
			distance = number(*row.Distance)
		}
		reason := "–"
		if row.Reason != nil {
			reason = few(row.Reason)
		}
		t.Rows = append(t.Rows, []string{fmt.Sprint(row.Row), row.Predicted.String(), reason,
			strings.Join(changes, ", "), distance})
	}
	return t
}
