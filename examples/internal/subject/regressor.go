package subject

import (
	"fmt"
	"math"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// regression is the question about a regressor. At most one of its fields is not nil.
type regression struct {
	Above   *float64 // is the output at least so large?
	Of      string   // label of a classifier, whose probability is the output; "" for a regressor
	Change  *float64 // does it differ from that of the row by more?
	Reach   string   // label to reach; "" for any
	Outputs bool     // how large is it?
}

// The labels of these questions.
var (
	sides   = []string{"below", "above"}
	changes = []string{"smaller", "within", "larger"}
)

// Classes of changes.
const (
	Smaller = iota
	Within
	Larger
)

// asks reports whether the model is a regressor.
func (r *regression) asks() bool { return r.Above != nil || r.Change != nil || r.Outputs }

// answer makes a classifier of a model that was read, which answers the question as far as one can.
// Names are those of the classes of a probability, nil for those of the model. There is no
// regressor where the probability is a share of neighbours.
func (r *regression) answer(m *Model, names []string) (err error) {
	labels := changes
	if r.Above != nil {
		labels = sides
	}
	if r.Of != "" {
		m.regressor, m.Classifier, err = r.probability(m.Classifier, names)
	} else {
		m.Classifier = unchanged{m.regressor}
		if r.Above != nil {
			m.Classifier, err = m.regressor.Above(*r.Above)
		}
	}
	if err == nil {
		m.classes, err = tabular.Named(labels)
	}
	return err
}

// probability returns the regressor of the probability of a label of a classifier, nil if there is
// none, and a classifier that tells whether that is above the threshold.
func (r *regression) probability(
	model classifier.Classifier, names []string,
) (*classifier.Regressor, classifier.Classifier, error) {
	class, err := r.class(model, names)
	if err != nil {
		return nil, nil, err
	}
	switch model := Trees(model).(type) {
	case *classifier.Ensemble:
		of, err := model.Probability(class)
		if err != nil {
			return nil, nil, err
		}
		c, err := of.Above(*r.Above)
		return of, c, err
	case *classifier.KNN:
		c, err := model.Above(class, *r.Above)
		return nil, c, err
	}
	return nil, nil, fmt.Errorf("--target probability is for trees, forests, boosted trees and "+
		"k-NN whose neighbours weigh the same, not for %T: train one of these, k-NN with equal "+
		"weights",
		model)
}

// Trees returns a tree as the vote of it alone, whose means are the frequencies of its leaves, and
// any other classifier as it is.
func Trees(c classifier.Classifier) classifier.Classifier {
	if tree, ok := c.(*classifier.Tree); ok {
		e, err := classifier.NewEnsemble([]*classifier.Tree{tree}, classifier.EnsembleOptions{})
		if err == nil {
			return e
		}
	}
	return c
}

// class returns that of the label whose probability is asked for.
func (r *regression) class(c classifier.Classifier, names []string) (class int, err error) {
	classes, err := ClassesOf(c)
	switch {
	case names != nil && len(names) != c.Classes():
		return 0, fmt.Errorf("--classes lists %d labels, the classifier has %d classes",
			len(names), c.Classes())
	case names != nil:
		classes, err = tabular.Named(names)
	}
	if err != nil {
		return 0, err
	}
	class, ok := classes.Class(r.Of)
	if !ok {
		return 0, fmt.Errorf("--target probability: %q is no label of the classifier; the "+
			"labels are %s", r.Of, tabular.Quoted(classes.Labels()))
	}
	return class, nil
}

// unchanged is a regressor before an input is chosen whose output is compared: no input is.
type unchanged struct{ *classifier.Regressor }

func (unchanged) Classes() int          { return len(changes) }
func (unchanged) Predict([]float64) int { return Within }

// label replaces the numbers of a table by the labels of the question. A row does not differ from
// itself.
func (r *regression) label(t *tabular.Table) error {
	switch {
	case t == nil || !r.asks() || r.Above != nil && t.Labels == nil:
		return nil
	case r.Of != "": // they are those of the classifier
		t.Labels = nil
		return nil
	case r.Above == nil:
		t.Labels = make([]string, t.Rows)
		for i := range t.Labels {
			t.Labels[i] = changes[Within]
		}
		return nil
	}
	for i, text := range t.Labels {
		side, err := r.side(text)
		if err != nil {
			return fmt.Errorf("%s: row %d: %w: --label says where the numbers stand",
				t.Path, i, err)
		}
		t.Labels[i] = side
	}
	return nil
}

// side returns the label of a row whose output is to be a number.
func (r *regression) side(text string) (string, error) {
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsNaN(v):
		return "", fmt.Errorf("%.40q is no number to compare with --target output:%v",
			text, *r.Above)
	case v >= *r.Above:
		return sides[1], nil
	}
	return sides[0], nil
}
