package classifier

import (
	"context"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Read reads a model in any of the formats of docs/use/models.md, told apart by how they
// begin and by their keys:
//
//	what Save wrote                      the type that was saved
//	the export of scikit-learn's trees   *Ensemble
//	the JSON or UBJSON of XGBoost        *Ensemble
//	the text or JSON of LightGBM         *Ensemble
//	the JSON of CatBoost                 *Ensemble
//	tree ensembles of ONNX               *Ensemble
//	oblique trees in JSON                *ObliqueEnsemble
//
// An assertion gives the type: model, ok := c.(*Ensemble). What it reads predicts as the library
// that wrote it does, to the last bit. A single decision tree of scikit-learn makes an ensemble of
// one, and is its Tree(0).
//
// It keeps the file, of at most 1 GiB, in memory meanwhile, but for one of XGBoost; time and memory
// are linear in its length. Errors are a *ModelError, which wraps ErrModel, and
// errors.ErrUnsupported besides for what a library can write but is not read here.
func Read(r io.Reader) (Classifier, error) {
	m, err := modelfile.Read(r)
	if err != nil {
		return nil, modelError(err)
	}
	c, err := build(m)
	if err != nil {
		return nil, modelError(err)
	}
	return c, nil
}

// ReadVote reads boosted trees whose file has sums and does not say how they make a label, and has
// them vote so: models of LightGBM that were trained with an objective of the user's own, and
// regressors of Read's formats whose output is the sum itself, as which XGBoost saves such models.
// A single sum is in favour of label 1 by a LogisticVote, one for each class takes a SoftmaxVote,
// and either a SumVote. Errors are those of Read, or wrap ErrOption where the vote does not fit the
// sums, or the file says itself what they mean.
func ReadVote(r io.Reader, v Vote) (*Ensemble, error) {
	m, err := modelfile.Read(r)
	if err != nil {
		return nil, modelError(err)
	}
	if err := m.Decide(trees.Rule(v)); err != nil {
		return nil, fmt.Errorf("classifier: %w: %w", ErrOption, err)
	}
	model, err := build(m)
	if err != nil {
		return nil, modelError(err)
	}
	return model.(*Ensemble), nil
}

// build makes the classifier of a file.
func build(m *models.Model) (Classifier, error) {
	if m.Undecided {
		return nil, models.UndecidedVote
	}
	opts := EnsembleOptions{
		Vote:     Vote(m.Vote.Rule),
		Base:     m.Vote.Base,
		Single:   m.Vote.Single,
		Divisor:  m.Vote.Divisor,
		AnyOrder: m.Vote.AnyOrder,
		chances:  m.Vote.Chances,
		scale:    m.Vote.Scale,
	}
	switch m.Kind {
	case models.Tree, models.Ensemble:
		made, err := members(m, func(nodes trees.Plain) (*Tree, error) {
			axis, err := trees.NewAxis(m.Dim, m.Comparison, nodes)
			return &Tree{labels: labelsOf(m), axis: axis}, err
		})
		if err != nil {
			return nil, err
		}
		if m.Kind == models.Tree {
			return made[0], nil
		}
		return trained(NewEnsemble(made, opts))
	case models.ObliqueTree, models.ObliqueEnsemble:
		made, err := members(m, func(nodes trees.Plain) (*ObliqueTree, error) {
			t, err := trees.NewOblique(m.Dim, nodes)
			return &ObliqueTree{labels: labelsOf(m), oblique: t}, err
		})
		if err != nil {
			return nil, err
		}
		if m.Kind == models.ObliqueTree {
			return made[0], nil
		}
		return trained(NewObliqueEnsemble(made, opts))
	case models.KNN:
		c, err := TrainKNN(context.Background(), rowsOf(m), m.Labels, KNNOptions{K: m.K})
		if err != nil {
			return nil, err
		}
		c.labels = labelsOf(m)
		return c, nil
	case models.WeightedKNN:
		c, err := TrainWeightedKNN(context.Background(), rowsOf(m), m.Labels, KNNOptions{K: m.K})
		if err != nil {
			return nil, err
		}
		c.labels = labelsOf(m)
		return c, nil
	}
	return nil, models.Unsupported("a regressor, whose output is a number and no label: " +
		"ReadRegressor reads it, facet takes it with attack --above or --change, and with range")
}

func rowsOf(m *models.Model) mat.Matrix {
	return mat.NewDense(len(m.Rows), m.Dim, slices.Concat(m.Rows...))
}

// members makes the trees of a file.
func members[T any](m *models.Model, tree func(nodes trees.Plain) (T, error)) ([]T, error) {
	made := make([]T, len(m.Trees))
	err := m.Each(func(i int, nodes trees.Plain) (err error) {
		made[i], err = tree(nodes)
		return err
	})
	return made, err
}
