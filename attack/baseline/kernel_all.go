package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/internal/training"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// PerturbAll attacks the rows of x together, as the paper's experiments did: the
// substitute is made of the attacked rows themselves, wherever they have moved,
// with the labels that the classifier predicts for them; a row is no neighbour of
// its own. All rows descend on the sum of their masses. Points and Labels do
// not matter, and there is no Target.
//
// Results come in the order of the rows, each with the example of the first budget
// at which the row flips. A step takes O(n²·d) time and O(n²) memory. Signs of
// gradients decide, and where features are discrete many gradients vanish but for
// rounding errors. These are as the paper's arithmetic makes them; results of other
// implementations may differ there.
//
// Errors are those of Perturb; when ctx ends early the results are those of the
// budgets that were finished.
func (a *Kernel) PerturbAll(ctx context.Context, x mat.Matrix) ([]attack.Result, error) {
	results, err := a.perturbAll(ctx, x)
	return results, wrapped(ctx, err)
}

// perturbAll is PerturbAll, with the results so far when the context ends.
func (a *Kernel) perturbAll(
	ctx context.Context, x mat.Matrix,
) (results []attack.Result, err error) {
	defer guard.Recover(&err)
	c, err := a.newPopulation(ctx, x)
	switch {
	case c == nil:
		return nil, err
	case err != nil:
		return c.results, nil
	}
	left := len(c.queries)
	for budget := range a.budgets().all() {
		walks, ok := a.descendAll(ctx, c, budget)
		if !ok || left == 0 {
			break
		}
		for i, w := range walks {
			if c.results[i].Example != nil {
				continue
			}
			if r := tried(a.Classifier, c.queries[i], w.z); r.Example != nil {
				c.results[i] = r
				left--
			}
		}
	}
	return c.results, nil
}

// population are rows that are attacked together.
type population struct {
	queries []search.Query
	labels  []int
	results []attack.Result
}

// newPopulation checks the options and the rows. When the context ends no row has an example, and
// the error comes with a population.
func (a *Kernel) newPopulation(ctx context.Context, x mat.Matrix) (*population, error) {
	switch {
	case ctx == nil:
		return nil, rows.ErrContext
	case rows.IsNil(a.Classifier):
		return nil, fmt.Errorf("%w: none given", attack.ErrClassifier)
	case a.Target != nil:
		return nil, fmt.Errorf("%w: rows attacked together have no target", classifier.ErrOption)
	}
	if err := a.checkOptions(); err != nil {
		return nil, err
	}
	table, err := training.Copy(context.Background(), x) // one pass, for n of n² to come
	if err != nil {
		return nil, err
	}
	c := &population{results: make([]attack.Result, table.Len)}
	for i := range c.results {
		c.results[i] = none()
	}
	for i := range table.Len {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		q, err := query.Plain(a.Classifier, a.Norm, nil, table.Row(i))
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
		c.queries, c.labels = append(c.queries, q), append(c.labels, q.From)
	}
	return c, nil
}

// descendAll returns where the rows end within the budget, and whether ctx let
// them.
func (a *Kernel) descendAll(
	ctx context.Context, c *population, budget float64,
) (walks []*walk, ok bool) {
	for _, q := range c.queries {
		walks = append(walks, a.newWalk(q.X, budget))
	}
	n := len(walks)
	pulls, gradients := mat.NewDense(n, n, nil), mat.NewDense(n, a.Classifier.Dim(), nil)
	for range cmp.Or(a.Iterations, defaultIterations) {
		if !c.pull(ctx, pulls, walks, cmp.Or(a.Width, defaultWidth)) ||
			!c.push(ctx, gradients, pulls, walks) {
			return nil, false
		}
		changed := false
		for i, w := range walks {
			changed = w.step(gradients.RawRowView(i)) || changed
		}
		if !changed {
			break
		}
	}
	return walks, true
}

// pull sets row k to the output of the substitute without point k at that point, and reports
// whether ctx let it.
func (c *population) pull(
	ctx context.Context, pulls *mat.Dense, walks []*walk, width float64,
) bool {
	for k, w := range walks {
		if ctx.Err() != nil {
			return false
		}
		for l, v := range walks[:k] {
			squared := nnindex.Squared(w.z, v.z)
			pulls.Set(k, l, squared)
			pulls.Set(l, k, squared)
		}
		pulls.Set(k, k, math.Inf(1))
	}
	for k := range walks {
		if ctx.Err() != nil {
			return false
		}
		row := pulls.RawRowView(k)
		soften(row, width)
		// The rest of the mass as a difference cancels where the label has nearly all
		// of it. The paper's printed numbers depend on that.
		mass, _ := masses(row, c.labels, c.labels[k])
		pull(row, c.labels, c.labels[k], mass, 1-mass)
	}
	return true
}

// push sets the gradient of every row: it is pulled by its neighbours, and is a
// neighbour of others itself. Σ f·(z − p) is split into (Σ f)·z and Σ f·p, as a
// product of matrices would have it: which gradients vanish but for rounding
// errors in the paper's experiments depends on that, too. It reports whether ctx let it.
func (c *population) push(ctx context.Context, gradients, pulls *mat.Dense, walks []*walk) bool {
	gradients.Zero()
	for k, w := range walks {
		if ctx.Err() != nil {
			return false
		}
		g := gradients.RawRowView(k)
		var total float64
		for l, v := range walks {
			if l == k {
				continue
			}
			f := pulls.At(k, l) + pulls.At(l, k)
			total += f
			for j, p := range v.z {
				g[j] += float64(f * p)
			}
		}
		for j, z := range w.z {
			g[j] = float64(total*z) - g[j]
		}
	}
	return true
}
