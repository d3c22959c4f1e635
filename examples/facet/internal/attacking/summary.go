package attacking

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

// summary is the object of --summary.
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
		Points: len(lines), Accuracy: e.accuracy, TestRows: e.data.Test.Rows,
		Version: e.record.Version, Flags: e.record.Flags,
	}
	if e.data.Train != nil {
		s.TrainRows = &e.data.Train.Rows
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

// report writes the summary, which takes its place only when it is complete, and prints the table.
func (e *evaluation) report(out *output, stdout io.Writer) error {
	s, err := e.summarize(out.lines)
	if err != nil {
		return err
	}
	if e.summary != "" {
		err := outfile.Write(e.summary, func(w io.Writer) error { return json.NewEncoder(w).Encode(s) })
		if err != nil {
			return fmt.Errorf("--summary: %w", err)
		}
	}
	return e.printTable(stdout, s, out)
}

// removeSummary removes the summary of an earlier run, if there is one; a device or a pipe stays.
func removeSummary(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() {
		err = os.Remove(path)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("--summary: %w", err)
	}
	return nil
}
