package metrics_test

import (
	"context"
	"errors"
	"reflect"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// slow takes as many seconds as x says, and is cut short when ctx ends: with an
// error when cancelled, with a bound of half the distance at a deadline.
func slow(ctx context.Context, x []float64) (attack.Result, error) {
	r, _ := toZero(ctx, x)
	select {
	case <-time.After(time.Duration(x[0]) * time.Second):
		return r, nil
	case <-ctx.Done():
	}
	r.Bound, r.Status = r.Distance/2, attack.StatusLimit
	if errors.Is(ctx.Err(), context.Canceled) {
		return r, ctx.Err()
	}
	return r, nil
}

// TestContextEnds runs five points of 1, 2, 3, 4, 5 seconds on two workers. One is
// finished at 1 s, the second at 2 s, the third at 4 s, the fourth at 6 s and the fifth at 9 s.
func TestContextEnds(t *testing.T) {
	const half = 500 * time.Millisecond
	tests := []struct {
		name     string
		after    time.Duration
		deadline bool
		finish   bool
		rows     []int
		optimal  []bool
		want     error
		text     string
		took     time.Duration
	}{
		{"before the start", 0, false, false, nil, nil, context.Canceled, "", 0},
		{"cancelled", 2*time.Second + half, false, false, []int{0, 1}, []bool{true, true},
			context.Canceled, "2 of 5", 2*time.Second + half},
		{"running ones finish", 2*time.Second + half, false, true, []int{0, 1, 2, 3},
			[]bool{true, true, true, true}, context.Canceled, "4 of 5", 6 * time.Second},
		{"deadline", 2*time.Second + half, true, false, []int{0, 1, 2, 3},
			[]bool{true, true, false, false}, context.DeadlineExceeded, "4 of 5",
			2*time.Second + half},
		{"deadline at the last", 8 * time.Second, true, false, []int{0, 1, 2, 3, 4},
			[]bool{true, true, true, true, false}, context.DeadlineExceeded, "5 of 5",
			8 * time.Second},
		{"the last one finishes", 8 * time.Second, true, true, []int{0, 1, 2, 3, 4},
			[]bool{true, true, true, true, true}, nil, "", 9 * time.Second},
		{"after the end", 10 * time.Second, true, false, []int{0, 1, 2, 3, 4},
			[]bool{true, true, true, true, true}, nil, "", 9 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				if tt.deadline {
					ctx, cancel = context.WithTimeout(t.Context(), tt.after)
				} else {
					time.AfterFunc(tt.after, cancel)
				}
				defer cancel()
				synctest.Wait()
				start := time.Now()
				seen := 0
				opts := metrics.Options{
					Attack: attackFunc(slow), Workers: 2, FinishRunning: tt.finish,
					Each: func(metrics.Point) error { seen++; return nil },
				}
				points, err := metrics.Evaluate(ctx, step{}, line(1, 2, 3, 4, 5), nil, opts)
				if tt.want == nil && err != nil {
					t.Errorf("error %v, want none", err)
				}
				if tt.want != nil {
					checkError(t, err, tt.want, tt.text)
				}
				var rows []int
				var optimal []bool
				for _, p := range points {
					rows, optimal = append(rows, p.Row), append(optimal, p.Optimal())
				}
				if !reflect.DeepEqual(rows, tt.rows) || !reflect.DeepEqual(optimal, tt.optimal) ||
					seen != len(tt.rows) {
					t.Errorf("rows %v, optimal %v, %d seen by Each, want %v, %v, all",
						rows, optimal, seen, tt.rows, tt.optimal)
				}
				if took := time.Since(start); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
			})
		})
	}
}

// TestPointsRunSideBySide checks that all workers are busy at once.
func TestPointsRunSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int64
		a := attackFunc(func(ctx context.Context, x []float64) (attack.Result, error) {
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer running.Add(-1)
			return slow(ctx, x)
		})
		opts := metrics.Options{Attack: a, Workers: 3}
		points, err := metrics.Evaluate(t.Context(), step{}, line(1, 1, 1, 1, 1, 1, 1), nil, opts)
		if err != nil || len(points) != 7 || most.Load() != 3 {
			t.Errorf("%d points, %v, at most %d at a time, want 7 and 3",
				len(points), err, most.Load())
		}
		for _, p := range points {
			if p.Time != time.Second {
				t.Errorf("row %d took %v, want 1s", p.Row, p.Time)
			}
		}
	})
}

// TestEachStaysFailed checks that Each is not called once it has failed, not even with
// points that were running then.
func TestEachStaysFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("disk full")
		calls := 0
		opts := metrics.Options{
			Attack: attackFunc(slow), Workers: 2,
			Each: func(metrics.Point) error { calls++; return full },
		}
		points, err := metrics.Evaluate(t.Context(), step{}, line(2, 1, 3), nil, opts)
		checkError(t, err, full, "row 1")
		if calls != 1 || len(points) != 1 || points[0].Row != 0 {
			t.Errorf("Each was called %d times, points %v are known, want once and row 0",
				calls, points)
		}
	})
}
