package attacking

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// summary is the object of --summary.
type summary struct {
	Points int `json:"points"` // rows attacked
	about
	distances
	statuses
	Nodes  int `json:"nodes"`
	Solves int `json:"solves"`
	times
	SecondsQuantiles quantiles `json:"seconds_quantiles"` // of rows
	// of rows at a limit: the part of the distance that is not proven
	MeanGap   *float64  `json:"mean_gap"`
	PeakBytes uint64    `json:"peak_bytes"` // the largest size of the program
	PeakOf    string    `json:"peak_of"`    // the work, or reading and training too
	Labels    []ofLabel `json:"labels"`     // that are predicted
	made
}

// distances are those of the examples of all rows attacked, and of their bounds.
type distances struct {
	EmpiricalRobustness *float64  `json:"empirical_robustness"`
	MeanBound           *float64  `json:"mean_bound"`
	DistanceQuantiles   quantiles `json:"distance_quantiles"`
	BoundQuantiles      quantiles `json:"bound_quantiles"`
	Found               int       `json:"found"` // rows that have a distance
}

// statuses counts rows.
type statuses struct {
	Optimal       int `json:"optimal"`
	Limit         int `json:"limit"`
	Coarse        int `json:"coarse"`    // float64 has no nearest example
	Undecided     int `json:"undecided"` // of limit and coarse: no example
	None          int `json:"none"`
	Attack        int `json:"attack"`
	Misclassified int `json:"misclassified"` // not attacked
	Reached       int `json:"reached"`       // not attacked
}

// times are those of a summary.
type times struct {
	// of all rows added up, those done before too
	Seconds          float64 `json:"seconds"`
	WallSeconds      float64 `json:"wall_seconds"`      // of this run
	ProcessorSeconds float64 `json:"processor_seconds"` // of this run
}

// made has the command and the settings that made a summary.
type made struct {
	Version string            `json:"version"`
	Flags   map[string]string `json:"flags"`
}

// about is the subject of a summary's numbers.
type about struct {
	Inputs   string   `json:"inputs"` // that all answers are about
	short    string   // the same in few words
	Units    string   `json:"units"`    // of distances and radii
	Accuracy *float64 `json:"accuracy"` // null: rows have no labels
	TestRows int      `json:"test_rows"`
	// after pruning and with adversarial examples; null without --train
	TrainRows *int `json:"train_rows"`
}

func (e *evaluation) about() about {
	a := about{
		Inputs: e.meta().AboutAll(), short: e.meta().About(),
		Units: e.distances(), Accuracy: e.accuracy,
		TestRows: e.data.Test.Rows,
	}
	if e.data.Train != nil {
		a.TrainRows = &e.data.Train.Rows
	}
	return a
}

// ofLabel counts the rows that have a label, and those that are predicted it.
type ofLabel struct {
	Label  tabular.Label `json:"label"`
	Rows   *int          `json:"rows"`   // test rows that have it; null: they have no labels
	Right  *int          `json:"right"`  // of these, predicted so
	Points int           `json:"points"` // rows attacked that are predicted it
	Median *float64      `json:"median_distance"`
}

// countLabels sums up the rows of each label, and the attacked rows that are predicted it.
func (e *evaluation) countLabels(lines []results.Line) (list []ofLabel) {
	for class, label := range e.classes {
		var distances []float64
		for i := range lines {
			if l := &lines[i]; l.Attacked() && l.Predicted == label {
				distances = append(distances, point(l).Distance)
			}
		}
		rows, right := e.countRight(class)
		if len(distances) > 0 || rows != nil && *rows > 0 {
			median := quantilesOf(distances).Median
			list = append(list, ofLabel{label, rows, right, len(distances), median})
		}
	}
	return list
}

// countRight counts the test rows of a class, and those that are predicted it; nil without labels.
func (e *evaluation) countRight(class int) (rows, right *int) {
	if e.data.Test.Y == nil || e.Change != nil {
		return nil, nil
	}
	rows, right = new(0), new(0)
	for i, y := range e.data.Test.Y {
		if y == class {
			*rows++
			if e.predicted[i] == class {
				*right++
			}
		}
	}
	return rows, right
}

// nearest returns up to so many attacked rows with the least distances.
func nearest(lines []results.Line, most int) []results.Line {
	found := slices.DeleteFunc(slices.Clone(lines),
		func(l results.Line) bool { return l.Distance == nil })
	slices.SortStableFunc(found,
		func(a, b results.Line) int { return cmp.Compare(*a.Distance, *b.Distance) })
	return found[:min(most, len(found))]
}

// quantiles are those of attacked rows; null is infinite, or no number.
type quantiles struct {
	Least  *float64 `json:"0"`
	Low    *float64 `json:"0.05"`
	Lower  *float64 `json:"0.25"`
	Median *float64 `json:"0.5"`
	Upper  *float64 `json:"0.75"`
	High   *float64 `json:"0.95"`
	Most   *float64 `json:"1"`
}

// quantilesOf returns values themselves: the ⌈qn⌉-th of n.
func quantilesOf(values []float64) quantiles {
	slices.Sort(values)
	at := func(q float64) *float64 {
		if len(values) == 0 {
			return nil
		}
		return finite(stat.Quantile(q, stat.Empirical, values, nil))
	}
	return quantiles{at(0), at(0.05), at(0.25), at(0.5), at(0.75), at(0.95), at(1)}
}

// summarize is called when every row has a line. Bounds count if they are proven.
func (e *evaluation) summarize(
	lines []results.Line, took *clock, proves bool,
) (*summary, error) {
	s := &summary{
		about: e.about(), times: took.times(), PeakBytes: took.memory.Bytes(),
		PeakOf: took.memory.Of(), made: made{command.Release(), e.flags},
	}
	lines = byRow(lines)
	s.Labels = e.countLabels(lines)
	points := s.count(lines)
	var distances, bounds, gaps, seconds []float64
	for _, p := range points {
		distances, bounds = append(distances, p.Distance), append(bounds, p.Bound)
		seconds = append(seconds, p.Time.Seconds())
		if p.Status == attack.StatusUnknown || p.Status == attack.StatusLimit {
			gaps = append(gaps, gap(p))
		}
	}
	s.DistanceQuantiles, s.SecondsQuantiles = quantilesOf(distances), quantilesOf(seconds)
	if proves {
		s.BoundQuantiles = quantilesOf(bounds)
	}
	r, err := metrics.EmpiricalRobustness(points)
	if errors.Is(err, classifier.ErrEmpty) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	s.Found, s.EmpiricalRobustness = r.Found, finite(r.Mean)
	if proves {
		s.MeanBound, s.MeanGap = finite(r.MeanBound), finite(stat.Mean(gaps, nil))
	}
	return s, nil
}

// gap returns how much of the distance is not proven, 1 without an example.
func gap(p metrics.Point) float64 {
	switch {
	case math.IsInf(p.Distance, 1):
		return 1
	case p.Distance == 0:
		return 0
	}
	return (p.Distance - p.Bound) / p.Distance
}

// count counts the lines, and returns the points that were attacked.
func (s *summary) count(lines []results.Line) (points []metrics.Point) {
	counts := map[string]*int{
		results.Optimal: &s.Optimal, results.Limit: &s.Limit, results.None: &s.None,
		results.Attack: &s.Attack, results.Coarse: &s.Coarse,
		results.Misclassified: &s.Misclassified, results.Reached: &s.Reached,
	}
	for i := range lines {
		l := &lines[i]
		*counts[l.Status]++
		if !l.Attacked() {
			continue
		}
		if (l.Status == results.Limit || l.Status == results.Coarse) && l.Distance == nil {
			s.Undecided++
		}
		s.Nodes += l.Nodes
		s.Solves += l.Solves
		s.Seconds += l.Seconds
		points = append(points, point(l))
	}
	s.Points = len(points)
	return points
}

// writeSummary writes the object of --summary, if that is given.
func (t *task) writeSummary(object any) error {
	if t.summary == "" {
		return nil
	}
	err := outfile.Write(t.summary,
		func(w io.Writer) error { return json.NewEncoder(w).Encode(object) })
	if err != nil {
		return fmt.Errorf("--summary: %w", err)
	}
	return nil
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
