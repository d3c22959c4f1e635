package bestfirst_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// fake is a tree of nodes with valid bounds and orders, all small integers, so that
// most of them tie. Its exported behaviour is that of a search.Search; everything it is
// told is written down.
type fake struct {
	nodes   []fakeNode
	roots   int
	during  func(ctx context.Context, item int64) error // called while a node is open
	mu      sync.Mutex
	opened  []search.Node
	cutoffs []float64
	misuse  error
}

type fakeNode struct {
	search.Node
	children []int
	answer   *search.Answer
}

// grow draws a search.
func grow(rng *rand.Rand) *fake {
	f := &fake{}
	order := int64(0)
	var add func(depth int, bound float64) int
	add = func(depth int, bound float64) int {
		id := len(f.nodes)
		f.nodes = append(f.nodes, fakeNode{
			Node: search.Node{Bound: bound, Order: order, Item: int64(id)},
		})
		if depth > 0 && rng.IntN(5) > 0 {
			var children []int
			for range rng.IntN(5) {
				order += rng.Int64N(2)
				children = append(children, add(depth-1, bound+float64(rng.IntN(3))))
			}
			rng.Shuffle(len(children),
				func(i, j int) { children[i], children[j] = children[j], children[i] })
			f.nodes[id].children = children
		} else if rng.IntN(3) > 0 {
			order++
			b := bound + float64(rng.IntN(3))
			f.nodes[id].answer = &search.Answer{
				Bound: b, Order: order, Example: []float64{float64(id)},
				Distance: b + float64(rng.IntN(3))*1e-10,
			}
		}
		return id
	}
	for range 1 + rng.IntN(4) {
		order += rng.Int64N(2)
		id := add(1+rng.IntN(6), float64(rng.IntN(3)))
		f.nodes[f.roots], f.nodes[id] = f.nodes[id], f.nodes[f.roots]
		f.rename(f.roots, id)
		f.roots++
	}
	return f
}

// rename corrects children and items after two nodes changed positions.
func (f *fake) rename(a, b int) {
	for i := range f.nodes {
		f.nodes[i].Item = int64(i)
		for j, c := range f.nodes[i].children {
			switch c {
			case a:
				f.nodes[i].children[j] = b
			case b:
				f.nodes[i].children[j] = a
			}
		}
	}
}

// first goes through all answers.
func (f *fake) first() *search.Answer {
	var best *search.Answer
	for _, n := range f.nodes {
		if a := n.answer; a != nil &&
			(best == nil || a.Bound < best.Bound ||
				(a.Bound == best.Bound && a.Order < best.Order)) {
			best = a
		}
	}
	return best
}

func (f *fake) Roots() []search.Node {
	var roots []search.Node
	for _, n := range f.nodes[:f.roots] {
		roots = append(roots, n.Node)
	}
	return roots
}

func (f *fake) NewOpener() search.Opener { return &fakeOpener{fake: f} }

type fakeOpener struct {
	*fake
	busy     bool
	children []search.Node
}

func (o *fakeOpener) Open(
	ctx context.Context, n search.Node, cutoff float64,
) (search.Opened, error) {
	o.mu.Lock()
	if o.busy {
		o.misuse = errors.New("two goroutines use one opener")
	}
	o.busy = true
	for _, earlier := range o.opened {
		if earlier.Item == n.Item {
			o.misuse = fmt.Errorf("node %d is opened twice", n.Item)
		}
	}
	o.opened = append(o.opened, n)
	o.cutoffs = append(o.cutoffs, cutoff)
	o.mu.Unlock()
	defer func() {
		o.mu.Lock()
		o.busy = false
		o.mu.Unlock()
	}()
	if o.during != nil {
		if err := o.during(ctx, n.Item); err != nil {
			return search.Opened{}, err
		}
	}
	node := o.nodes[n.Item]
	o.children = o.children[:0]
	for _, c := range node.children {
		if o.nodes[c].Bound <= cutoff {
			o.children = append(o.children, o.nodes[c].Node)
		}
	}
	opened := search.Opened{Children: o.children, Solves: 1}
	if node.answer != nil && node.answer.Bound <= cutoff {
		opened.Answer = node.answer
	}
	return opened, nil
}

// run searches anew.
func (f *fake) run(t *testing.T, ctx context.Context, limits bestfirst.Limits) bestfirst.Result {
	t.Helper()
	f.opened, f.cutoffs = nil, nil
	r, err := bestfirst.Run(ctx, f, limits)
	if err != nil {
		t.Fatal(err)
	}
	if f.misuse != nil {
		t.Fatal(f.misuse)
	}
	if r.Nodes != len(f.opened) {
		t.Fatalf("Nodes = %d, opened %d", r.Nodes, len(f.opened))
	}
	return r
}

// checkResult checks the claims of a search against all answers.
func checkResult(r bestfirst.Result, want *search.Answer) error {
	truth := math.Inf(1)
	if want != nil {
		truth = want.Bound
	}
	switch {
	case r.Complete && !reflect.DeepEqual(r.Answer, want):
		return fmt.Errorf("complete with answer %+v, want %+v", r.Answer, want)
	case r.Complete && r.Bound != truth:
		return fmt.Errorf("complete with bound %v, want %v", r.Bound, truth)
	case r.Bound > truth:
		return fmt.Errorf("bound %v, but there is an answer at %v", r.Bound, truth)
	case r.Answer != nil && r.Answer.Bound < truth:
		return fmt.Errorf("answer %+v below the first one %+v", r.Answer, want)
	}
	return nil
}

func TestRunAgainstExhaustion(t *testing.T) {
	answers, unopened := 0, 0
	for number := range uint64(racetest.Scale(3000)) {
		f := grow(rand.New(rand.NewPCG(number, 1)))
		want := f.first()
		for _, workers := range []int{-1, 0, 1, 2, 8} {
			r := f.run(t, t.Context(), bestfirst.Limits{Workers: workers})
			if err := checkResult(r, want); err != nil || !r.Complete {
				t.Fatalf("instance %d, %d workers: %v, complete = %v",
					number, workers, err, r.Complete)
			}
			if r.Solves != r.Nodes {
				t.Fatalf("instance %d, %d workers: Solves = %d, want one for each of %d nodes",
					number, workers, r.Solves, r.Nodes)
			}
			if workers != 1 {
				continue
			}
			// A single worker opens nodes in order, and none that the answer comes before.
			for i, n := range f.opened {
				if i > 0 && bestfirst.Before(
					n.Bound, n.Order, f.opened[i-1].Bound, f.opened[i-1].Order,
				) {
					t.Fatalf("instance %d: %+v is opened after %+v", number, n, f.opened[i-1])
				}
				if i > 0 && f.cutoffs[i] > f.cutoffs[i-1] {
					t.Fatalf("instance %d: the cutoff rises from %v to %v",
						number, f.cutoffs[i-1], f.cutoffs[i])
				}
				if want != nil && !bestfirst.Before(n.Bound, n.Order, want.Bound, want.Order) {
					t.Fatalf("instance %d: %+v is opened though the answer is %+v", number, n, want)
				}
			}
			unopened += len(f.nodes) - r.Nodes
			if want != nil {
				answers++
			}
		}
	}
	if answers < racetest.Scale(1000) || unopened < racetest.Scale(1000) {
		t.Errorf("%d answers, %d nodes unopened, want more of both", answers, unopened)
	}
}

// TestQueueOfFewNodes drops nodes, which may cost the proof but not its honesty.
func TestQueueOfFewNodes(t *testing.T) {
	complete, cut := 0, 0
	for number := range uint64(racetest.Scale(1000)) {
		f := grow(rand.New(rand.NewPCG(number, 9)))
		want := f.first()
		for _, workers := range []int{1, 3} {
			for capacity := 1; capacity < 12; capacity++ {
				r := f.run(t, t.Context(), bestfirst.Limits{
					Workers: workers, Memory: 4 * capacity, NodeBytes: 3,
				})
				if err := checkResult(r, want); err != nil {
					t.Fatalf("instance %d, %d workers, room for %d: %v",
						number, workers, capacity, err)
				}
				if r.Complete {
					complete++
				} else {
					cut++
				}
			}
			if r := f.run(
				t, t.Context(), bestfirst.Limits{
					Workers: workers, Memory: 4 * len(f.nodes), NodeBytes: 3,
				},
			); !r.Complete {
				t.Fatalf("instance %d, %d workers: not complete with room for all nodes",
					number, workers)
			}
		}
	}
	if complete < 1000 || cut < 100 {
		t.Errorf("%d searches complete, %d cut short, want more of both", complete, cut)
	}
}

func TestRunWithoutRoots(t *testing.T) {
	for _, workers := range []int{1, 3} {
		r := (&fake{}).run(t, t.Context(), bestfirst.Limits{Workers: workers})
		want := bestfirst.Result{Bound: math.Inf(1), Finished: true, Complete: true}
		if r != want {
			t.Errorf("%d workers: %+v, want %+v", workers, r, want)
		}
	}
}

// unsettled lets goroutines meet in another order each time.
func unsettled(rng *rand.Rand) func(context.Context, int64) error {
	var mu sync.Mutex
	return func(context.Context, int64) error {
		mu.Lock()
		pause := time.Duration(rng.IntN(5)) * time.Millisecond
		mu.Unlock()
		time.Sleep(pause)
		return nil
	}
}

// TestLimits stops searches at every number of nodes and at gaps. Inside the bubble time is
// simulated, and a goroutine that is left behind fails the test.
func TestLimits(t *testing.T) {
	early := 0
	for number := range uint64(racetest.Scale(150)) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(number, 2))
			f := grow(rng)
			f.during = unsettled(rng)
			want := f.first()
			// As many nodes as the search takes are enough, one less is not.
			all := f.run(t, t.Context(), bestfirst.Limits{Workers: 1}).Nodes
			for limit, complete := range map[int]bool{all: true, all - 1: false} {
				if limit == 0 {
					continue
				}
				if r := f.run(
					t, t.Context(), bestfirst.Limits{Workers: 1, Nodes: limit},
				); r.Complete != complete {
					t.Fatalf("instance %d: with %d of %d nodes Complete = %v",
						number, limit, all, r.Complete)
				}
			}
			for _, workers := range []int{1, 2, 8} {
				for nodes := 1; nodes <= min(len(f.nodes), 12); nodes++ {
					r := f.run(t, t.Context(), bestfirst.Limits{Workers: workers, Nodes: nodes})
					if err := checkResult(r, want); err != nil || r.Nodes > nodes {
						t.Fatalf("instance %d, %d workers, %d nodes, at most %d: %v",
							number, workers, r.Nodes, nodes, err)
					}
					if !r.Complete {
						early++
					}
				}
				for _, gap := range []float64{0.5, 1, 3} {
					r := f.run(t, t.Context(), bestfirst.Limits{Workers: workers, Gap: gap})
					if err := checkResult(r, want); err != nil {
						t.Fatalf("instance %d, %d workers, gap %v: %v", number, workers, gap, err)
					}
					if (r.Answer == nil) != (want == nil) ||
						r.Answer != nil && !r.Complete && r.Answer.Distance-r.Bound > gap+1e-8 {
						t.Fatalf("instance %d, %d workers, gap %v: %+v", number, workers, gap, r)
					}
					if !r.Complete {
						early++
					}
				}
			}
		})
	}
	if early < racetest.Scale(500) {
		t.Errorf("%d searches ended early, want more", early)
	}
}

// TestContextEnds ends the context at the n-th node, with and without an error from
// the opener, and while others wait.
func TestContextEnds(t *testing.T) {
	early := 0
	for number := range uint64(racetest.Scale(400)) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(number, 3))
			f := grow(rng)
			want := f.first()
			for _, workers := range []int{1, 2, 8} {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				end := 1 + rng.IntN(6)
				pause := unsettled(rng)
				calls := 0
				report := number%2 == 0
				f.during = func(inner context.Context, item int64) error {
					pause(inner, item)
					f.mu.Lock()
					calls++
					last := calls == end
					f.mu.Unlock()
					if last {
						cancel()
					}
					if report && inner.Err() != nil {
						return fmt.Errorf("node %d: %w", item, inner.Err())
					}
					return nil
				}
				r := f.run(t, ctx, bestfirst.Limits{Workers: workers})
				if err := checkResult(r, want); err != nil {
					t.Fatalf("instance %d, %d workers, cancelled at node %d: %v",
						number, workers, end, err)
				}
				if !r.Complete {
					early++
				}
				if calls < end && !r.Complete {
					t.Fatalf("instance %d, %d workers: incomplete after %d nodes, though the "+
						"context went on", number, workers, calls)
				}
			}
		})
	}
	if early < racetest.Scale(300) {
		t.Errorf("%d searches ended early, want more", early)
	}
	// A context that has ended before.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, workers := range []int{1, 2} {
		f := grow(rand.New(rand.NewPCG(1, 4)))
		r := f.run(t, ctx, bestfirst.Limits{Workers: workers})
		if least := min(f.nodes[0].Bound, f.nodes[f.roots-1].Bound); r.Complete || r.Nodes != 0 ||
			r.Answer != nil || r.Bound > least {
			t.Errorf("%d workers: %+v after the context ended, want bound %v and nothing else",
				workers, r, least)
		}
	}
}

// wide is a root with 40 leaves, one answer in each.
func wide() *fake {
	f := &fake{roots: 1}
	f.nodes = append(f.nodes, fakeNode{})
	for i := range 40 {
		f.nodes[0].children = append(f.nodes[0].children, i+1)
		f.nodes = append(f.nodes, fakeNode{
			Node:   search.Node{Bound: 1, Order: int64(i), Item: int64(i + 1)},
			answer: &search.Answer{Bound: 2, Order: int64(i), Distance: 2},
		})
	}
	return f
}

// TestErrorStopsAllWorkers lets one node fail while the others are at work. No node after it
// is opened any more.
func TestErrorStopsAllWorkers(t *testing.T) {
	failure := errors.New("node 5 is broken")
	for _, workers := range []int{1, 2, 8} {
		synctest.Test(t, func(t *testing.T) {
			f := wide()
			f.during = func(ctx context.Context, item int64) error {
				switch {
				case item == 5:
					time.Sleep(time.Second) // the others are at work by now
					return fmt.Errorf("wrapped: %w", failure)
				case item > 5:
					time.Sleep(2 * time.Second)
				}
				return nil
			}
			r, err := bestfirst.Run(t.Context(), f, bestfirst.Limits{Workers: workers})
			if !errors.Is(err, failure) || !reflect.DeepEqual(r, bestfirst.Result{}) {
				t.Errorf("%d workers: %+v, %v, want %v", workers, r, err, failure)
			}
			if opened := len(f.opened); opened > 6+workers {
				t.Errorf("%d workers: %d nodes opened, want the search to stop", workers, opened)
			}
		})
	}
}

// broken makes every eighth node fail, some with a larger bound. It returns the outcome of the
// search: the first of the failures, unless an answer comes before them all.
func (f *fake) broken(rng *rand.Rand) (best *search.Answer, bound float64, first error) {
	failures := map[int64]error{}
	order := int64(0)
	bound = math.Inf(1)
	var visit func(id int)
	visit = func(id int) {
		n := f.nodes[id]
		if rng.IntN(8) == 0 {
			raised := n.Bound + float64(rng.IntN(3))
			var err error = &search.Undecided{Bound: raised, Err: fmt.Errorf("node %d", id)}
			if raised == n.Bound && rng.IntN(2) == 0 {
				err = fmt.Errorf("node %d", id)
			}
			failures[n.Item] = err
			// Two failures may share bound and order; then either may be reported.
			if first == nil || bestfirst.Before(raised, n.Order, bound, order) {
				bound, order, first = raised, n.Order, err
			}
			return
		}
		if a := n.answer; a != nil &&
			(best == nil || bestfirst.Before(a.Bound, a.Order, best.Bound, best.Order)) {
			best = a
		}
		for _, c := range n.children {
			visit(c)
		}
	}
	for id := range f.roots {
		visit(id)
	}
	pause := unsettled(rng)
	f.during = func(ctx context.Context, item int64) error {
		pause(ctx, item)
		return failures[item]
	}
	if first != nil && best != nil && !bestfirst.Before(bound, order, best.Bound, best.Order) {
		first = nil
	}
	if best != nil {
		bound = min(bound, best.Bound)
	}
	return best, bound, first
}

// TestFailuresDoNotDependOnWorkers: a node that cannot be opened ends the search
// only if no answer comes before it, and then always.
func TestFailuresDoNotDependOnWorkers(t *testing.T) {
	failed, answered := 0, 0
	for number := range uint64(racetest.Scale(600)) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(number, 6))
			f := grow(rng)
			best, bound, first := f.broken(rng)
			for _, workers := range []int{1, 2, 8} {
				f.opened = nil
				r, err := bestfirst.Run(t.Context(), f, bestfirst.Limits{Workers: workers})
				if (err == nil) != (first == nil) {
					t.Fatalf("instance %d, %d workers: %+v, %v, want the error %v",
						number, workers, r, err, first)
				}
				if err != nil {
					failed++
					continue
				}
				if !r.Complete || !reflect.DeepEqual(r.Answer, best) || r.Bound != bound {
					t.Fatalf("instance %d, %d workers: %+v, want the answer %+v",
						number, workers, r, best)
				}
				if r.Answer != nil {
					answered++
				}
			}
			for nodes := 1; nodes < min(len(f.nodes), 8); nodes++ {
				f.opened = nil
				r, err := bestfirst.Run(t.Context(), f, bestfirst.Limits{Workers: 2, Nodes: nodes})
				if err == nil && (r.Bound > bound || r.Complete && first != nil) {
					t.Fatalf("instance %d, %d nodes: %+v, want a bound of at most %v",
						number, nodes, r, bound)
				}
			}
		})
	}
	if failed < racetest.Scale(300) || answered < racetest.Scale(300) {
		t.Errorf("%d searches failed, %d had an answer, want more of both", failed, answered)
	}
}

// TestErrorOfAnotherContext: an opener that reports a context of its own has failed.
func TestErrorOfAnotherContext(t *testing.T) {
	for _, workers := range []int{1, 4} {
		f := wide()
		f.during = func(_ context.Context, item int64) error {
			if item == 3 {
				return context.Canceled
			}
			return nil
		}
		if r, err := bestfirst.Run(
			t.Context(), f, bestfirst.Limits{Workers: workers},
		); !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers: %+v, %v, want context.Canceled", workers, r, err)
		}
	}
}

// TestSlowWorkerHoldsTheBound: while one worker opens the node with the smallest bound
// another reaches the limit. What the first has still to report counts.
func TestSlowWorkerHoldsTheBound(t *testing.T) {
	for _, giveUp := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			f := &fake{roots: 2, nodes: []fakeNode{
				{Node: search.Node{Bound: 1, Order: 0, Item: 0}, children: []int{2}},
				{
					Node:   search.Node{Bound: 3, Order: 1, Item: 1},
					answer: &search.Answer{Bound: 3, Order: 1, Example: []float64{3}, Distance: 3},
				},
				{Node: search.Node{Bound: 2, Order: 0, Item: 2}},
			}}
			f.during = func(ctx context.Context, item int64) error {
				if item == 0 {
					time.Sleep(time.Second)
					if giveUp {
						cancel()
						return ctx.Err()
					}
				}
				return nil
			}
			r := f.run(t, ctx, bestfirst.Limits{Workers: 2, Nodes: 2})
			want := 2.0
			if giveUp {
				want = 1
			}
			if r.Complete || r.Bound != want || r.Answer == nil || r.Answer.Bound != 3 {
				t.Errorf("give up = %v: %+v, want bound %v and the answer at 3", giveUp, r, want)
			}
		})
	}
}

// TestFailureAfterAnOpenNode: one node fails, then the context ends under another that comes
// before the failure. The search is cut short, not failed: the other might have held an answer.
func TestFailureAfterAnOpenNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		f := &fake{roots: 2, nodes: []fakeNode{
			{Node: search.Node{Bound: 1, Order: 0, Item: 0}},
			{Node: search.Node{Bound: 1.5, Order: 1, Item: 1}},
		}}
		f.during = func(ctx context.Context, item int64) error {
			if item == 0 {
				time.Sleep(time.Second)
				return &search.Undecided{Bound: 2, Err: errors.New("no verdict")}
			}
			time.Sleep(2 * time.Second)
			cancel()
			return ctx.Err()
		}
		r := f.run(t, ctx, bestfirst.Limits{Workers: 2})
		if r.Complete || r.Bound != 1.5 || r.Answer != nil {
			t.Errorf("%+v, want the bound 1.5 and nothing else", r)
		}
	})
}

// TestFailureAfterTheEnd: a node that fails once the search was cut short is one more that is
// left open, whether or not it would have mattered.
func TestFailureAfterTheEnd(t *testing.T) {
	for _, failing := range []float64{1.2, 3} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			f := &fake{roots: 2, nodes: []fakeNode{
				{Node: search.Node{Bound: 1, Order: 0, Item: 0}},
				{Node: search.Node{Bound: 1.5, Order: 1, Item: 1}},
			}}
			f.during = func(ctx context.Context, item int64) error {
				if item == 1 {
					cancel()
					return ctx.Err()
				}
				time.Sleep(time.Second)
				return &search.Undecided{Bound: failing, Err: errors.New("no verdict")}
			}
			r := f.run(t, ctx, bestfirst.Limits{Workers: 2})
			if want := min(1.5, failing); r.Complete || r.Bound != want || r.Answer != nil {
				t.Errorf("%+v, want the bound %v and nothing else", r, want)
			}
		})
	}
}

// TestWorkersShareTheWork: eight workers are inside eight nodes at once.
func TestWorkersShareTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := wide()
		inside, most := 0, 0
		f.during = func(context.Context, int64) error {
			f.mu.Lock()
			inside++
			most = max(most, inside)
			f.mu.Unlock()
			time.Sleep(time.Second)
			f.mu.Lock()
			inside--
			f.mu.Unlock()
			return nil
		}
		f.run(t, t.Context(), bestfirst.Limits{Workers: 8})
		if most != 8 {
			t.Errorf("at most %d nodes were open at once, want 8", most)
		}
	})
}

// TestRunOnRealCores repeats searches without simulated time, for the race detector.
func TestRunOnRealCores(t *testing.T) {
	for number := range uint64(racetest.Scale(1000)) {
		f := grow(rand.New(rand.NewPCG(number, 5)))
		f.during = func(context.Context, int64) error { runtime.Gosched(); return nil }
		want := f.first()
		for range 3 {
			if r := f.run(t, t.Context(), bestfirst.Limits{Workers: 8}); !r.Complete ||
				!reflect.DeepEqual(r.Answer, want) {
				t.Fatalf("instance %d: %+v, want %+v", number, r, want)
			}
		}
	}
}
