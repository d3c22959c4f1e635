package catboostfile

import (
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/models"
)

// featuresInfo describes the columns of the training data. Features of either kind are
// numbered by themselves; their flat index is the column.
type featuresInfo struct {
	Float []floatFeature `json:"float_features"`
	Cat   []catFeature   `json:"categorical_features"`
}

type floatFeature struct {
	ID    string `json:"feature_id"`
	Index int    `json:"feature_index"`
	Flat  int    `json:"flat_feature_index"`
	NaN   string `json:"nan_value_treatment"`
	// Borders are those of all tests of the feature, ascending.
	Borders []float64 `json:"borders"`
}

type catFeature struct {
	ID    string `json:"feature_id"`
	Index int    `json:"feature_index"`
	Flat  int    `json:"flat_feature_index"`
	// Values are the hashes of all tests of the feature.
	Values []int64 `json:"values"`
}

// column is a feature of the model.
type column struct {
	feature     int
	name        string
	missingLeft bool // a NaN fails every test
}

// columns are the features by their numbers in tests.
type columns struct {
	dim        int
	names      []string // nil if a column has none
	float, cat []column
	tests      []known // by their split_index
}

// known is a test as the features say it. CatBoost finds the test of a node by its number among
// these; nodes repeat what it is.
type known struct {
	feature    int
	categories bool
	border     float32
	hash       uint32
}

// columns numbers the features, and their tests as CatBoost does.
func (f *featuresInfo) columns() (*columns, error) {
	c := &columns{dim: len(f.Float) + len(f.Cat)}
	if c.dim == 0 || c.dim > models.MostFeatures {
		return nil, fmt.Errorf("%d features, want 1 to %d", c.dim, models.MostFeatures)
	}
	c.names = make([]string, c.dim)
	taken := make([]bool, c.dim)
	for i, v := range f.Float {
		// As it is, a NaN is not above a border.
		column, err := c.column(i, v.Index, v.Flat, v.ID, v.NaN != "AsTrue", taken)
		if err != nil {
			return nil, err
		}
		if !slices.Contains([]string{"AsIs", "AsFalse", "AsTrue"}, v.NaN) {
			return nil, fmt.Errorf("nan_value_treatment is %.40q, want AsIs, AsFalse or AsTrue", v.NaN)
		}
		for k, border := range v.Borders {
			if k > 0 && float32(border) <= float32(v.Borders[k-1]) {
				return nil, fmt.Errorf("borders of feature_index %d do not ascend: %v after %v", i, border, v.Borders[k-1])
			}
			c.tests = append(c.tests, known{feature: i, border: float32(border)})
		}
		c.float = append(c.float, column)
	}
	for i, v := range f.Cat {
		column, err := c.column(i, v.Index, v.Flat, v.ID, true, taken)
		if err != nil {
			return nil, err
		}
		for _, hash := range v.Values {
			c.tests = append(c.tests, known{feature: i, categories: true, hash: uint32(hash)})
		}
		c.cat = append(c.cat, column)
	}
	if slices.Contains(c.names, "") {
		c.names = nil // arrays have none
	}
	return c, nil
}

// column is the feature at a place of its list.
func (c *columns) column(at, index, flat int, id string, missingLeft bool, taken []bool) (column, error) {
	switch {
	case index != at:
		return column{}, fmt.Errorf("feature_index is %d, want %d", index, at)
	case flat < 0 || flat >= c.dim || taken[flat]:
		return column{}, fmt.Errorf("flat_feature_index %d is that of another feature, or one of the columns before it is neither a number nor a category", flat)
	}
	taken[flat], c.names[flat] = true, id
	name := id
	if name == "" {
		name = fmt.Sprint(flat)
	}
	return column{flat, name, missingLeft}, nil
}
