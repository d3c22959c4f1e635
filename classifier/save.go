package classifier

import (
	"errors"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/xgboostfile"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Save writes a model of this package as a JSON file that Read reads back: the same numbers, bit
// for bit, and names. Of others the error wraps errors.ErrUnsupported.
func Save(w io.Writer, model Model) error {
	m, ok := model.(interface{ save(w io.Writer) error })
	if !ok || rows.IsNil(model) {
		return fmt.Errorf("classifier: saving a model: %T is none of this package: %w",
			model, errors.ErrUnsupported)
	}
	if rows.IsNil(w) {
		return errNoFile
	}
	return m.save(w)
}

var errNoFile = fmt.Errorf("classifier: %w: no file to write to", ErrOption)

func (t *Tree) save(w io.Writer) error {
	return write(w,
		t.name(models.Model{Kind: models.Tree, Dim: t.Dim(), Comparison: t.axis.Comparison}),
		t.axis)
}

func (e *Ensemble) save(w io.Writer) error {
	if e.vote.Vote.Rule == trees.Share {
		return fmt.Errorf("classifier: saving a model: %w", errShare("files of models do not know"))
	}
	m := models.Model{
		Kind:       models.Ensemble,
		Dim:        e.Dim(),
		Comparison: e.trees[0].axis.Comparison,
		Vote:       e.opts.vote(),
	}
	return write(w, e.name(m), e.vote.Trees...)
}

func (e *ObliqueEnsemble) save(w io.Writer) error {
	return write(w,
		e.name(models.Model{Kind: models.ObliqueEnsemble, Dim: e.Dim(), Vote: e.opts.vote()}),
		e.model.Trees...)
}

func (c *KNN) save(w io.Writer) error {
	return saveRows(w, c.name(models.Model{Kind: models.KNN}), c)
}

func (c *WeightedKNN) save(w io.Writer) error {
	return saveRows(w, c.name(models.Model{Kind: models.WeightedKNN}), c.rows)
}

func saveRows(w io.Writer, m models.Model, c *KNN) error {
	if !c.table.Plain() {
		return fmt.Errorf("classifier: saving a model: %w", errQuota("files of models do not know"))
	}
	m.Dim, m.K = c.Dim(), c.K()
	for i := range c.Len() {
		x, label := c.Row(i)
		m.Rows, m.Labels = append(m.Rows, x), append(m.Labels, label)
	}
	return write[*trees.Axis](w, m)
}

// write writes a model with its trees.
func write[T trees.Tree](w io.Writer, m models.Model, members ...T) error {
	for _, t := range members {
		m.Trees = append(m.Trees, t)
	}
	if err := modelfile.Write(w, &m); err != nil {
		return fmt.Errorf("classifier: saving a model: %w", err)
	}
	return nil
}

// SaveXGBoost writes boosted trees that TrainBoosted trained, or whose nodes and sums are such as
// XGBoost's are, as its JSON, which XGBoost loads and predicts by with the same margins. It knows
// the names of features, and numbers classes from 0. Of other models the error wraps
// errors.ErrUnsupported.
func SaveXGBoost(w io.Writer, e *Ensemble) error {
	switch {
	case e == nil:
		return fmt.Errorf("classifier: saving a model for XGBoost: %w: no model", ErrOption)
	case rows.IsNil(w):
		return errNoFile
	}
	if err := xgboostfile.Write(w, e.vote, e.features); err != nil {
		return fmt.Errorf("classifier: saving a model for XGBoost: %w", err)
	}
	return nil
}
