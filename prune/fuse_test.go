package prune

import (
	"context"
	"sync/atomic"
)

// fuse is a context that is cancelled at its n-th look.
type fuse struct {
	context.Context
	looks atomic.Int64
	n     int64
}

func (f *fuse) Err() error {
	if f.looks.Add(1) >= f.n {
		return context.Canceled
	}
	return nil
}
