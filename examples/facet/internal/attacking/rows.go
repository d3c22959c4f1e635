package attacking

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/examples/facet/internal/subject"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// chooseRows sets the rows to attack. Rows predicted the target already cannot be attacked.
func (e *evaluation) chooseRows(ctx context.Context, target *int) error {
	reached := func(row int) bool { return target != nil && e.predicted[row] == *target }
	if e.rowsFile != "" {
		listed, err := readRows(ctx, e.rowsFile, dataset.Limits{Values: e.MaxValues}, len(e.predicted))
		for _, row := range listed {
			if !reached(row) {
				e.rows = append(e.rows, row)
			}
		}
		return err
	}
	for row, label := range e.predicted {
		if e.points > 0 && len(e.rows) == e.points {
			break
		}
		if (e.misclassified || label == e.data.Test.Y[row]) && !reached(row) {
			e.rows = append(e.rows, row)
		}
	}
	return nil
}

// readRows reads the numbers of test rows, one a line.
func readRows(ctx context.Context, path string, limits dataset.Limits, rows int) ([]int, error) {
	text, err := subject.ReadAll(ctx, path, limits)
	if err != nil {
		return nil, fmt.Errorf("--rows: %w", err)
	}
	var list []int
	seen := make([]bool, rows)
	lines := bufio.NewScanner(bytes.NewReader(text))
	for number := 1; lines.Scan(); number++ {
		field := bytes.TrimSpace(lines.Bytes())
		if len(field) == 0 {
			continue
		}
		row, err := strconv.Atoi(string(field))
		if err != nil || row < 0 || row >= rows {
			return nil, fmt.Errorf("%s:%d: %.40q is not a row of the test file, a number from 0 to %d", path, number, field, rows-1)
		}
		if seen[row] {
			return nil, fmt.Errorf("%s:%d: row %d is listed twice", path, number, row)
		}
		seen[row] = true
		list = append(list, row)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s lists no rows", path)
	}
	return list, nil
}
