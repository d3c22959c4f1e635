package attack

import (
	"context"
	"errors"
	"sync"
)

// once prepares something once, as sync.Once does, but begins anew where a context
// ended the preparation before.
type once struct {
	mu     sync.Mutex
	done   bool
	failed error
}

// do returns the error of the preparation, or that of ctx, which is not kept.
func (o *once) do(ctx context.Context, prepare func(context.Context) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done {
		return o.failed
	}
	err := prepare(ctx)
	if ended(ctx, err) {
		return err
	}
	o.done, o.failed = true, err
	return err
}

// ended reports whether an error is that of a context that has ended.
func ended(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, ctx.Err())
}
