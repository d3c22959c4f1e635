package trees

// Function is what axis-parallel trees compute: the label of a classifier, or the number of a
// regressor.
type Function struct {
	*Ensemble[*Axis]
	// Judge predicts the labels, nil for a regressor.
	Judge interface{ Predict(x []float64) int }
	// Link makes the number.
	Link Link
	// Categories says of each feature how many codes it has, 0 for a number; nil for none.
	Categories []int
}
