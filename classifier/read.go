package classifier

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Model is a Classifier or a *Regressor.
type Model interface{ Dim() int }

// ReadOptions say how to read a model. The zero value takes it as its file says.
type ReadOptions struct {
	// Vote makes labels of sums whose meaning is not in their file: of boosted trees of LightGBM
	// that were trained with an objective of the user's own, and of regressors whose output is the
	// sum itself, as which XGBoost saves such models. A single sum is in favour of label 1 by a
	// LogisticVote, one for each class takes a SoftmaxVote, and either a SumVote. Where it does not
	// fit the sums, or the file has their meaning, the error wraps ErrOption.
	Vote Vote
}

// Read reads a model in any of the formats of docs/use/models.md, told apart by how they
// begin and by their keys:
//
//	what Save wrote                      the type that was saved
//	the export of scikit-learn's trees   *Ensemble, *Regressor
//	the JSON or UBJSON of XGBoost        *Ensemble, *Regressor
//	the text or JSON of LightGBM         *Ensemble, *Regressor
//	the JSON of CatBoost                 *Ensemble, *Regressor
//	tree ensembles of ONNX               *Ensemble, *Regressor
//	oblique trees in JSON                *ObliqueEnsemble
//
// M is the type that the caller can take: a Classifier of any type, one type such as *Ensemble, a
// *Regressor, or a Model of any kind. The model predicts as the library that wrote it does, to the
// last bit; docs/use/models.md says which objectives of regressors, and how closely outputs agree.
// A single decision tree of scikit-learn makes an ensemble of one, and is its Tree(0).
//
// It keeps the file, of at most 1 GiB, in memory meanwhile, but for one of XGBoost; time and memory
// are linear in its length. Errors wrap ErrModel, and errors.ErrUnsupported besides for models of a
// library that are not read here, and for a model that is no M.
func Read[M Model](r io.Reader, opts ReadOptions) (M, error) {
	var none M
	file, model, err := readFile(r, opts)
	if err != nil {
		return none, err
	}
	is, ok := model.(M)
	if !ok {
		return none, modelError(unlike(file, reflect.TypeFor[M]()))
	}
	return is, nil
}

// readFile reads a model, and the description of it in its file.
func readFile(r io.Reader, opts ReadOptions) (*models.Model, Model, error) {
	if rows.IsNil(r) {
		return nil, nil, fmt.Errorf("classifier: %w: no file to read", ErrOption)
	}
	file, err := modelfile.Read(r)
	if err != nil {
		return nil, nil, modelError(err)
	}
	if opts.Vote != SoftVote {
		if err := file.Decide(trees.Rule(opts.Vote)); err != nil {
			return nil, nil, fmt.Errorf("classifier: %w: %w", ErrOption, err)
		}
	}
	model, err := build(file)
	if err != nil {
		return nil, nil, modelError(err)
	}
	return file, model, nil
}

// fileOf is access.File.
func fileOf(r io.Reader, vote trees.Rule) (*models.Model, any, error) {
	return readFile(r, ReadOptions{Vote: Vote(vote)})
}

// unlike says that the model of a file is not of the type that the caller takes.
func unlike(m *models.Model, taken reflect.Type) error {
	switch {
	case m.Undecided:
		return models.UndecidedVote
	case m.Kind == models.Regressor:
		return models.Unsupported("a regressor, whose output is a number and no label: facet " +
			"range and facet attack --target output:T ask about it; Read[*Regressor] takes it in " +
			"Go")
	}
	if taken == reflect.TypeFor[*Regressor]() {
		return models.Unsupported(fmt.Sprintf("a classifier, of kind %q, and no regressor", m.Kind))
	}
	return models.Unsupported(fmt.Sprintf("a classifier, of kind %q, and no %v", m.Kind, taken))
}

// build makes the model of a file.
func build(m *models.Model) (Model, error) {
	if m.Undecided && m.Kind != models.Regressor {
		return nil, models.UndecidedVote
	}
	v := m.Vote
	opts := EnsembleOptions{
		Vote: Vote(v.Rule), Base: v.Base, Single: v.Single, Divisor: v.Divisor,
		AnyOrder: v.AnyOrder, chances: v.Chances, scale: v.Scale, curve: v.Curve,
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
		made, err := members(m, func(nodes trees.Plain) (*trees.Oblique, error) {
			return trees.NewOblique(m.Dim, nodes)
		})
		if err != nil {
			return nil, err
		}
		if m.Kind == models.ObliqueTree {
			opts = EnsembleOptions{Vote: HardVote}
		}
		e, err := newOblique(made, opts)
		if err != nil {
			return nil, err
		}
		e.labels = labelsOf(m)
		return e, nil
	case models.KNN, models.WeightedKNN:
		x := mat.NewDense(len(m.Rows), m.Dim, slices.Concat(m.Rows...))
		c, err := TrainKNN(context.Background(), x, m.Labels, KNNOptions{K: m.K})
		if err != nil {
			return nil, err
		}
		if c.labels = labelsOf(m); m.Kind == models.WeightedKNN {
			return weigh(c), nil
		}
		return c, nil
	}
	r, err := newRegressor(m)
	if err != nil {
		return nil, err
	}
	return r, nil
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
