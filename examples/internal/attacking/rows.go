package attacking

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// chooseRows sets the rows that have a line, and those of them to attack.
func (e *evaluation) chooseRows(ctx context.Context) error {
	listed, err := e.listed(ctx, e.data.Data, dataset.Limits{Values: e.MaxValues})
	if err != nil {
		return err
	}
	for _, row := range listed {
		if e.points > 0 && len(e.rows) == e.points {
			break
		}
		if e.ask.wants(e, row) {
			e.rows = append(e.rows, row)
		} else {
			e.skipped = append(e.skipped, row)
		}
	}
	e.total = len(e.rows) + len(e.skipped)
	e.rows, e.skipped = results.Take(e.shard, e.rows), results.Take(e.shard, e.skipped)
	return nil
}

// listed returns the rows of --rows, or all.
func (s *selection) listed(
	ctx context.Context, d *subject.Data, limits dataset.Limits,
) ([]int, error) {
	if s.rowsFile != "" {
		return s.readRows(ctx, d, limits)
	}
	all := make([]int, d.Test.Rows)
	for i := range all {
		all[i] = i
	}
	return all, nil
}

// readRows reads the numbers of test rows, one a line.
func (s *selection) readRows(
	ctx context.Context, d *subject.Data, limits dataset.Limits,
) ([]int, error) {
	path, rows := s.rowsFile, d.Test.Rows
	text, err := subject.ReadAll(ctx, path, limits)
	if err != nil {
		return nil, fmt.Errorf("--rows: %w", err)
	}
	d.Sums["rows"] = fmt.Sprintf("%x", sha256.Sum256(text))
	var list []int
	seen := make([]bool, rows)
	lines := bufio.NewScanner(bytes.NewReader(text))
	for number := 1; lines.Scan(); number++ {
		field := bytes.TrimSpace(lines.Bytes())
		if len(field) == 0 {
			continue
		}
		listed, err := strconv.Atoi(string(field))
		row, known := d.Test.Index(listed)
		switch last := d.Test.Number(rows - 1); {
		case err != nil || listed < 0 || listed > last:
			return nil, fmt.Errorf(
				"%s:%d: %.40q is not a row of the test file, a number from 0 to %d",
				path, number, field, last,
			)
		case !known:
			return nil, fmt.Errorf("%s:%d: row %d has missing values and was left out",
				path, number, listed)
		case seen[row]:
			return nil, fmt.Errorf("%s:%d: row %d is listed twice", path, number, listed)
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
