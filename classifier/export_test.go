package classifier

// Border is where the inputs that a threshold sends left end, and whether the end
// goes left.
func (c Comparison) Border(t float64) (end float64, closed bool) { return c.border(t) }

// Impurity is Criterion.impurity.
func (c Criterion) Impurity(counts []float64, n float64) float64 { return c.impurity(counts, n) }
