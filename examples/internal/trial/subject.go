package trial

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// Load reads the set of -data.
func (s *Flags) Load(ctx context.Context) (*protocol.Set, error) {
	folders := protocol.Folders()
	if s.Folder != "" {
		folders = []string{s.Folder}
	}
	set, err := protocol.Load(ctx, s.Data, folders...)
	if err != nil {
		return nil, fmt.Errorf("--data %w", err)
	}
	return set, nil
}

// Note says what of a set is not as in the paper.
func Note(set *protocol.Set) string {
	if set.TestOnly {
		return " (the training images are missing: all rows are test images)"
	}
	return ""
}

// Subject is a classifier and the points that it is attacked at.
type Subject struct {
	Classifier classifier.Classifier
	X          *mat.Dense
	Y          []int // labels of X, nil when they are not known
	Rows       []int // of X to attack, in this order; nil for all that are classified correctly
	Accuracy   float64
	About      string // what the data are
}

// Subject tests a classifier on a set and chooses the first of the rows that the paper
// attacks, or of all that are classified correctly where it attacks none because they are
// fewer than 100.
func (s *Flags) Subject(ctx context.Context, c classifier.Classifier, set *protocol.Set) (*Subject, error) {
	predicted, err := metrics.Predict(ctx, c, set.Test)
	if err != nil {
		return nil, err
	}
	correct := make([]bool, len(predicted))
	var all []int
	for row, label := range predicted {
		if correct[row] = label == set.TestY[row]; correct[row] {
			all = append(all, row)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("none of the %d test rows of %s is classified correctly", len(predicted), set.Name)
	}
	rows, err := set.Attacked(correct)
	if rows == nil {
		rows = all
	}
	_, features := set.Train.Dims()
	return &Subject{
		Classifier: c, X: set.Test, Y: set.TestY, Rows: rows[:min(s.Points, len(rows))],
		Accuracy: float64(len(all)) / float64(len(correct)),
		About: fmt.Sprintf("%s, %d training and %d test rows of %d features%s",
			set.Name, len(set.TrainY), len(set.TestY), features, Note(set)),
	}, err
}
