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
	folders := protocol.Folders()
	if s.Folder != "" {
		folders = []string{s.Folder}
	}
	set, err := protocol.Load(ctx, s.Data, folders...)
	if err != nil {
		return nil, fmt.Errorf("-data %w", err)
	}
	d := &Data{Set: set}
	if set.TestOnly {
		d.Note = " (the training images are missing: all rows are test images)"
	}
	return d, nil
}

// Describe says what the rows are.
func (d *Data) Describe() string {
	_, features := d.Train.Dims()
	return fmt.Sprintf("%s, %d training and %d test rows of %d features%s",
		d.Name, len(d.TrainY), len(d.TestY), features, d.Note)
}
