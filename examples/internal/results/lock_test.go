package results

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// TestLock: of many that want the lock, none ever holds it beside another, however they come and
// go.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	var inside, taken atomic.Int64
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 500 {
				l, err := takeLock(path)
				if err != nil {
					continue
				}
				taken.Add(1)
				if inside.Add(1) != 1 {
					t.Error("two hold the lock")
				}
				inside.Add(-1)
				if err := l.release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if taken.Load() == 0 {
		t.Error("nobody got the lock")
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 0 {
		t.Errorf("%v, %v left behind", entries, err)
	}
}
