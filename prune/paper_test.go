package prune

import (
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/fixture"
)

// TestPaperSets compares kept rows, conflicts and matching at the paper's three
// separations with an independent implementation.
func TestPaperSets(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		pruned := c.Split(t).Pruned
		if len(pruned) != 3 {
			t.Fatalf("%d separations in the fixture, want 3", len(pruned))
		}
		for name, want := range pruned {
			t.Run(name, func(t *testing.T) {
				in := &instance{x: c.Set.Train, y: c.Set.TrainY, radius: want.Separation / 2}
				r, err := in.adversarial().Solve(t.Context(), in.x, in.y, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(r.Keep, want.Keep) {
					t.Errorf("kept %d rows %v, want %d: %v", len(r.Keep), r.Keep, len(want.Keep), want.Keep)
				}
				if got := len(r.Certificate.Cliques); got != want.Matching {
					t.Errorf("matching of %d, want %d", got, want.Matching)
				}
				if err := in.adversarial().Verify(t.Context(), in.x, in.y, nil, r); err != nil {
					t.Error(err)
				}
				if r.Certificate.Bound != r.Weight {
					t.Errorf("certified bound %v, want %v", r.Certificate.Bound, r.Weight)
				}
				// The fixture counts rounded distances, of which some are rounded down to the separation.
				edges := in.roundedDown()
				p := in.problem(t)
				for _, neighbours := range newConflicts(p.clouds[:1], p.clouds[1:], p.reach).lists(t, 2) {
					edges += len(neighbours)
				}
				if edges != want.Edges {
					t.Errorf("%d edges, want %d", edges, want.Edges)
				}
			})
		}
	})
}

// roundedDown counts the pairs of rows that conflict only if their distance is rounded.
func (in *instance) roundedDown() int {
	n := 0
	for i, a := range in.y {
		for j, b := range in.y[:i] {
			if a != b && in.norm.Distance(in.x.RawRowView(i), in.x.RawRowView(j)) <= 2*in.radius && !in.conflict(i, j) {
				n++
			}
		}
	}
	return n
}

func TestHalfmoonRows(t *testing.T) {
	c := fixture.Halfmoon(t)
	for radius, want := range map[float64]int{0.05: 1702, 0.15: 1144, 0.25: 1004} {
		keep, err := Adversarial{Radius: radius}.Prune(t.Context(), c.Set.Train, c.Set.TrainY)
		if err != nil {
			t.Fatal(err)
		}
		if len(keep) != want {
			t.Errorf("radius %v: %d rows kept, want %d", radius, len(keep), want)
		}
	}
}
