package classifier

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
	"github.com/seed-1a7dc1f9/facet/internal/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Read reads a model in any of the formats of docs/models.md, told apart by how they
// begin and by their keys:
//
//	what Save wrote                      the type that was saved
//	the export of scikit-learn's trees   *Ensemble, see ReadSklearn
//	the JSON or UBJSON of XGBoost        *Ensemble, see ReadXGBoost
//	the text or JSON of LightGBM         *Ensemble, see ReadLightGBM
//	the JSON of CatBoost                 *Ensemble
//	tree ensembles of ONNX               *Ensemble
//	oblique trees in JSON                *ObliqueEnsemble, see ReadOblique
//
// It keeps the file, of at most 1 GiB, in memory meanwhile, but for one of XGBoost; time and
// memory are linear in its length, where it has no sets of categories. Errors are a *ModelError,
// which wraps ErrModel, and errors.ErrUnsupported besides for what a library can write but is not
// read here.
func Read(r io.Reader) (Classifier, error) { return read[Classifier](r, "") }

// ReadSklearn reads trees, a random forest or gradient boosting of scikit-learn from the
// small JSON export described in docs/models.md:
//
//	{"format":"sklearn-tree-ensemble","version":1,"n_features":2,"classes":[0,1],
//	 "trees":[{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],
//	           "left":[1,-1,-1],"right":[2,-1,-1],"value":[[.5,.5],[1,0],[0,1]]}]}
//
// It predicts as scikit-learn does: float32(x) ≤ threshold goes left. A single decision
// tree makes an ensemble of one, and is its Tree(0). Labels that are words are
// "class_names", and classes then count them. A boosted model has a "boosting" besides:
//
//	"boosting":{"init":[0,-0.2],"learning_rate":0.1,"class":[1],"decision":"probability"}
//
// The values of tree i then are one number a node, which times the learning rate adds to
// the sum of class[i]; the sums start from init. Sums, and the order of their terms, are
// scikit-learn's own. A file in another format is an error; errors are those of Read.
func ReadSklearn(r io.Reader) (*Ensemble, error) { return read[*Ensemble](r, modelfile.Sklearn) }

// ReadXGBoost reads a classifier that XGBoost (versions 1 to 3) trained, from what its
// save_model("model.json") or save_model("model.ubj") writes: tree boosters, dart and random
// forests, with numbers and categories, and the objective binary:logistic, binary:hinge,
// multi:softmax or multi:softprob. docs/models.md says what is refused.
//
// It predicts as XGBoost does on a CPU: float32(x) < threshold goes left, a category of the
// node's set right, NaN the default way, and sums are float32. All trees vote, as in
// Booster.predict, unless an XGBClassifier saved itself after early stopping, which predicts with
// those up to its best iteration. A file in another format is an error; errors are those of Read.
func ReadXGBoost(r io.Reader) (*Ensemble, error) { return read[*Ensemble](r, modelfile.XGBoost) }

// ReadLightGBM reads a classifier that LightGBM (versions 3 and 4) trained, from the
// text that its save_model writes, or the JSON of its dump_model: gbdt, goss, dart or rf, with
// numbers and categories, and the objective binary or, but for rf, multiclass. docs/models.md
// says what is refused.
//
// It predicts as LightGBM does: x ≤ threshold goes left in float64, and so does a category of
// the node's set; |x| ≤ 1e-35 is read as 0, NaN goes where the node's kind of missing
// values sends it, and sums are float64. A file in another format is an error; errors are those of
// Read, and name the line.
func ReadLightGBM(r io.Reader) (*Ensemble, error) { return read[*Ensemble](r, modelfile.LightGBM) }

// ReadOblique reads linear decision trees, one or several that vote, from a small JSON
// file, or from one that ObliqueEnsemble.Save wrote:
//
//	{"format":"oblique-tree-ensemble","version":1,"n_features":2,"classes":[0,1],
//	 "vote":"soft","trees":[
//	  {"weights":[[1,-1],null,null],"threshold":[0.5,0,0],
//	   "left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[1,0],[0,1]]}]}
//
// Per tree there are parallel arrays over its nodes, node 0 the root, children
// after their parents. An inner node has one weight per feature and sends x left
// when weights·x ≤ threshold, as ObliqueTree computes it; a leaf has left = right =
// −1 and no weights. The values of a leaf, one per class, are class frequencies or
// whatever the vote adds up. classes lists the labels of the training data in
// ascending order. vote is "soft" (the default), "hard", "sum", "logistic" or
// "softmax", as the Vote of that name; "base" may hold what the sums of the last
// three start from, one number per class. Errors are those of Read.
func ReadOblique(r io.Reader) (*ObliqueEnsemble, error) {
	return read[*ObliqueEnsemble](r, modelfile.Facet)
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

// read reads a model of one type, and of one format unless that is empty.
func read[C Classifier](r io.Reader, format string) (c C, err error) {
	m, err := modelfile.Read(r)
	if err != nil {
		return c, modelError(err)
	}
	if format != "" && m.Format != format {
		return c, modelError(fmt.Errorf("the format of %s, want that of %s", m.Format, format))
	}
	model, err := build(m)
	if err != nil {
		return c, modelError(err)
	}
	c, ok := model.(C)
	if !ok {
		return c, modelError(fmt.Errorf("the file holds a model of kind %q: %w",
			m.Kind, errors.ErrUnsupported))
	}
	return c, nil
}

// build makes the classifier of a file.
func build(m *modelfile.Model) (Classifier, error) {
	if m.Undecided {
		return nil, models.UndecidedVote
	}
	opts := EnsembleOptions{
		Vote:     Vote(m.Vote.Rule),
		Base:     m.Vote.Base,
		Single:   m.Vote.Single,
		Divisor:  m.Vote.Divisor,
		AnyOrder: m.Vote.AnyOrder,
	}
	switch m.Kind {
	case modelfile.Tree, modelfile.Ensemble:
		made, err := members(m, func(n int, node func(int) trees.Node) (*Tree, error) {
			axis, err := trees.NewAxis(m.Dim, m.Comparison, n, node)
			return &Tree{labels: labelsOf(m), axis: axis}, err
		})
		if err != nil {
			return nil, err
		}
		if m.Kind == modelfile.Tree {
			return made[0], nil
		}
		return trained(NewEnsemble(made, opts))
	case modelfile.ObliqueTree, modelfile.ObliqueEnsemble:
		made, err := members(m, func(n int, node func(int) trees.Node) (*ObliqueTree, error) {
			t, err := trees.NewOblique(m.Dim, n, node)
			return &ObliqueTree{labels: labelsOf(m), oblique: t}, err
		})
		if err != nil {
			return nil, err
		}
		if m.Kind == modelfile.ObliqueTree {
			return made[0], nil
		}
		return trained(NewObliqueEnsemble(made, opts))
	case modelfile.KNN:
		c, err := NewKNN(rowsOf(m), m.Labels, KNNOptions{K: m.K})
		if err != nil {
			return nil, err
		}
		c.labels = labelsOf(m)
		return c, nil
	case modelfile.WeightedKNN:
		c, err := NewWeightedKNN(rowsOf(m), m.Labels, WeightedKNNOptions{K: m.K})
		if err != nil {
			return nil, err
		}
		c.labels = labelsOf(m)
		return c, nil
	}
	return nil, models.Unsupported("a regressor, whose output is a number and no label: " +
		"ReadRegressor reads it, facet takes it with attack --above or --change, and with range")
}

func rowsOf(m *modelfile.Model) mat.Matrix {
	return mat.NewDense(len(m.Rows), m.Dim, slices.Concat(m.Rows...))
}

// members makes the trees of a file.
func members[T any](
	m *modelfile.Model, tree func(n int, node func(i int) trees.Node) (T, error),
) ([]T, error) {
	made := make([]T, len(m.Trees))
	err := m.Each(func(i int, nodes trees.Plain) (err error) {
		made[i], err = tree(nodes.Len(), nodes.Node)
		return err
	})
	return made, err
}
