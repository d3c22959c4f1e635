package results

import (
	"fmt"
	"os"

	"github.com/gofrs/flock"
)

// lock keeps other runs off a file. It is a file beside it, FILE.lock; the system lets go of it
// when the process ends, however that ends.
type lock struct{ *flock.Flock }

func takeLock(path string) (*lock, error) {
	name := path + ".lock"
	l := flock.New(name)
	if info, err := os.Stat(name); err == nil && info.Size() > 0 {
		return nil, fmt.Errorf("%s holds something, and a lock of that name would be in its "+
			"place: name another file", name)
	}
	taken, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be locked: %w", path, err)
	}
	// A run that ended in between has removed the file that was locked here.
	if taken && !same(l, name) {
		l.Unlock()
		taken = false
	}
	if !taken {
		return nil, fmt.Errorf("another run writes to %s: let it finish, or name another file",
			path)
	}
	return &lock{l}, nil
}

func same(l *flock.Flock, name string) bool {
	held, err := l.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(name)
	return err == nil && os.SameFile(held, now)
}

// release removes the lock before it lets go: the next run makes one of its own. Where an open
// file cannot be removed, it stays, and does no harm.
func (l *lock) release() error {
	os.Remove(l.Path())
	return l.Unlock()
}
