package bipartite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/transcript"
)

// traced writes down the questions of a search to a graph.
type traced struct {
	Graph
	out *strings.Builder
}

func (g traced) Begin(levels []int32) {
	if levels == nil {
		fmt.Fprintln(g.out, "  begin: all right vertices are in")
	} else {
		fmt.Fprintln(g.out, "  begin: right vertices at levels", levels)
	}
	g.Graph.Begin(levels)
}

func (g traced) Find(u, least int32) int32 {
	v := g.Graph.Find(u, least)
	if v == None {
		fmt.Fprintf(g.out, "  left %d: no neighbour at level %d or above\n", u, least)
	} else {
		fmt.Fprintf(g.out, "  left %d: right %d\n", u, v)
	}
	return v
}

func (g traced) Drop(v int32) {
	fmt.Fprintf(g.out, "    drop right %d\n", v)
	g.Graph.Drop(v)
}

// TestTranscript compares a search, step by step, with testdata/transcript.txt.
func TestTranscript(t *testing.T) {
	var out strings.Builder
	lists := NewLists([][]int32{{0, 1}, {0, 2}, {2}}, 3)
	w := Weights{Left: []int64{3, 2, 1}, Right: []int64{2, 2, 2}}
	fmt.Fprintf(&out, "Left vertices supply %v, right ones take %v; their neighbours are %v.\n",
		w.Left, w.Right, lists.Neighbours)
	g := traced{lists, &out}
	f := newFlow(g, w)
	s := newSearch(t.Context(), g, f)
	say := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	state := func() {
		for e, amount := range f.Edges() {
			say("%d flows from left %d to right %d", amount, e.Left, e.Right)
		}
		say("supply left over: %v, demand not met: %v", f.supply, f.demand())
	}

	say("\nPaths of one edge: all levels are 0.")
	s.seed()
	clear(s.right)
	if err := s.augment(); err != nil {
		t.Fatal(err)
	}
	state()
	for found := true; found; {
		say("\nLevels, breadth first from the supply left over.")
		var err error
		if found, err = s.layer(); err != nil {
			t.Fatal(err)
		}
		say("levels of left vertices %v, of right ones %v; demand reached: %v",
			s.left, s.right, found)
		if found {
			say("\nPaths of these levels, depth first.")
			if err := s.augment(); err != nil {
				t.Fatal(err)
			}
			state()
		}
	}
	say("\nThe cover: what the supply left over reaches on the right, and does not on the left.")
	c, err := CoverOf(t.Context(), g, f)
	if err != nil {
		t.Fatal(err)
	}
	say("left %v, right %v", c.Left, c.Right)

	transcript.Compare(t, "testdata/transcript.txt", out.String())
}
