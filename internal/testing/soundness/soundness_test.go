package soundness

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

var (
	instances = flag.Int("instances",
		0, "instances of each kind, from -seed; 0 for a few of a fixed and a new seed")
	first     = flag.Uint64("first", 0, "number of the first instance")
	seed      = flag.Uint64("seed", 1, "seed of the instances")
	kindNames = flag.String("kinds", "", "kinds of instances, with commas; all if empty")
	workers   = flag.Int("workers", 2, "instances checked at a time")
	show      = flag.Int("show", 3, "failures shown of each kind and letter")
	letters   = flag.String("letters", "",
		"letters of the failures shown; those that are wrong proofs if empty")
)

// TestAttack attacks some instances of every kind, or as many as the flags say:
//
//	go test ./internal/testing/soundness -run TestAttack -timeout 0 \
//		-instances 1000000 -kinds knn -workers 3
func TestAttack(t *testing.T) {
	run := &run{t: t, shown: map[string]int{}}
	if *instances > 0 {
		run.kinds(*seed, *first, *instances)
	} else {
		share := racetest.Count(60, 1500) // of a kind and seed
		run.kinds(1, 0, share)
		run.tally.fewOpen(t)
		run.kinds(rand.Uint64(), 0, share)
	}
	var b strings.Builder
	run.tally.Write(&b)
	t.Logf("\n%s", &b)
	if *instances > 0 {
		fmt.Fprint(os.Stderr, b.String())
	}
}

// weightedShare is how many times fewer instances of weighted k-NN there are, whose
// searches take longer.
const weightedShare = 10

// patience is how long a failure may be simplified.
const patience = 3 * time.Second

// run is a run over many instances.
type run struct {
	t     *testing.T
	tally Tally
	mu    sync.Mutex
	shown map[string]int
}

func (r *run) kinds(seed, first uint64, n int) {
	r.t.Logf("seed %d", seed)
	names := slices.Sorted(maps.Keys(kinds))
	if *kindNames != "" {
		names = strings.Split(*kindNames, ",")
	}
	for _, kind := range names {
		if kind == "weighted" {
			n := max(1, n/weightedShare)
			r.kind(kind, seed, first, n)
			continue
		}
		r.kind(kind, seed, first, n)
	}
}

func (r *run) kind(kind string, seed, first uint64, n int) {
	var next atomic.Uint64
	var all sync.WaitGroup
	for range *workers {
		all.Go(func() {
			for {
				number := next.Add(1) - 1
				if number >= uint64(n) {
					return
				}
				r.one(kind, seed, first+number)
			}
		})
	}
	all.Wait()
}

func (r *run) one(kind string, seed, number uint64) {
	in := Draw(kind, seed, number)
	start := time.Now()
	fails := Guarded(in, number)
	r.tally.Add(kind, fails, time.Since(start))
	for _, f := range fails {
		if f.Wrong() && *letters == "" || strings.ContainsRune(*letters, rune(f.Letter)) {
			r.report(kind, seed, number, in, f)
		}
	}
}

// report shows a failure and its smallest form, unless there were enough of its kind and letter.
func (r *run) report(kind string, seed, number uint64, in Instance, f Failure) {
	r.mu.Lock()
	key := kind + string(f.Letter)
	r.shown[key]++
	enough := r.shown[key] > *show
	r.mu.Unlock()
	if enough {
		if f.Wrong() {
			r.t.Fail()
		}
		return
	}
	small, reason := in, f
	if f.Letter != 'h' && f.Letter != 'U' {
		small, reason = Shrink(in, f, number, patience)
	}
	text := fmt.Sprintf("%s, seed %d, instance %d: %c: %s\n  shrinks to %s\n  %c: %s",
		kind, seed, number, f.Letter, f.Text, Literal(small), reason.Letter, reason.Text)
	if *instances > 0 {
		fmt.Fprintln(os.Stderr, text) // long runs are read while they last
	}
	if f.Wrong() {
		r.t.Error(text)
		return
	}
	r.t.Log(text)
}
