package figures

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

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
	Figure int // 1 to Figures
	// Sets are those to show, among the sets of the figure and in its order. nil
	// shows all whose files are found.
	Sets []string
	Out  string // the folder, made if missing
	Lab  *experiment.Lab
}

// ErrFigure is returned for a figure that there is not, and for a set that it
// does not show.
var ErrFigure = errors.New("no such figure")

// Sets returns the names of the sets that a figure shows, in its order. That of
// figures 4 and 5 is that of the paper's, as far as this tells.
func Sets(figure int) ([]string, error) {
	switch figure {
	case 1, 2:
		return []string{"halfmoon"}, nil
	case 3:
		return []string{"f-mnist06", "mnist17"}, nil
	case 4:
		return []string{"australian", "cancer", "covtype", "diabetes", "fourclass"}, nil
	case 5:
		return []string{"halfmoon", "f-mnist35", "f-mnist06", "mnist17"}, nil
	case 6:
		return []string{"mnist17", "f-mnist35", "f-mnist06"}, nil
	}
	return nil, fmt.Errorf("%w: %d, where there are 1 to %d", ErrFigure, figure, Figures)
}

// Draw writes figureN.png and figureN.svg, and prints their paths. The folder is
// tried first, so that a wrong one is known before the work is done.
//
// A set that is asked for and absent is an error that wraps fs.ErrNotExist and
// says how to get its files; so is a figure of which no set is there.
func Draw(ctx context.Context, job Job, stdout io.Writer) error {
	sets, err := job.sets(ctx)
	if err != nil {
		return err
	}
	if err := outfile.Folder(job.Out); err != nil {
		return err
	}
	figure, err := job.draw(ctx, sets)
	if err == nil {
		err = figure.Publish(ctx, stdout, job.Out, fmt.Sprintf("figure%d", job.Figure))
	}
	if err != nil {
		return fmt.Errorf("figure %d: %w", job.Figure, err)
	}
	return nil
}

func (job *Job) draw(ctx context.Context, sets []string) (*plotting.Figure, error) {
	switch job.Figure {
	case 1:
		return regions(ctx, job.Lab)
	case 2:
		return decompositions(ctx)
	case 6:
		return removed(ctx, job.Lab, sets)
	}
	return accuracies(ctx, job.Lab, sets)
}

// Runs returns the attacks that a figure needs, for programs that show progress.
func Runs(ctx context.Context, job Job) ([]experiment.Run, error) {
	sets, err := job.sets(ctx)
	if err != nil || job.Figure < 3 || job.Figure > 5 {
		return nil, err
	}
	var runs []experiment.Run
	for _, set := range sets {
		for _, c := range experiment.Classifiers() {
			for _, k := range curvesOf(c) {
				runs = append(runs, k.run(set, c))
			}
		}
	}
	return runs, nil
}

// sets returns the sets to show.
func (job *Job) sets(ctx context.Context) ([]string, error) {
	all, err := Sets(job.Figure)
	if err != nil {
		return nil, err
	}
	if job.Lab == nil {
		return nil, errors.New("figures: the job has no Lab")
	}
	for _, name := range job.Sets {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("%w: figure %d shows %s, not %q", ErrFigure, job.Figure, strings.Join(all, ", "), name)
		}
	}
	var found []string
	var absent []error
	for _, name := range all {
		if job.Sets != nil && !slices.Contains(job.Sets, name) {
			continue
		}
		_, err := job.Lab.Set(ctx, name)
		switch {
		case err == nil:
			found = append(found, name)
		case job.Sets == nil && errors.Is(err, fs.ErrNotExist):
			absent = append(absent, err)
		default:
			return nil, fmt.Errorf("figure %d: %w", job.Figure, err)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("figure %d: %w", job.Figure, absent[0])
	}
	return found, nil
}

// inWords returns a classifier's name in a heading.
func inWords(c experiment.Classifier) string {
	switch c {
	case experiment.OneNN:
		return "1-NN"
	case experiment.ThreeNN:
		return "3-NN"
	case experiment.Tree:
		return "decision tree"
	case experiment.Forest:
		return "random forest"
	}
	return string(c)
}
