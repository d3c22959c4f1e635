package catboostfile

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
)

// featuresInfo describes the columns of the training data. Features of either kind are
// numbered by themselves; their flat index is the column.
type featuresInfo struct {
	Float []floatFeature `json:"float_features"`
	Cat   []catFeature   `json:"categorical_features"`
	Ctrs  []statistic    `json:"ctrs"`
	Words []word         `json:"cat_features_hash"`
	// of columns that are neither
	Texts      []any `json:"text_features"`
	Embeddings []any `json:"embedding_features"`
}

type floatFeature struct {
	_     struct{} `ignored:"feature_name has_nans"`
	ID    string   `json:"feature_id"`
	Index int      `json:"feature_index"`
	Flat  int      `json:"flat_feature_index"`
	NaN   string   `json:"nan_value_treatment"`
	// Borders are those of all tests of the feature, ascending.
	Borders []float64 `json:"borders"`
}

type catFeature struct {
	_     struct{} `ignored:"feature_name"`
	ID    string   `json:"feature_id"`
	Index int      `json:"feature_index"`
	Flat  int      `json:"flat_feature_index"`
	// Values are the hashes of all tests of the feature.
	Values []int64 `json:"values"`
}

// column is a feature of the model.
type column struct {
	feature     int
	name        string
	missingLeft bool // a NaN fails every test
}

// columns are the features by their numbers in tests. Columns that no test asks for may have
// been dropped.
type columns struct {
	dim        int
	names      []string // nil if a column has none
	float, cat map[int]column
	tests      []known // by their split_index
	statistics []*counted

	ids  map[int]string // of each column that has a feature
	last place          // of the feature added last
}

// known is a test as the features say it. CatBoost finds the test of a node by its number among
// these; nodes repeat the test.
type known struct {
	feature    int
	categories bool
	border     float32
	hash       uint32
	statistic  *counted // of which the border is, not of a number
}

// place is where a feature is among those of its kind, and among all.
type place struct{ index, flat int }

// columns numbers the features, and their tests as CatBoost does.
func (f *featuresInfo) columns() (*columns, error) {
	if len(f.Texts)+len(f.Embeddings) > 0 {
		return nil, models.Unsupported("texts or embeddings: train without them")
	}
	c := &columns{float: make(map[int]column), cat: make(map[int]column), ids: make(map[int]string)}
	for i := range f.Float {
		if err := c.addFloat(&f.Float[i]); err != nil {
			return nil, err
		}
	}
	for _, v := range f.Cat {
		if err := c.add(c.cat, place{v.Index, v.Flat}, v.ID, true); err != nil {
			return nil, err
		}
		for _, hash := range v.Values {
			c.tests = append(c.tests, known{feature: v.Index, categories: true, hash: uint32(hash)})
		}
	}
	if c.dim == 0 {
		return nil, errors.New("no features")
	}
	c.names = make([]string, c.dim)
	for flat := range c.names {
		c.names[flat] = c.ids[flat]
	}
	if slices.Contains(c.names, "") {
		c.names = nil // arrays have none
	}
	return c, nil
}

// addFloat adds a number.
func (c *columns) addFloat(v *floatFeature) error {
	if !slices.Contains([]string{"AsIs", "AsFalse", "AsTrue"}, v.NaN) {
		return fmt.Errorf("nan_value_treatment is %.40q, want AsIs, AsFalse or AsTrue", v.NaN)
	}
	for k, border := range v.Borders {
		if k > 0 && float32(border) <= float32(v.Borders[k-1]) {
			return fmt.Errorf("borders of feature_index %d do not ascend: %v after %v",
				v.Index, border, v.Borders[k-1])
		}
		c.tests = append(c.tests, known{feature: v.Index, border: float32(border)})
	}
	// As it is, a NaN is not above a border.
	return c.add(c.float, place{v.Index, v.Flat}, v.ID, v.NaN != "AsTrue")
}

// add adds a feature to those of its kind.
func (c *columns) add(to map[int]column, at place, id string, missingLeft bool) error {
	_, taken := c.ids[at.flat]
	switch {
	case len(to) > 0 && (at.index <= c.last.index || at.flat <= c.last.flat) || at.index < 0 ||
		at.flat < 0:
		return fmt.Errorf("feature_index %d and flat_feature_index %d do not ascend",
			at.index, at.flat)
	case taken || at.flat >= models.MostFeatures:
		return fmt.Errorf("flat_feature_index %d is that of another feature, or beyond %d",
			at.flat, models.MostFeatures-1)
	}
	name := id
	if name == "" {
		name = fmt.Sprint(at.flat)
	}
	to[at.index], c.ids[at.flat], c.last = column{at.flat, name, missingLeft}, id, at
	c.dim = max(c.dim, at.flat+1)
	return nil
}
