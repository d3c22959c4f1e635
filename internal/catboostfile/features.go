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
}

type catFeature struct {
	ID    string `json:"feature_id"`
	Index int    `json:"feature_index"`
	Flat  int    `json:"flat_feature_index"`
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
	float, cat map[int]column
}

// columns numbers the features. A column that training ignored may have no entry.
func (f *featuresInfo) columns() (*columns, error) {
	c := &columns{float: make(map[int]column), cat: make(map[int]column)}
	byFlat := make(map[int]string)
	add := func(to map[int]column, index, flat int, id string, missingLeft bool) error {
		_, twice := to[index]
		_, taken := byFlat[flat]
		switch {
		case flat < 0 || flat >= models.MostFeatures:
			return fmt.Errorf("flat_feature_index is %d, want 0 to %d", flat, models.MostFeatures-1)
		case twice || taken:
			return fmt.Errorf("feature_index %d or flat_feature_index %d is that of another feature", index, flat)
		}
		name := id
		if name == "" {
			name = fmt.Sprint(flat)
		}
		to[index], byFlat[flat] = column{flat, name, missingLeft}, id
		c.dim = max(c.dim, flat+1)
		return nil
	}
	for _, v := range f.Float {
		if !slices.Contains([]string{"AsIs", "AsFalse", "AsTrue"}, v.NaN) {
			return nil, fmt.Errorf("nan_value_treatment is %.40q, want AsIs, AsFalse or AsTrue", v.NaN)
		}
		// As it is, a NaN is not above a border.
		if err := add(c.float, v.Index, v.Flat, v.ID, v.NaN != "AsTrue"); err != nil {
			return nil, err
		}
	}
	for _, v := range f.Cat {
		if err := add(c.cat, v.Index, v.Flat, v.ID, true); err != nil {
			return nil, err
		}
	}
	if c.dim == 0 {
		return nil, fmt.Errorf("no features")
	}
	for flat := range c.dim {
		if byFlat[flat] == "" {
			return c, nil
		}
		c.names = append(c.names, byFlat[flat])
	}
	return c, nil
}
