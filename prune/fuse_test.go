package prune

import (
	"cmp"
	"context"
	"sync/atomic"
)

// fuse is a context that ends at its n-th look.
type fuse struct {
	context.Context
	looks atomic.Int64
	n     int64
	end   error // nil: it is cancelled
}

func (f *fuse) Err() error {
	if f.looks.Add(1) >= f.n {
		return cmp.Or(f.end, context.Canceled)
	}
	return nil
}
