package attack

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// examples attacks the rows of a table side by side and returns the example that each
// contributes, nil for none. Rows are begun in order, and those that are begun are
// finished: of several that fail the first is the same whatever the schedule.
func (a AdversarialTraining) examples(
	ctx context.Context, c classifier.Classifier, made Attack, table *rows.Table, y []int,
) ([][]float64, error) {
	found := make([][]float64, table.Len)
	var mu sync.Mutex // guards what follows, and serialises Progress
	done, failed, failure := 0, table.Len, error(nil)
	over := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return failure != nil || ctx.Err() != nil
	}
	attack := func(row int) {
		z, err := a.example(ctx, c, made, table.Row(row), y[row])
		found[row] = z
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			if row < failed {
				failed, failure = row, fmt.Errorf("row %d: %w", row, err)
			}
			return
		}
		if done++; failure == nil && a.Progress != nil {
			a.Progress(done, table.Len)
		}
	}
	workers := a.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var group sync.WaitGroup
	free := make(chan struct{}, workers)
	for row := range table.Len {
		if free <- struct{}{}; over() {
			break
		}
		group.Go(func() {
			attack(row)
			<-free
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%d of %d rows attacked: %w", done, table.Len, err)
	}
	return found, failure
}
