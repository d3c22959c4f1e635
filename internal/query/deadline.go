package query

import (
	"context"
	"errors"
	"time"
)

// Within returns a context that ends after a timeout, if there is one.
func Within(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout > 0 {
		return context.WithTimeout(ctx, timeout)
	}
	return ctx, func() {}
}

// Half returns a context that ends after half of the time that is left, if that is limited.
func Half(ctx context.Context) (context.Context, context.CancelFunc) {
	if end, ok := ctx.Deadline(); ok {
		return context.WithTimeout(ctx, time.Until(end)/2)
	}
	return ctx, func() {}
}

// Ended reports whether an error is that of a context that has ended.
func Ended(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, ctx.Err())
}

// OrCanceled returns an error, or that the caller has canceled the context. A deadline that passes
// is none: results hold the bounds of that moment.
func OrCanceled(ctx context.Context, err error) error {
	if err == nil && errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return err
}
