package soundness

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
)

// Tally counts instances and failures by kind and letter.
type Tally struct {
	mu        sync.Mutex
	instances map[string]int
	failures  map[string]map[byte]int
	spent     map[string]time.Duration
	slowest   map[string]time.Duration
}

// Add counts an instance.
func (t *Tally) Add(kind string, fails []Failure, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.instances == nil {
		t.instances, t.failures = map[string]int{}, map[string]map[byte]int{}
		t.spent, t.slowest = map[string]time.Duration{}, map[string]time.Duration{}
	}
	if t.failures[kind] == nil {
		t.failures[kind] = map[byte]int{}
	}
	t.instances[kind]++
	t.spent[kind] += took
	t.slowest[kind] = max(t.slowest[kind], took)
	letters := map[byte]bool{}
	for _, f := range fails {
		letters[f.Letter] = true
	}
	for l := range letters {
		t.failures[kind][l]++
	}
}

// Write prints a line a kind.
func (t *Tally) Write(w io.Writer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, kind := range slices.Sorted(maps.Keys(t.instances)) {
		n := t.instances[kind]
		fmt.Fprintf(w, "%-12s %9d instances, %7v each, slowest %8v:", kind, n,
			(t.spent[kind] / time.Duration(n)).Round(time.Microsecond),
			t.slowest[kind].Round(time.Millisecond))
		for _, l := range slices.Sorted(maps.Keys(t.failures[kind])) {
			fmt.Fprintf(w, " %c %d", l, t.failures[kind][l])
		}
		if len(t.failures[kind]) == 0 {
			fmt.Fprint(w, " nothing wrong")
		}
		fmt.Fprintln(w)
	}
}
