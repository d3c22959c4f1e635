package figures

import (
	"context"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
)

// Figures is the number of figures.
const Figures = 6

// strength is that of the defences in the figures: a separation in ℓ∞, scaled
// units.
const strength = 0.3

// Job is a figure to draw.
type Job struct {
	Figure int      // 1 to Figures
	Sets   []string // to show, in the order of the figure
	Out    string   // the folder, made if missing
	Lab    *experiment.Lab
}

// Sets returns the names of the sets that a figure shows, in its order. That of
// figures 4 and 5 is that of the paper's, as far as this tells.
func Sets(figure int) []string {
	return [Figures + 1][]string{
		1: {"halfmoon"},
		2: {"halfmoon"},
		3: {"f-mnist06", "mnist17"},
		4: {"australian", "cancer", "covtype", "diabetes", "fourclass"},
		5: {"halfmoon", "f-mnist35", "f-mnist06", "mnist17"},
		6: {"mnist17", "f-mnist35", "f-mnist06"},
	}[figure]
}

// Draw writes figureN.png and figureN.svg, and prints their paths. The folder is
// tried first, so that a wrong one is known before the work is done.
func (job Job) Draw(ctx context.Context, stdout io.Writer) error {
	if err := outfile.Folder(job.Out); err != nil {
		return err
	}
	figure, err := job.draw(ctx)
	if err == nil {
		err = figure.Publish(ctx, stdout, job.Out, fmt.Sprintf("figure%d", job.Figure))
	}
	if err != nil {
		return fmt.Errorf("figure %d: %w", job.Figure, err)
	}
	return nil
}

func (job Job) draw(ctx context.Context) (*plotting.Figure, error) {
	switch job.Figure {
	case 1:
		return regions(ctx, job.Lab)
	case 2:
		return decompositions(ctx)
	case 6:
		return removed(ctx, job.Lab, job.Sets)
	}
	return accuracies(ctx, job.Lab, job.Sets, experiment.Classifiers())
}

// Runs returns the attacks that the figure needs, for programs that show progress.
func (job Job) Runs() []experiment.Run {
	if job.Figure < 3 || job.Figure > 5 {
		return nil
	}
	return runsOf(job.Sets, experiment.Classifiers())
}

// runsOf returns the attacks on classifiers that figures 3 to 5 need.
func runsOf(sets []string, of []experiment.Classifier) (runs []experiment.Run) {
	for _, set := range sets {
		for _, c := range of {
			for _, k := range curvesOf(c) {
				runs = append(runs, k.run(set, c))
			}
		}
	}
	return runs
}

// inWords are the classifiers' names in headings.
var inWords = map[experiment.Classifier]string{
	experiment.OneNN:   "1-NN",
	experiment.ThreeNN: "3-NN",
	experiment.Tree:    "decision tree",
	experiment.Forest:  "random forest",
}
