package classifier

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Regressor is trees whose outputs are added up, or averaged, to a number: a regression
// tree, a random forest of them, or boosted trees, of another library. It does not change
// and is safe for concurrent use.
//
// Attacks are for classifiers: Above makes one of the question whether the output reaches
// a threshold, and Changes two of the question whether it differs much from that of an input.
type Regressor struct {
	model *models.Model
	trees *trees.Ensemble[*trees.Axis]
	// above has the same trees, as a vote of two classes; made when first asked for.
	above func() (*Ensemble, error)
	// shares answer Above of a probability that is a softmax of several sums; nil for one sum.
	shares func(t float64) (*Ensemble, error)
	// ranges are the trees prepared for the search of the largest output; made when asked for.
	ranges func() *boxtree.Sums
}

func newRegressor(m *models.Model) (*Regressor, error) {
	axes, err := members(m, func(nodes trees.Plain) (*trees.Axis, error) {
		return trees.NewAxis(m.Dim, m.Comparison, nodes)
	})
	if err != nil {
		return nil, err
	}
	e, err := trees.NewEnsemble(axes, m.Vote)
	if err != nil {
		return nil, err
	}
	if e.Classes != 1 {
		return nil, fmt.Errorf("%d values of a node, want 1", e.Classes)
	}
	read := *m
	// those made, so that none is kept twice
	read.Trees, read.Adds = make([]trees.Plain, len(axes)), nil
	for i, t := range axes {
		read.Trees[i] = t
	}
	r := &Regressor{model: &read, trees: e}
	r.above = sync.OnceValues(r.newAbove)
	r.ranges = sync.OnceValue(func() *boxtree.Sums { return boxtree.NewSums(e) })
	return r, nil
}

// newAbove makes a vote in which class 1 has the sum and class 0 the number that it has to exceed.
func (r *Regressor) newAbove() (*Ensemble, error) {
	members, err := members(r.model, func(nodes trees.Plain) (*Tree, error) {
		axis, err := trees.NewAxis(r.Dim(), r.model.Comparison,
			&trees.Adding{Plain: nodes, Class: 1, Classes: 2})
		return &Tree{labels: labelsOf(r.model), axis: axis}, err
	})
	if err != nil {
		return nil, err
	}
	return NewEnsemble(members, EnsembleOptions{
		Vote:     SumVote,
		Single:   r.model.Vote.Single,
		AnyOrder: r.model.Vote.AnyOrder,
		Base:     []float64{0, r.trees.Vote.Base[0]},
	})
}

// Dim returns the number of features.
func (r *Regressor) Dim() int { return r.model.Dim }

// Categories returns how many codes each feature has that is a category, as Ensemble.Categories.
func (r *Regressor) Categories() []int { return slices.Clone(r.model.Categories) }

func (r *Regressor) named() Names {
	l := labelsOf(r.model)
	return l.named()
}

// Predict returns the output for x.
func (r *Regressor) Predict(x []float64) float64 {
	if r.shares != nil {
		sums := make([]float64, r.trees.Classes)
		r.trees.Score(x, sums)
		return r.trees.Softmax(sums)
	}
	var sum [1]float64
	r.trees.Score(x, sum[:])
	return r.trees.Output(r.model.Link, sum[0])
}

// Above returns the classifier of two labels that says 1 where the output is at least t: where
// Predict(x) ≥ t, to the last bit. The first call takes time and memory, further ones next to none.
func (r *Regressor) Above(t float64) (*Ensemble, error) {
	if math.IsNaN(t) {
		return nil, fmt.Errorf("classifier: %w: the output is to reach NaN", ErrOption)
	}
	if r.shares != nil {
		return r.shares(t)
	}
	e, err := r.above()
	if err != nil {
		return nil, modelError(err)
	}
	return e.withBase([]float64{r.trees.Below(r.model.Link, t), r.trees.Vote.Base[0]})
}

// Changes returns two classifiers that say where the output differs from that of x by more
// than delta: it is smaller by more where the first says 0, and larger by more where the second
// says 1. The nearest such input is the nearer one of those of two attacks.
func (r *Regressor) Changes(x []float64, delta float64) (smaller, larger *Ensemble, err error) {
	if !(delta >= 0 && delta <= math.MaxFloat64) {
		return nil, nil, fmt.Errorf(
			"classifier: %w: the output is to change by more than %v, want a number from 0 on",
			ErrOption, delta,
		)
	}
	if err := geometry.CheckPoint(rules.Present(x), r.Dim()); err != nil {
		return nil, nil, fmt.Errorf("classifier: %w", err)
	}
	output := r.Predict(x)
	if math.IsInf(output, 0) {
		return nil, nil, fmt.Errorf(
			"classifier: %w: the output is %v, which no number differs from by a number",
			ErrOption, output,
		)
	}
	if smaller, err = r.Above(precise.SubUp(output, delta)); err != nil {
		return nil, nil, err
	}
	larger, err = r.Above(math.Nextafter(precise.AddDown(output, delta), math.Inf(1)))
	return smaller, larger, err
}

func (r *Regressor) save(w io.Writer) error {
	if r.shares != nil {
		return fmt.Errorf("classifier: saving a model: %w", errShare("files of models do not know"))
	}
	if err := modelfile.Write(w, r.model); err != nil {
		return fmt.Errorf("classifier: saving a model: %w", err)
	}
	return nil
}
