package rows

import (
	"cmp"
	"context"
	"runtime"
	"sync"
)

// Each calls do for 0, 1, … n−1, as many at a time as there are workers, 0 for
// GOMAXPROCS. They are begun in order, and those that are begun are finished; none is
// begun once one has failed or the context has ended. So the error, that of the first in
// order that failed, is the same under any schedule. That the context ended is none.
func Each(ctx context.Context, workers, n int, do func(i int) error) error {
	return EachOwn(ctx, workers, n, func() func(int) error { return do })
}

// EachOwn is Each with memory of each worker's own: it calls begin for its way to do things.
func EachOwn(ctx context.Context, workers, n int, begin func() func(i int) error) error {
	var mu sync.Mutex // guards next and failed
	next, failed, failures := 0, false, make([]error, n)
	claim := func() (i int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == n || failed || ctx.Err() != nil {
			return 0, false
		}
		next++
		return next - 1, true
	}
	work := func() {
		do := begin()
		for i, ok := claim(); ok; i, ok = claim() {
			if failures[i] = do(i); failures[i] != nil {
				mu.Lock()
				failed = true
				mu.Unlock()
			}
		}
	}
	var group sync.WaitGroup
	for range min(cmp.Or(workers, runtime.GOMAXPROCS(0)), n) {
		group.Go(work)
	}
	group.Wait()
	return cmp.Or(failures...)
}
