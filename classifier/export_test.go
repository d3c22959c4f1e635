package classifier

// Impurity is Criterion.impurity.
func (c Criterion) Impurity(counts []float64, n float64) float64 { return c.impurity(counts, n) }
