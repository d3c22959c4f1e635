package trial

import (
	"context"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// Data is a set of the paper.
type Data struct {
	*protocol.Set
	Note string // what is not as in the paper
}

// Load reads the set of -data.
func (s *Flags) Load(ctx context.Context) (*Data, error) {
	set, err := protocol.LoadContext(ctx, s.Data, s.folders()...)
	if err != nil {
		return nil, fmt.Errorf("-data %w", err)
	}
	d := &Data{Set: set}
	if set.TestOnly {
		d.Note = " (the training images are missing: all rows are test images)"
	}
	return d, nil
}

// folders returns where the files of the sets are looked for.
func (s *Flags) folders() []string {
	if s.Folder != "" {
		return []string{s.Folder}
	}
	return protocol.Folders()
}

// Describe says what the rows are.
func (d *Data) Describe() string {
	_, features := d.Train.Dims()
	return fmt.Sprintf("%s, %d training and %d test rows of %d features%s",
		d.Name, len(d.TrainY), len(d.TestY), features, d.Note)
}

// Choose returns the rows to attack, given the labels predicted: the first of those
// that the paper attacks or, where fewer than 100 are classified correctly, of all
// that are. It returns none when there are none.
func (d *Data) Choose(predicted []int, points int) ([]int, error) {
	var all []int
	correct := make([]bool, len(predicted))
	for row, label := range predicted {
		if correct[row] = label == d.TestY[row]; correct[row] {
			all = append(all, row)
		}
	}
	rows, err := d.Attacked(correct)
	if err != nil {
		return nil, err
	}
	if rows == nil {
		rows = all
	}
	return rows[:min(points, len(rows))], nil
}
