package orderk_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// TestMoreNeighborsNodes: the hints which node to split, and how, are not needed for its answers to
// be right, only for them to be found; without it the nodes become more.
func TestMoreNeighborsNodes(t *testing.T) {
	tests := []struct {
		name       string
		points     int
		n, classes int
		k          int
		side       float64 // of the grid that the rows lie on, 0 for none
		nodes      int     // opened for all points together, 1/50 to spare
	}{
		{"two classes", 60, 120, 2, 5, 0, 780},
		{"three classes", 60, 60, 3, 4, 0, 3930},
		{"many votes", 60, 40, 2, 9, 0, 2340},
		{"grid", 12, 20, 2, 3, 3, 1790},
		{"grid of three classes", 20, 14, 3, 3, 3, 1210},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nodes := 0
			for number := range uint64(tt.points) {
				rng := rand.New(rand.NewPCG(number, 950))
				in := instance.Neighbors{Query: []float64{0, 0}}
				draw := func() float64 {
					if tt.side > 0 {
						return float64(rng.IntN(int(tt.side)))
					}
					return rng.NormFloat64()
				}
				for range tt.n {
					in.X, in.Y = append(in.X, []float64{draw(), draw()}), append(in.Y,
						rng.IntN(tt.classes))
				}
				in.Query[0], in.Query[1] = draw(), draw()
				r, err := (&attack.RegionBased{
					Classifier: in.KNN(t, tt.k), Options: attack.Options{
						Norm:    instance.Norms()[number%3],
						Workers: 1,
					},
				}).Perturb(t.Context(), in.Query)
				if err != nil {
					t.Fatal(err)
				}
				nodes += r.Nodes
			}
			if nodes > tt.nodes {
				t.Errorf("%d nodes, want at most %d", nodes, tt.nodes)
			}
		})
	}
}
