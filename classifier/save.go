package classifier

import (
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Save writes the tree as a JSON file that Read reads back: the same nodes, comparison,
// class values and names, bit for bit.
func (t *Tree) Save(w io.Writer) error {
	return save(w,
		t.name(modelfile.Model{Kind: modelfile.Tree, Dim: t.Dim(), Comparison: t.axis.Comparison}),
		t.axis)
}

// Save writes the ensemble as a JSON file that Read reads back: the same trees and vote,
// and so the same scores, bit for bit.
func (e *Ensemble) Save(w io.Writer) error {
	if e.vote.Vote.Rule == trees.Share {
		return fmt.Errorf("classifier: saving a model: %w", errShare("files of models do not know"))
	}
	m := modelfile.Model{
		Kind:       modelfile.Ensemble,
		Dim:        e.Dim(),
		Comparison: e.trees[0].axis.Comparison,
		Vote:       e.opts.vote(),
	}
	return save(w, e.name(m), e.vote.Trees...)
}

// Save writes the tree as a JSON file that Read reads back, bit for bit.
func (t *ObliqueTree) Save(w io.Writer) error {
	return save(w, t.name(modelfile.Model{Kind: modelfile.ObliqueTree, Dim: t.Dim()}), t.oblique)
}

// Save writes the ensemble as a JSON file that Read reads back: the same trees and vote,
// and so the same scores, bit for bit.
func (e *ObliqueEnsemble) Save(w io.Writer) error {
	return save(w,
		e.name(modelfile.Model{Kind: modelfile.ObliqueEnsemble, Dim: e.Dim(), Vote: e.opts.vote()}),
		e.model.Trees...)
}

// Save writes k and the training rows as a JSON file that Read reads back, bit for bit.
func (c *KNN) Save(w io.Writer) error {
	return saveRows(w, c.name(modelfile.Model{Kind: modelfile.KNN}), c)
}

// Save writes k and the training rows as a JSON file that Read reads back, bit for bit.
func (c *WeightedKNN) Save(w io.Writer) error {
	return saveRows(w, c.name(modelfile.Model{Kind: modelfile.WeightedKNN}), c.rows)
}

func saveRows(w io.Writer, m modelfile.Model, c *KNN) error {
	if !c.table.Plain() {
		return fmt.Errorf("classifier: saving a model: %w", errQuota("files of models do not know"))
	}
	m.Dim, m.K = c.Dim(), c.K()
	for i := range c.Len() {
		x, label := c.Row(i)
		m.Rows, m.Labels = append(m.Rows, x), append(m.Labels, label)
	}
	return save[*trees.Axis](w, m)
}

// save writes a model with its trees.
func save[T trees.Tree](w io.Writer, m modelfile.Model, members ...T) error {
	for _, t := range members {
		m.Trees = append(m.Trees, t)
	}
	if err := modelfile.Write(w, &m); err != nil {
		return fmt.Errorf("classifier: saving a model: %w", err)
	}
	return nil
}
