package figures

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// pairs is how many are shown of each set.
const pairs = 4

// removed is figure 6: a row for each set.
func removed(ctx context.Context, lab *experiment.Lab, sets []string) (*plotting.Figure, error) {
	f := &plotting.Figure{
		Title: fmt.Sprintf("Left: images removed by pruning at r = %g (ℓ∞ after PCA). Right: "+
			"the nearest with the other label", strength),
		Columns: pairs,
		Width:   1.76 * vg.Inch,
		Height:  0.88 * vg.Inch,
	}
	for _, name := range sets {
		set, err := lab.Set(ctx, name)
		if err != nil {
			return nil, err
		}
		row, err := removedRow(ctx, set)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f.Panels = append(f.Panels, row...)
	}
	return f, nil
}

func removedRow(ctx context.Context, set *protocol.Set) ([]*plotting.Panel, error) {
	keep, err := prune.Adversarial{Radius: strength / 2}.Prune(ctx, set.Train, set.TrainY)
	if err != nil {
		return nil, err
	}
	all, err := partners(ctx, set, keep)
	if err != nil {
		return nil, err
	}
	names := classNames[set.Name]
	var row []*plotting.Panel
	for _, p := range choosePairs(all, set.TrainY) {
		row = append(row, plotting.NewPictures(
			set.Picture(p.removed), set.Picture(p.nearest),
			names[set.TrainY[p.removed]]+" and "+names[set.TrainY[p.nearest]],
			fmt.Sprintf("ℓ∞ distance %.3f", p.distance)))
	}
	if len(row) == 0 {
		return nil, fmt.Errorf("pruning removes none of the %d images", len(set.TrainY))
	}
	for len(row) < pairs {
		row = append(row, plotting.NewPanel("", "", plotting.Frame{MaxX: 1, MaxY: 1}))
	}
	title := fmt.Sprintf("%s\n%d of %d\nremoved", set.Name, len(all), len(set.TrainY))
	if set.TestOnly {
		title += "\nt10k only"
	}
	row[0].Y.Label.Text = title
	return row, nil
}

// classNames are the names of the labels 0 and 1 in the sets of pictures.
var classNames = map[string][2]string{
	"mnist17":   {"1", "7"},
	"f-mnist35": {"dress", "sandal"},
	"f-mnist06": {"T-shirt/top", "shirt"},
}

// pair is a removed row and the nearest one with the other label.
type pair struct {
	removed, nearest int
	distance         float64
}

// partners returns a pair for each row that is not kept, nearest first.
func partners(ctx context.Context, set *protocol.Set, keep []int) ([]pair, error) {
	var all []pair
	for i := range set.TrainY {
		if _, kept := slices.BinarySearch(keep, i); kept {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := pair{removed: i, distance: math.Inf(1)}
		for j, label := range set.TrainY {
			if label == set.TrainY[i] {
				continue
			}
			if d := floats.Distance(
				set.Train.RawRowView(i), set.Train.RawRowView(j), math.Inf(1),
			); d < p.distance {
				p.nearest, p.distance = j, d
			}
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(p, q pair) int {
		return cmp.Or(cmp.Compare(p.distance, q.distance), cmp.Compare(p.removed, q.removed))
	})
	return all, nil
}

// choosePairs returns the nearest pairs that show no image twice, those with a
// removed image of label 0 and of label 1 in turn as long as there are both.
func choosePairs(all []pair, y []int) []pair {
	var chosen []pair
	shown := make(map[int]bool)
	next := func(wanted func(label int) bool) bool {
		for _, p := range all {
			if shown[p.removed] || shown[p.nearest] || !wanted(y[p.removed]) {
				continue
			}
			shown[p.removed], shown[p.nearest] = true, true
			chosen = append(chosen, p)
			return true
		}
		return false
	}
	for turn := 0; len(chosen) < pairs; turn++ {
		if next(func(label int) bool { return label == turn%2 }) {
			continue
		}
		if !next(func(int) bool { return true }) {
			break
		}
	}
	return chosen
}
