package protocol_test

import (
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
)

// TestLoad checks the shape of every set: 200 test rows, training columns scaled
// to [0, 1], two labels.
func TestLoad(t *testing.T) {
	shapes := map[string][2]int{
		"australian": {490, 14},
		"cancer":     {483, 10},
		"diabetes":   {568, 8},
		"fourclass":  {662, 2},
		"halfmoon":   {2000, 2},
	}
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		s := c.Set
		n, d := s.Train.Dims()
		m, e := s.Test.Dims()
		if want := shapes[s.Name]; n != want[0] || d != want[1] || m != 200 || e != d ||
			len(s.TrainY) != n || len(s.TestY) != m {
			t.Errorf("%d × %d training rows with %d labels, %d × %d test rows with %d labels, "+
				"want %v and 200", n, d, len(s.TrainY), m, e, len(s.TestY), want)
		}
		for j := range d {
			column := mat.Col(nil, j, s.Train)
			if lo, hi := slices.Min(column), slices.Max(column); lo < -1e-15 || lo > 1e-15 ||
				hi < 1-1e-15 || hi > 1+1e-15 {
				t.Errorf("column %d goes from %v to %v, want 0 to 1", j, lo, hi)
			}
		}
		for _, y := range [][]int{s.TrainY, s.TestY} {
			if slices.Min(y) != 0 || slices.Max(y) != 1 {
				t.Errorf("labels from %d to %d, want 0 and 1", slices.Min(y), slices.Max(y))
			}
		}
	})
}

// TestAttackedPoints: the points that the paper attacks are those of the fixtures, to the last bit
// on files, whose rows need no cosines.
func TestAttackedPoints(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		slack := 0.0
		if c.Set.Name == "halfmoon" {
			slack = 1e-12
		}
		points := c.Points(t)
		for name, rows := range c.Split(t).Attacked {
			for i, x := range points[name].X {
				got := c.Set.Test.RawRowView(rows[i])
				if !floats.EqualApprox(got, x, slack) {
					t.Fatalf("%s: point %d is %v, want %v", name, i, got, x)
				}
			}
		}
	})
}

func TestHalfmoonIsReproducible(t *testing.T) {
	a, err := protocol.Halfmoon()
	if err != nil {
		t.Fatal(err)
	}
	b, err := protocol.Load(t.Context(), "halfmoon", "no such folder")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Error("two calls give different sets")
	}
}

func TestAttacked(t *testing.T) {
	s, err := protocol.Halfmoon()
	if err != nil {
		t.Fatal(err)
	}
	correct := make([]bool, 200)
	for i := range 99 {
		correct[2*i] = true
	}
	if got, err := s.Attacked(correct); got != nil || err != nil {
		t.Errorf("Attacked with 99 correct = %v, %v, want none", got, err)
	}
	if got, err := s.Attacked(correct[1:]); got != nil || err == nil {
		t.Errorf("Attacked with 199 answers = %v, %v, want an error", got, err)
	}
	if got, err := new(protocol.Set).Attacked(nil); got != nil || err == nil {
		t.Errorf("Attacked of no set = %v, %v, want an error", got, err)
	}
	correct[199] = true
	got, err := s.Attacked(correct)
	if err != nil || len(got) != 100 {
		t.Fatalf("Attacked with 100 correct = %d rows, %v, want 100", len(got), err)
	}
	if slices.IsSorted(got) {
		t.Error("the rows are not shuffled")
	}
	slices.Sort(got)
	if len(slices.Compact(got)) != 100 ||
		slices.ContainsFunc(got, func(i int) bool { return !correct[i] }) {
		t.Errorf("Attacked = %v, want each correct row once", got)
	}
}
