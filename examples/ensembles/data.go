package main

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// data is a set of the paper.
type data struct {
	*protocol.Set
	note string // what is not as in the paper
}

func loadData(s *settings) (*data, error) {
	set, err := protocol.Load(s.data, s.folders()...)
	if err != nil {
		return nil, fmt.Errorf("-data %w", err)
	}
	d := &data{Set: set}
	if set.TestOnly {
		d.note = " (the training images are missing: all rows are test images)"
	}
	return d, nil
}

// choose returns the rows to attack.
func (d *data) choose(predicted []int, points int) ([]int, error) {
	var all []int
	correct := make([]bool, len(predicted))
	for row, label := range predicted {
		if correct[row] = label == d.TestY[row]; correct[row] {
			all = append(all, row)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the model classifies none of the %d test rows of %s correctly; was it trained on the rows that -dump writes, with their labels 0 and 1?", len(predicted), d.Name)
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
