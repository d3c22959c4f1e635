package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// summary is the object of -summary.
type summary struct {
	Points              int               `json:"points"` // rows attacked
	Accuracy            float64           `json:"accuracy"`
	TestRows            int               `json:"test_rows"`
	TrainRows           *int              `json:"train_rows"` // after pruning and with adversarial examples; null without -train
	EmpiricalRobustness *float64          `json:"empirical_robustness"`
	MeanBound           *float64          `json:"mean_bound"`
	Found               int               `json:"found"` // rows that have a distance
	Optimal             int               `json:"optimal"`
	Limit               int               `json:"limit"`
	None                int               `json:"none"`
	Attack              int               `json:"attack"`
	Nodes               int               `json:"nodes"`
	Solves              int               `json:"solves"`
	Seconds             float64           `json:"seconds"` // of all rows together
	Version             string            `json:"version"`
	Flags               map[string]string `json:"flags"`
}

// summarize is called when every row has a line.
func (e *evaluation) summarize(lines []line) (*summary, error) {
	s := &summary{
		Points: len(lines), Accuracy: e.accuracy, TestRows: e.data.test.Rows,
		Version: e.record.Version, Flags: e.record.Flags,
	}
	if e.data.train != nil {
		s.TrainRows = &e.data.train.Rows
	}
	// Sums depend on the order, which must not depend on who finished first.
	lines = slices.SortedFunc(slices.Values(lines), func(a, b line) int { return cmp.Compare(a.Row, b.Row) })
	counts := map[string]*int{statusOptimal: &s.Optimal, statusLimit: &s.Limit, statusNone: &s.None, statusAttack: &s.Attack}
	points := make([]metrics.Point, len(lines))
	for i := range lines {
		l := &lines[i]
		*counts[l.Status]++
		s.Nodes += l.Nodes
		s.Solves += l.Solves
		s.Seconds += l.Seconds
		points[i] = l.point()
	}
	r, err := metrics.EmpiricalRobustness(points)
	if errors.Is(err, metrics.ErrEmpty) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	s.Found, s.EmpiricalRobustness = r.Found, finite(r.Mean)
	if e.exact() {
		s.MeanBound = finite(r.MeanBound)
	}
	return s, nil
}

// report writes the summary and prints the table.
func (e *evaluation) report(out *output, stdout io.Writer) error {
	s, err := e.summarize(out.lines)
	if err != nil {
		return err
	}
	if e.summary != "" {
		if err := writeSummary(e.summary, s); err != nil {
			return fmt.Errorf("-summary: %w", err)
		}
	}
	return e.printTable(stdout, s, out)
}

// writeSummary puts the file in its place only when it is complete.
func writeSummary(path string, s *summary) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return outfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

// special reports whether path is a device or a pipe, which stays.
func special(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

// removeSummary removes the summary of an earlier run.
func removeSummary(path string) error {
	if path == "" || special(path) {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("-summary: %w", err)
	}
	return nil
}
