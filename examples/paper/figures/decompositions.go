package figures

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// The sample of figure 2: few points, so that every cell can be seen.
const (
	sampleSize  = 24
	sampleNoise = 0.12
	candidates  = 100 // for the attacked point
)

// example is a classifier of figure 2.
type example struct {
	name  string
	model classifier.Decomposable
}

// trained returns the classifiers, in the order of their panels.
func trained(ctx context.Context, x *mat.Dense, y []int) ([]*example, error) {
	trainers := []struct {
		name    string
		trainer classifier.Trainer
	}{
		{"1-NN", classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 1})},
		{"decision tree",
			classifier.TrainerOf(classifier.TrainTree, classifier.TreeOptions{MaxDepth: 5})},
		{"3-NN", classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 3})},
		{"forest of 3 trees", classifier.TrainerOf(classifier.TrainForest, classifier.ForestOptions{
			Trees:       3,
			TreeOptions: classifier.TreeOptions{MaxDepth: 3},
		})},
	}
	examples := make([]*example, len(trainers))
	for i, e := range trainers {
		model, err := e.trainer(ctx, x, y)
		if err != nil {
			return nil, err
		}
		examples[i] = &example{e.name, model.(classifier.Decomposable)}
	}
	return examples, nil
}

// decompositions is figure 2.
func decompositions(ctx context.Context) (*plotting.Figure, error) {
	set, err := sample()
	if err != nil {
		return nil, err
	}
	examples, err := trained(ctx, set.Train, set.TrainY)
	if err != nil {
		return nil, err
	}
	point, results, err := choose(ctx, examples, set)
	if err != nil {
		return nil, err
	}
	f := &plotting.Figure{
		Title: "Decompositions into convex cells, and the nearest adversarial example of one " +
			"point",
		Columns: 2,
		Key:     decompositionKey(),
		Width:   2.9 * vg.Inch, Height: 2.9 * vg.Inch,
	}
	for i, e := range examples {
		p, err := e.panel(ctx, set, point, results[i])
		if err != nil {
			return nil, err
		}
		f.Panels = append(f.Panels, p)
	}
	f.Panels[2].X.Label.Text, f.Panels[3].X.Label.Text = "x₁ (scaled)", "x₁ (scaled)"
	f.Panels[0].Y.Label.Text, f.Panels[2].Y.Label.Text = "x₂ (scaled)", "x₂ (scaled)"
	return f, nil
}

// sample returns the points to train on, and others to test.
func sample() (*protocol.Set, error) {
	rng := numpyrand.New(0)
	train, err := dataset.Moons(sampleSize, sampleNoise, rng)
	if err != nil {
		return nil, err
	}
	test, err := dataset.Moons(candidates, sampleNoise, rng)
	if err != nil {
		return nil, err
	}
	return protocol.Scale(train, test)
}

// choose returns the first of the points that all models classify correctly and
// whose balls up to the nearest adversarial example are neither too small to be
// seen nor leave the frame.
func choose(
	ctx context.Context, examples []*example, set *protocol.Set,
) (point []float64, results []attack.Result, err error) {
	for i, label := range set.TestY {
		x := set.Test.RawRowView(i)
		results = results[:0]
		for _, e := range examples {
			if e.model.Predict(x) != label {
				break
			}
			r, err := (&attack.RegionBased{Classifier: e.model}).Perturb(ctx, x)
			if err != nil {
				return nil, nil, err
			}
			if !visible(x, r.Distance) {
				break
			}
			results = append(results, r)
		}
		if len(results) == len(examples) {
			return x, results, nil
		}
	}
	return nil, nil, errors.New("no point has room around it in the regions of all classifiers")
}

// visible reports whether the ball can be seen, and the whole of it.
func visible(x []float64, radius float64) bool {
	const smallest = 0.08
	frame := plotting.Unit()
	return radius >= smallest &&
		frame.Contains(x[0]-radius, x[1]-radius) && frame.Contains(x[0]+radius, x[1]+radius)
}

func (e *example) panel(
	ctx context.Context, set *protocol.Set, point []float64, r attack.Result,
) (*plotting.Panel, error) {
	polygons := cells(e.model.Cells())
	p := plotting.NewPanel("", "", plotting.Unit(),
		fmt.Sprintf("%s: %d cells", e.name, len(polygons)),
		fmt.Sprintf("nearest adversarial example at ℓ∞ distance %.3f", r.Distance))
	areas, err := p.AddRegions(ctx, e.model, mat.NewDense(1, 2, nil), nil)
	if err != nil {
		return nil, err
	}
	areas.Border = vg.Points(1.6)
	for _, xys := range polygons {
		p.AddLines(plotting.Outline(xys))
	}
	for _, points := range p.AddLabelled(2, set.Train, set.TrainY) {
		points.Radius = vg.Points(2)
	}
	shown().AddTo(p, point, r.Example, r.Distance)
	return p, nil
}

// shown is how the attack is shown.
func shown() plotting.Attack {
	return plotting.Attack{Name: "attacked point", Size: vg.Points(3.6)}
}

// cells returns the polygons of the cells that the frame shows.
func cells(all iter.Seq[classifier.Cell]) []plotter.XYs {
	var polygons []plotter.XYs
	for cell := range all {
		if xys := polygon(cell.Region, plotting.Unit()); xys != nil {
			polygons = append(polygons, xys)
		}
	}
	return polygons
}

func decompositionKey() []plotting.Entry {
	cell := plotting.Entry{Text: "cell", Icons: []plot.Thumbnailer{plotting.Swatch{}}}
	return slices.Concat(plotting.RegionKey(2), []plotting.Entry{cell}, shown().Key())
}
