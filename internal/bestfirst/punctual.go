package bestfirst

import (
	"context"
	"time"
)

// punctual is a context that has ended as soon as its deadline has passed. Others hear of that from
// a timer, which may have to wait for a processor that searches keep busy.
type punctual struct {
	context.Context
	deadline time.Time
}

// onTime returns the context, punctual if it has a deadline.
func onTime(ctx context.Context) context.Context {
	if deadline, ok := ctx.Deadline(); ok {
		return punctual{ctx, deadline}
	}
	return ctx
}

// Err implements context.Context.
func (c punctual) Err() error {
	err := c.Context.Err()
	if err == nil && time.Until(c.deadline) <= 0 {
		return context.DeadlineExceeded
	}
	return err
}
