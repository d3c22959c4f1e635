package modelfile

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// sklearnFormat names the export that export_sklearn.py writes.
const sklearnFormat = "sklearn-tree-ensemble"

func isSklearn(h *head) bool { return h.format == sklearnFormat }

type sklearnFile struct {
	Format   string           `json:"format"`
	Version  int              `json:"version"`
	Features int              `json:"n_features"`
	Classes  []float64        `json:"classes"`
	Names    []string         `json:"class_names"`
	Columns  []string         `json:"feature_names"`
	Boosting *sklearnBoosting `json:"boosting"`
	Trees    []columns        `json:"trees"`
	Library  string           `json:"sklearn"` // version that trained the model, of some exporters
}

// sklearnBoosting is the part of a boosted model besides its trees.
type sklearnBoosting struct {
	Init     []float64 `json:"init"`
	Rate     *float64  `json:"learning_rate"`
	Class    []int     `json:"class"` // that each tree adds to
	Decision string    `json:"decision"`
	Scale    float64   `json:"scale"` // of the sum of two classes before it is a probability
}

// Unknown refuses all other keys.
func (f *sklearnFile) Unknown(within, key string) error {
	return models.Sklearn.Unknown(models.InObject(within, key), f.Library)
}

func readSklearn(text []byte) (*models.Model, error) {
	var f sklearnFile
	if err := models.DecodeJSON(text, &f); err != nil {
		return nil, err
	}
	if err := checkHead(f.Version, f.Features, f.Classes, f.Names, f.Columns); err != nil {
		return nil, err
	}
	if len(f.Classes) == 0 {
		return nil, errors.New("no classes")
	}
	m := &models.Model{
		Kind:         models.Ensemble,
		Dim:          f.Features,
		Comparison:   trees.AtMostFloat32,
		ClassValues:  f.Classes,
		ClassNames:   f.Names,
		FeatureNames: f.Columns,
	}
	var err error
	if f.Boosting == nil {
		m.Trees, err = decodeTrees(f.Trees, false, len(f.Classes), "class frequencies")
		return m, err
	}
	if m.Trees, err = decodeTrees(f.Trees, false, 1, "values"); err != nil {
		return nil, err
	}
	if m.Vote, err = f.Boosting.vote(len(f.Classes), len(f.Trees)); err != nil {
		return nil, err
	}
	for _, tree := range m.Trees {
		for _, node := range tree.(trees.Nodes) {
			node.Value[0] *= *f.Boosting.Rate
		}
	}
	return m, m.Spread(len(text), func(tree int) int { return f.Boosting.Class[tree] })
}

// vote checks the description of a boosted model of so many classes and trees.
func (b *sklearnBoosting) vote(classes, count int) (trees.Vote, error) {
	v := trees.Vote{Base: b.Init}
	switch {
	case classes < 2:
		return v, fmt.Errorf("%d class, want at least 2", classes)
	case len(b.Init) != classes:
		return v, fmt.Errorf("%d init values for %d classes", len(b.Init), classes)
	case len(b.Class) != count:
		return v, fmt.Errorf("class has %d numbers for %d trees", len(b.Class), count)
	case b.Rate == nil:
		return v, errors.New("no learning_rate")
	}
	least := 0
	if classes == 2 {
		// The sum of class 0 stays zero; class 1 has the log-odds.
		if least = 1; b.Init[0] != 0 {
			return v, fmt.Errorf("init of the first of two classes is %v, want 0", b.Init[0])
		}
	}
	for i, c := range b.Class {
		if c < least || c >= classes {
			return v, trees.AtTree(i,
				fmt.Errorf("adds to class %d, want %d to %d", c, least, classes-1))
		}
	}
	switch {
	case b.Decision == "probability" && classes == 2:
		v.Rule = trees.Logistic
	case b.Decision == "probability":
		v.Rule = trees.Softmax
	case b.Decision == "sum" && classes == 2:
		// Label 1 wins a sum of zero: it only has to exceed the largest number below.
		v.Rule, v.Base[0] = trees.Sum, -math.SmallestNonzeroFloat64
		if b.Scale != 0 { // which older files lack, with any loss
			v.Chances, v.Scale = trees.Logit, b.Scale
		}
	case b.Decision == "sum":
		v.Rule, v.Chances = trees.Sum, trees.Odds
	default:
		return v, fmt.Errorf("decision is %q, want probability or sum", b.Decision)
	}
	return v, nil
}
