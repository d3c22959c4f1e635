package experiment

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// forestRegions is the number of cells that RBA-Approx tries on forests, twice
// that on k-NN.
const forestRegions = 100

// onlyBudget is that of DirectOnce.
const onlyBudget = 0.4

func (l *Lab) attack(ctx context.Context, r Run) ([]metrics.Point, error) {
	t, err := l.Test(ctx, r.Subject)
	if err != nil {
		return nil, err
	}
	if len(t.Attacked) == 0 {
		return []metrics.Point{}, nil
	}
	set, err := l.set(ctx, r.Set)
	if err != nil {
		return nil, err
	}
	m, err := l.Model(ctx, r.Subject)
	if err != nil {
		return nil, err
	}
	if r.Attack == Kernel {
		return l.attackTogether(ctx, r, m, set, t.Attacked)
	}
	a, err := m.attack(r)
	if err != nil {
		return nil, err
	}
	return metrics.Evaluate(ctx, m.Classifier, set.Test, set.TestY, metrics.Options{
		Norm:    m.norm,
		Attack:  a,
		Workers: l.options.Workers,
		Rows:    t.Attacked,
		Each: func(metrics.Point) error {
			l.options.Progress(1)
			return nil
		},
	})
}

// attack returns the attack on a point of the run. Points run side by side, each on one core.
func (m *Model) attack(r Run) (attack.Attack, error) {
	switch r.Attack {
	case RBAExact:
		return m.regionBased(attack.Options{Workers: 1}), nil
	case RBAApprox:
		options := attack.Options{Mode: attack.Approx, Workers: 1}
		if r.Classifier == Forest {
			options.Regions = forestRegions
		}
		return m.regionBased(options), nil
	case RBAShrunk:
		if forest, ok := m.Classifier.(*classifier.Ensemble); ok && m.norm == polytope.LInf {
			return m.Fallback(newShrunk(forest, m.X)), nil
		}
	case BlackBox:
		return m.Fallback(&baseline.BlackBox{
			Classifier: m.Classifier,
			Seed:       r.Seed,
			Norm:       m.norm,
		}), nil
	case Direct, DirectOnce:
		if _, ok := m.Classifier.(*classifier.KNN); ok {
			direct := &baseline.Direct{Classifier: m.Classifier, Norm: m.norm}
			if r.Attack == DirectOnce {
				direct.Step, direct.Limit = onlyBudget, onlyBudget
			}
			return m.Fallback(direct), nil
		}
	case Papernot:
		if tree, ok := m.Classifier.(*classifier.Tree); ok {
			return m.Fallback(newPapernot(tree, m.norm)), nil
		}
	}
	return nil, fmt.Errorf("%w: attack %q on %q", ErrName, r.Attack, r.Classifier)
}

func (m *Model) regionBased(options attack.Options) attack.Attack {
	options.Norm = m.norm
	return &attack.RegionBased{Classifier: m.Classifier, Options: options, Points: m.X}
}

// attackTogether is the kernel attack, whose substitute is made of the attacked
// points themselves.
func (l *Lab) attackTogether(
	ctx context.Context, r Run, m *Model, set *set, rows []int,
) ([]metrics.Point, error) {
	if _, ok := m.Classifier.(*classifier.KNN); !ok {
		return nil, fmt.Errorf("%w: attack %q on %q", ErrName, r.Attack, r.Classifier)
	}
	x, y, err := prune.Select(set.Test, set.TestY, rows)
	if err != nil {
		return nil, err
	}
	results, err := (&baseline.Kernel{Classifier: m.Classifier, Norm: m.norm}).PerturbAll(ctx, x)
	if err != nil {
		return nil, err
	}
	points := make([]metrics.Point, len(rows))
	back := m.Fallback(nil)
	for i, row := range rows {
		if results[i].Example == nil {
			if results[i], err = back.Perturb(ctx, mat.Row(nil, i, x)); err != nil {
				return nil, err
			}
		}
		points[i] = metrics.Point{
			Row:       row,
			TrueLabel: y[i],
			Predicted: y[i],
			Attacked:  true,
			Result:    results[i],
		}
	}
	l.options.Progress(len(rows))
	return points, nil
}
