package figures

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// TestPartners: every removed row comes once, with a row of the other label than
// which none is nearer.
func TestPartners(t *testing.T) {
	set, err := protocol.Halfmoon()
	if err != nil {
		t.Fatal(err)
	}
	keep, err := prune.Adversarial{Radius: strength / 2}.Prune(t.Context(), set.Train, set.TrainY)
	if err != nil {
		t.Fatal(err)
	}
	all, err := partners(t.Context(), set, keep)
	if err != nil {
		t.Fatal(err)
	}
	distance := func(i, j int) float64 {
		a, b := set.Train.RawRowView(i), set.Train.RawRowView(j)
		return max(math.Abs(a[0]-b[0]), math.Abs(a[1]-b[1]))
	}
	rows := slices.Clone(keep)
	before := 0.0
	for _, p := range all {
		rows = append(rows, p.removed)
		if set.TrainY[p.removed] == set.TrainY[p.nearest] ||
			p.distance != distance(p.removed, p.nearest) || p.distance < before ||
			p.distance > strength {
			t.Fatalf("%v after distance %v", p, before)
		}
		before = p.distance
		for j, label := range set.TrainY {
			if label != set.TrainY[p.removed] && distance(p.removed, j) < p.distance {
				t.Fatalf("row %d is nearer to %d than %d", j, p.removed, p.nearest)
			}
		}
	}
	slices.Sort(rows)
	if len(slices.Compact(rows)) != len(set.TrainY) || len(rows) != len(set.TrainY) {
		t.Errorf("%d rows kept or paired, want each of %d once", len(rows), len(set.TrainY))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := partners(ctx, set, keep); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

func TestChoosePairs(t *testing.T) {
	y := []int{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}
	zeros := []pair{{0, 6, 1}, {1, 6, 2}, {2, 7, 3}, {3, 8, 4}, {4, 9, 5}, {5, 10, 6}}
	for name, c := range map[string]struct {
		all  []pair
		want []int // the removed rows
	}{
		"none":         {nil, nil},
		"one label":    {zeros, []int{0, 2, 3, 4}},
		"in turn":      {slices.Concat(zeros, []pair{{11, 0, 7}, {10, 1, 8}}), []int{0, 10, 2, 3}},
		"mutual pairs": {[]pair{{0, 6, 1}, {6, 0, 1}}, []int{0}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []int
			for _, p := range choosePairs(c.all, y) {
				got = append(got, p.removed)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("removed rows %v, want %v", got, c.want)
			}
		})
	}
}

// TestNothingRemoved: a set from which no row is removed is an error that says so.
func TestNothingRemoved(t *testing.T) {
	set, err := protocol.Halfmoon()
	if err != nil {
		t.Fatal(err)
	}
	set.TrainY = make([]int, len(set.TrainY))
	if row, err := removedRow(t.Context(), set); row != nil || err == nil {
		t.Errorf("removedRow = %v, %v, want an error", row, err)
	}
}
