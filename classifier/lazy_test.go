package classifier

import (
	"context"
	"errors"
	"testing"
)

// TestLazy: a value that is being made does not hold up a context that ends, and is there for the
// next.
func TestLazy(t *testing.T) {
	begin, count := make(chan struct{}), 0
	l := newLazy(func() int {
		<-begin
		count++
		return 7
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if v, err := l.await(ctx); v != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("before it is made: %v, %v", v, err)
	}
	close(begin)
	for range 2 {
		if v, err := l.await(t.Context()); v != 7 || err != nil {
			t.Errorf("%v, %v, want 7", v, err)
		}
	}
	if v, err := l.await(ctx); v != 7 || err != nil || count != 1 {
		t.Errorf("once it is made: %v, %v, made %d times", v, err, count)
	}
}
