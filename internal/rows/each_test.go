package rows_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// TestEach: all are done once, and of several that fail the first in order is named.
func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 9, 500} {
		done := make([]int, 200)
		if err := rows.Each(
			t.Context(), workers, len(done), func(i int) error { done[i]++; return nil },
		); err != nil {
			t.Error(err)
		}
		for i, n := range done {
			if n != 1 {
				t.Fatalf("%d workers: %d is done %d times", workers, i, n)
			}
		}
		err := rows.Each(t.Context(), workers, len(done), func(i int) error {
			if i < 70 {
				return nil
			}
			return fmt.Errorf("failed: %d", i)
		})
		if err == nil || err.Error() != "failed: 70" {
			t.Errorf("%d workers: %v, want that 70 failed", workers, err)
		}
	}
}

// TestEachEnds: with one worker no call begins after a failure or the end of the context.
func TestEachEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	for name, stop := range map[string]func() error{
		"failure": func() error { return errors.ErrUnsupported },
		"context": func() error { cancel(); return nil },
	} {
		var begun atomic.Int64
		err := rows.Each(ctx, 1, 10, func(i int) error {
			if begun.Add(1); i == 3 {
				return stop()
			}
			return nil
		})
		if ended := ctx.Err() != nil; begun.Load() > 4 || ended != (err == nil) {
			t.Errorf("%s: %d begun, error %v", name, begun.Load(), err)
		}
		ctx, cancel = context.WithCancel(t.Context())
	}
	cancel()
}
