package prune

import (
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
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
					t.Errorf("kept %d rows %v, want %d: %v",
						len(r.Keep), r.Keep, len(want.Keep), want.Keep)
				}
				if got := len(r.Cliques); got != want.Matching {
					t.Errorf("matching of %d, want %d", got, want.Matching)
				}
				if err := in.adversarial().Verify(t.Context(), in.x, in.y, nil, r); err != nil {
					t.Error(err)
				}
				if r.Certified != float64(r.Weight) {
					t.Errorf("certified bound %v, want %v", r.Certified, r.Weight)
				}
				edges := 0
				p := in.problem(t)
				for _, neighbours := range newConflicts(
					p.labels[:1], p.labels[1:], p.ball,
				).lists(t) {
					edges += len(neighbours)
				}
				if edges != want.Edges {
					t.Errorf("%d edges, want %d", edges, want.Edges)
				}
			})
		}
	})
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
