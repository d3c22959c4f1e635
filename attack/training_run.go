package attack

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// examples attacks the rows of a table side by side and returns the example that
// each contributes, nil for none.
func (a AdversarialTraining) examples(
	ctx context.Context, c classifier.Classifier, made Attack, table *rows.Table, y []int,
) ([][]float64, error) {
	t := &trainingRun{total: table.Len, failed: table.Len, progress: a.Progress}
	found := make([][]float64, table.Len)
	workers := a.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var group sync.WaitGroup
	for range min(workers, table.Len) {
		group.Go(func() {
			for row, ok := t.claim(ctx); ok; row, ok = t.claim(ctx) {
				z, err := a.example(ctx, c, made, table.Row(row), y[row])
				found[row] = z
				t.report(row, err)
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%d of %d rows attacked: %w", t.done, t.total, err)
	}
	return found, t.err
}

// trainingRun hands out the rows of a training set.
type trainingRun struct {
	total    int
	progress func(done, total int)

	mu     sync.Mutex // guards the rest, and serialises progress
	next   int
	done   int
	failed int // first row that failed, total if none
	err    error
}

// claim hands out rows in order, so that every row before one that failed was
// begun, and the first failure is the same whatever the schedule.
func (t *trainingRun) claim(ctx context.Context) (row int, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.next == t.total || t.err != nil || ctx.Err() != nil {
		return 0, false
	}
	t.next++
	return t.next - 1, true
}

// report records that a row is done with.
func (t *trainingRun) report(row int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		if row < t.failed {
			t.failed, t.err = row, fmt.Errorf("row %d: %w", row, err)
		}
		return
	}
	t.done++
	if t.err == nil && t.progress != nil {
		t.progress(t.done, t.total)
	}
}
