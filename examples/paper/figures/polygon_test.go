package figures

import (
	"math"
	"testing"

	"gonum.org/v1/plot/plotter"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestPolygonsTile: the cells of a classifier cover the frame once, and the
// middle of each has the cell's label.
func TestPolygonsTile(t *testing.T) {
	set, err := sample()
	if err != nil {
		t.Fatal(err)
	}
	x, y := set.Train, set.TrainY
	oblique, err := classifier.TrainOblique(t.Context(), x, y, classifier.ObliqueOptions{Trees: 2})
	if err != nil {
		t.Fatal(err)
	}
	models := map[string]classifier.Decomposable{"oblique trees": oblique}
	for name, trainer := range map[string]classifier.Trainer{
		"1-NN":   classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 1}),
		"3-NN":   classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 3}),
		"tree":   classifier.TrainerOf(classifier.TrainTree, classifier.TreeOptions{}),
		"forest": classifier.TrainerOf(classifier.TrainForest, classifier.ForestOptions{Trees: 3}),
	} {
		m, err := trainer(t.Context(), x, y)
		if err != nil {
			t.Fatal(err)
		}
		models[name] = m.(classifier.Decomposable)
	}
	for name, m := range models {
		t.Run(name, func(t *testing.T) {
			var covered float64
			frame := plotting.Unit()
			for cell := range m.Cells() {
				xys := polygon(cell.Region, frame)
				covered += area(xys)
				if xys == nil {
					continue
				}
				if got := m.Predict(middle(xys)); got != cell.Label {
					t.Errorf("label %d in the middle of %v, want %d", got, xys, cell.Label)
				}
			}
			if want := (frame.MaxX - frame.MinX) * (frame.MaxY - frame.MinY); math.Abs(
				covered-want,
			) > 1e-7 {
				t.Errorf("the cells have area %v, the frame %v", covered, want)
			}
		})
	}
}

func middle(xys plotter.XYs) []float64 {
	m := []float64{0, 0}
	for _, q := range xys {
		m[0] += q.X / float64(len(xys))
		m[1] += q.Y / float64(len(xys))
	}
	return m
}

func TestPolygon(t *testing.T) {
	square := plotting.Frame{MinX: 0, MaxX: 2, MinY: 0, MaxY: 2}
	for name, c := range map[string]struct {
		region polytope.Polyhedron
		area   float64
	}{
		"the plane": {polytope.Polyhedron{}, 4},
		"half": {
			polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{{A: []float64{1, 1}, B: 2}}}, 2,
		},
		"twice": {
			polytope.Polyhedron{
				HalfSpaces: []polytope.HalfSpace{{A: []float64{1, 0}, B: 1}, {
					A: []float64{2, 0},
					B: 2,
				}},
			}, 2,
		},
		"a box":      {polytope.Polyhedron{Box: polytope.Box{{Lo: 1, Hi: 5}, polytope.Line()}}, 2},
		"outside":    {polytope.Polyhedron{Box: polytope.Box{{Lo: 3, Hi: 5}, polytope.Line()}}, 0},
		"the border": {polytope.Polyhedron{Box: polytope.Box{{Lo: 2, Hi: 5}, polytope.Line()}}, 0},
		"a line":     {polytope.Polyhedron{Box: polytope.Box{{Lo: 1, Hi: 1}, polytope.Line()}}, 0},
		"nothing": {
			polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{{A: []float64{0, 0}, B: -1}}}, 0,
		},
		"all but one": {
			polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{{A: []float64{-1, -1}, B: -1}}},
			3.5,
		},
	} {
		t.Run(name, func(t *testing.T) {
			xys := polygon(c.region, square)
			if got := area(xys); math.Abs(got-c.area) > 1e-12 || (c.area == 0) != (xys == nil) {
				t.Errorf("polygon %v of area %v, want %v", xys, got, c.area)
			}
		})
	}
}
