package bestfirst

import (
	"context"
	"errors"
	"testing"
	"time"
)

// unaware is a context whose timer has not fired.
type unaware struct {
	context.Context
	deadline time.Time
}

func (u unaware) Deadline() (deadline time.Time, ok bool) { return u.deadline, true }

// TestOnTime: a deadline has passed when the clock says so.
func TestOnTime(t *testing.T) {
	for _, test := range []struct {
		in   time.Duration
		want error
	}{{-time.Nanosecond, context.DeadlineExceeded}, {time.Hour, nil}} {
		ctx := onTime(unaware{t.Context(), time.Now().Add(test.in)})
		if got := ctx.Err(); !errors.Is(got, test.want) {
			t.Errorf("a deadline in %v: %v, want %v", test.in, got, test.want)
		}
	}
	if ctx := onTime(t.Context()); ctx != t.Context() {
		t.Errorf("without a deadline: %v, want the context itself", ctx)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if got := onTime(unaware{canceled, time.Now()}).Err(); got != context.Canceled {
		t.Errorf("of a canceled one: %v", got)
	}
}
