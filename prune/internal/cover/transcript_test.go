package cover

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/transcript"
)

// TestTranscript compares the first node of a search, step by step, and the results of its
// branches, with testdata/transcript.txt.
func TestTranscript(t *testing.T) {
	var out strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	list := func(s set) []int { return slices.Collect(s.all()) }

	g := newGraph([]int64{2, 2, 2, 1, 1, 3, 2, 5})
	for _, e := range [][2]int{{0, 1}, {1, 2}, {2, 3}, {2, 4}, {3, 5}, {4, 5}, {5, 0}, {6, 7}} {
		g.join(e[0], e[1])
	}
	say("Vertices weigh %v. Their neighbours:", g.weight)
	for v, row := range g.row {
		say("  %d: %v", v, list(row))
	}

	m := merge(g)
	say("\nTwins are merged, and the heaviest come first. From here on vertices are these:")
	for i, members := range m.members {
		say("  %d: %v, of weight %d, neighbours %v", i, members, m.weight[i], list(m.row[i]))
	}

	s := &search{graph: m.graph, poll: poll{ctx: t.Context()}, most: 1000}
	p := newSet(len(m.weight))
	for v := range m.weight {
		p.add(v)
	}
	taken := s.take(p)
	say("\nNo lighter than their neighbours, and taken: %v. What is left: %v", taken, list(p))
	for _, part := range s.components(p) {
		say("\nComponent %v is bounded by cliques:", list(part))
		bound := s.pack(&s.poll, part,
			func(vertices []int32, amount int64) { say("  %v carries %d", vertices, amount) })
		say("so that a set weighs at most %d.", bound)
		v := s.pivot(part)
		without := part.clone()
		without.remove(v)
		with := without.clone()
		with.subtract(s.row[v])
		say("Vertex %d has the heaviest neighbourhood.", v)
		say("With it %v are left, of which the heaviest set is %v;",
			list(with), s.improve(with.clone(), -1))
		say("without it %v are left, of which the heaviest set is %v.",
			list(without), s.improve(without.clone(), -1))
		best := s.branch(part, -1)
		say("The heaviest set of the component is %v, of weight %d.", best, s.sum(best))
		taken = append(taken, best...)
	}
	a := g.heaviest(t.Context(), -1, 1000)
	if got := m.expand(taken); !slices.Equal(got, a.Keep) {
		t.Errorf("step by step %v, at once %v", got, a.Keep)
	}
	say("\nThe heaviest set is %v, of weight %d; the cliques of the whole graph prove %d.",
		a.Keep, g.sum(a.Keep), a.Bound)

	transcript.Compare(t, "testdata/transcript.txt", out.String())
}
