package boxtree

import (
	"slices"
	"sync"
)

// recent holds the models that were derived from one for some queries, by a key: few, as most
// queries ask for the same. The zero value is empty.
type recent[K any] struct {
	mu   sync.Mutex
	made []*derived[K] // the last one asked for comes last
}

// derived is a model that is made once.
type derived[K any] struct {
	key   K
	model func() (*Model, error)
}

// of returns the model of a key, and the key that it was made for. At most so many models are kept.
func (r *recent[K]) of(
	key K, most int, same func(a, b K) bool, derive func(key K) (*Model, error),
) (K, *Model, error) {
	r.mu.Lock()
	i := slices.IndexFunc(r.made, func(d *derived[K]) bool { return same(d.key, key) })
	var d *derived[K]
	if i >= 0 {
		d = r.made[i]
		r.made = slices.Delete(r.made, i, i+1)
	} else {
		d = &derived[K]{key, sync.OnceValues(func() (*Model, error) { return derive(key) })}
	}
	if len(r.made) == most {
		r.made = slices.Delete(r.made, 0, 1)
	}
	r.made = append(r.made, d)
	r.mu.Unlock()
	model, err := d.model()
	return d.key, model, err
}
