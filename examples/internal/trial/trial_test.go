package trial

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

func TestSummary(t *testing.T) {
	point := func(distance, bound float64, optimal bool, time time.Duration, nodes, programs int) metrics.Point {
		return metrics.Point{
			Attacked: true, Time: time,
			Result: attack.Result{Distance: distance, Bound: bound, Optimal: optimal, Nodes: nodes, Solves: programs},
		}
	}
	points := []metrics.Point{
		point(2, 2, true, 8*time.Millisecond, 10, 9),
		point(4, 1, false, 2*time.Millisecond, 20, 2),
		point(math.Inf(1), 1, false, 4*time.Millisecond, 0, 0),
		point(0, 0, false, 2*time.Millisecond, 2, 1),
	}
	s, err := Summarize(points)
	if err != nil {
		t.Fatal(err)
	}
	if s.Attacked != 4 || s.Optimal != 1 || s.Mean != 2 || s.Bound != 1 || s.Nodes != 8 || s.Programs != 3 {
		t.Errorf("summary %+v, want 1 of 4 proven, means 2, 1, 8 and 3", s)
	}
	if want := (0.75 + 1 + 0) / 3; math.Abs(s.Gap-want) > 1e-15 {
		t.Errorf("gap %v, want %v", s.Gap, want)
	}
	if s.Median != 3 || s.Average != 4 || s.Most != 8 {
		t.Errorf("%v, %v and %v ms, want 3, 4 and 8", s.Median, s.Average, s.Most)
	}
}

func TestMemory(t *testing.T) {
	if got := peakResident("nowhere"); got != 0 {
		t.Errorf("peak %d of a file that does not exist", got)
	}
	status := filepath.Join(t.TempDir(), "status")
	if err := os.WriteFile(status, []byte("Name:\tx\nVmHWM:\t   12345 kB\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := peakResident(status); got != 12345<<10 {
		t.Errorf("peak %d, want 12345 KiB", got)
	}
	if got := mapped(); got < 1<<20 {
		t.Errorf("%d bytes mapped, want more than a MiB", got)
	}
	for when, p := range map[string]*Peak{" MiB while attacking": {attacking: true}, " MiB with reading and training": {}} {
		var size int
		if text, found := strings.CutSuffix(p.String(), when); !found {
			t.Errorf("peak %q, want one%s", p, when)
		} else if size, _ = strconv.Atoi(text); size < 1 {
			t.Errorf("peak %q, want more than a MiB", p)
		}
	}
}

func TestWithout(t *testing.T) {
	s := Summary{Robustness: metrics.Robustness{Attacked: 9, Found: 4, None: 2}}
	if got, want := s.Without(), ", without 2 points that no input changes, without 3 points for which no example was found"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := (&Summary{}).Without(); got != "" {
		t.Errorf("%q, want nothing", got)
	}
	if got := Mean(math.NaN()); got != "-" {
		t.Errorf("the mean of nothing is %q, want -", got)
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made", "points.tsv")
	f, err := Create(path, "k", "norm")
	if err != nil {
		t.Fatal(err)
	}
	p := metrics.Point{Row: 4, Result: attack.Result{Distance: math.Inf(1), Bound: 0.5, Label: -1, Nodes: 7, Solves: 6}}
	if err := errors.Join(f.Each(3, "inf")(p), f.Close()); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if want := "k\tnorm\t" + Header + "3\tinf\t4\t0\tlimit\tinf\t0.5\t-1\t7\t6\t0.000\n"; err != nil || string(got) != want {
		t.Errorf("file %q, %v, want %q", got, err, want)
	}
	if err := f.Each()(p); err == nil {
		t.Error("a closed file was written")
	}
}

// fixed is a classifier that knows the answers.
type fixed map[[2]float64]int

func (f fixed) Dim() int                { return 2 }
func (f fixed) Classes() int            { return 2 }
func (f fixed) Predict(x []float64) int { return f[[2]float64(x)] }

// TestSubject draws from rows of which the first is misclassified.
func TestSubject(t *testing.T) {
	s := Flags{Data: "halfmoon"}
	d, err := s.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	choose := func(wrong func(row int) bool) (*Subject, error) {
		c := make(fixed)
		for row, label := range d.TestY {
			if wrong(row) {
				label = 1 - label
			}
			c[[2]float64(d.Test.RawRowView(row))] = label
		}
		return s.Subject(t.Context(), c, d)
	}
	s.Points = 150
	subject, err := choose(func(row int) bool { return row%4 == 0 })
	if err != nil || subject.Accuracy != 0.75 || len(subject.Rows) != 100 || slices.IsSorted(subject.Rows) {
		t.Errorf("subject %+v, %v, want 100 rows in the order in which they are drawn", subject, err)
	}
	for _, row := range subject.Rows {
		if row%4 == 0 {
			t.Errorf("row %d is misclassified", row)
		}
	}
	s.Points = 5
	subject, err = choose(func(row int) bool { return row < 150 || row == 152 })
	if err != nil || !slices.Equal(subject.Rows, []int{150, 151, 153, 154, 155}) {
		t.Errorf("subject %+v, %v, want the first of the few that are classified correctly", subject, err)
	}
	if _, err := choose(func(int) bool { return true }); err == nil || !strings.Contains(err.Error(), "none of the 200 test rows of halfmoon") {
		t.Errorf("%v, want an error about rows", err)
	}
}
