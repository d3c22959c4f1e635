package classifier

import (
	"context"
	"sync"
	"sync/atomic"
)

// lazy is a value that is made when it is first asked for.
type lazy[T any] struct {
	get  func() T
	made atomic.Bool
}

func newLazy[T any](make func() T) *lazy[T] {
	l := &lazy[T]{}
	l.get = sync.OnceValue(func() T {
		defer l.made.Store(true)
		return make()
	})
	return l
}

// await is get, unless ctx ends before: then the value is still made, for the next caller.
func (l *lazy[T]) await(ctx context.Context) (value T, err error) {
	if l.made.Load() || ctx.Done() == nil {
		return l.get(), nil
	}
	done := make(chan struct{})
	go func() {
		l.get()
		close(done)
	}()
	select {
	case <-done:
		return l.get(), nil
	case <-ctx.Done():
		return value, ctx.Err()
	}
}
