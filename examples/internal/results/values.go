package results

import (
	"encoding/json"
	"math"
	"slices"
)

// Values are the features of a row. JSON knows no NaN: a missing value is null.
type Values []float64

func (v Values) MarshalJSON() ([]byte, error) {
	if !slices.ContainsFunc(v, math.IsNaN) {
		return json.Marshal([]float64(v))
	}
	cells := make([]*float64, len(v))
	for j := range v {
		if !math.IsNaN(v[j]) {
			cells[j] = &v[j]
		}
	}
	return json.Marshal(cells)
}

func (v *Values) UnmarshalJSON(text []byte) error {
	var cells []*float64
	if err := json.Unmarshal(text, &cells); err != nil || cells == nil {
		return err
	}
	*v = make(Values, len(cells))
	for j, cell := range cells {
		if (*v)[j] = math.NaN(); cell != nil {
			(*v)[j] = *cell
		}
	}
	return nil
}
