package trees

import "slices"

// Function is the label of a classifier, or the number of a regressor, as axis-parallel trees
// compute it.
type Function struct {
	*Ensemble[*Axis]
	// Predictor predicts the labels, nil for a regressor.
	Predictor Predictor
	// Link makes the number.
	Link Link
	// Categories says of each feature how many codes it has, 0 for a number; nil for none.
	Categories []int
}

// Predictor predicts labels.
type Predictor interface{ Predict(x []float64) int }

// Renumbered returns the same function of inputs in which its feature j is feature order[j].
func (f Function) Renumbered(order []int) Function {
	e := *f.Ensemble
	e.Trees = make([]*Axis, f.Len())
	for i, t := range f.Trees {
		c := *t
		c.tests = slices.Clone(t.tests)
		for k := range c.tests {
			if j := &c.tests[k].feature; *j >= 0 {
				*j = int32(order[*j])
			}
		}
		e.Trees[i] = &c
	}
	f.Ensemble = &e
	if f.Predictor != nil {
		f.Predictor = renumbered{f.Predictor, order}
	}
	if f.Categories != nil {
		own := f.Categories
		f.Categories = make([]int, len(own))
		for j, to := range order {
			f.Categories[to] = own[j]
		}
	}
	return f
}

// renumbered predicts labels of inputs whose features have other numbers.
type renumbered struct {
	Predictor
	order []int
}

func (r renumbered) Predict(x []float64) int {
	own := make([]float64, len(x))
	for j, to := range r.order {
		own[j] = x[to]
	}
	return r.Predictor.Predict(own)
}
