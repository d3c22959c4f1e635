package oblique

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/transcript"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// path names the tests that are decided for a node.
func (s *voteSearch) path(n search.Node) string {
	var tests []string
	for at := n.State.(*node); at.parent != nil; at = at.parent {
		tests = append([]string{s.side(at.interval)}, tests...)
	}
	if len(tests) == 0 {
		return "all inputs"
	}
	return strings.Join(tests, " and ")
}

// side names an interval.
func (s *voteSearch) side(r interval) string {
	d, borders, name := s.g.directions[r.direction], s.g.borders[r.direction], ""
	if name = fmt.Sprintf("x%d", d.Feature); d.Normal != nil {
		name = fmt.Sprintf("%g·x0%+g·x1", d.Normal[0], d.Normal[1])
	}
	if r.lo > 0 {
		name = fmt.Sprintf("%.4g < %s", borders[r.lo-1].End, name)
	}
	if int(r.hi) < len(borders) {
		name = fmt.Sprintf("%s ≤ %.4g", name, borders[r.hi].End)
	}
	return name
}

// leaves lists the candidates before the search.
func (s *voteSearch) leaves(w *strings.Builder) {
	all := s.all()
	for t := range s.m.Len() {
		for i := all.first[t]; i < all.first[t+1]; i++ {
			l := s.g.leaves[i]
			var sides []string
			for _, r := range l.ranges {
				sides = append(sides, s.side(r))
			}
			fmt.Fprintf(w, "  tree %d: %s, at least %.4g away, adds %+.4g\n",
				t, strings.Join(sides, " and "), all.leaves[i].bound, s.margins[0][0].Gain(l.value))
		}
	}
}

// stump is the nodes of a tree that votes for label 1 where w·x > threshold.
func stump(threshold float64, w ...float64) []trees.Node {
	return []trees.Node{
		{Weights: w, Threshold: threshold, Left: 1, Right: 2, Value: []float64{1, 1}},
		{Left: -1, Right: -1, Value: []float64{1, 0}},
		{Left: -1, Right: -1, Value: []float64{0, 1}},
	}
}

// TestTranscript prints small searches step by step; -update writes them anew.
func TestTranscript(t *testing.T) {
	for _, test := range []struct {
		name, about string
		x           []float64
		nodes       [][]trees.Node
		vote        trees.Vote
	}{
		{"votes", "Two votes, both of which label 1 needs: for x0+x1 > 1 and for x0-x1 > 1.",
			[]float64{0, 0},
			[][]trees.Node{stump(1, 1, 1), stump(1, 1, -1)}, trees.Vote{Rule: trees.Hard}},
		{"deeper", "Three trees, one of them with two tests, and leaves that add what they like.",
			[]float64{0.5, 0},
			[][]trees.Node{
				{
					{
						Weights:   []float64{1, 2},
						Threshold: 2,
						Left:      1,
						Right:     2,
						Value:     []float64{0, 0},
					},
					{Left: -1, Right: -1, Value: []float64{2, 0}},
					{
						Weights:   []float64{0, 1},
						Threshold: 0.25,
						Left:      3,
						Right:     4,
						Value:     []float64{0, 0},
					},
					{Left: -1, Right: -1, Value: []float64{0, 1}},
					{Left: -1, Right: -1, Value: []float64{0, 2}},
				},
				stump(1, 1, -1), stump(1.5, 2, 1),
			}, trees.Vote{Rule: trees.Sum}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var all []*trees.Oblique
			for _, nodes := range test.nodes {
				tree, err := trees.NewOblique(2, trees.Nodes(nodes))
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, tree)
			}
			m, err := NewModel(all, test.vote)
			if err != nil {
				t.Fatal(err)
			}
			q := search.Query{
				X:      test.x,
				From:   m.Predict(test.x),
				Target: -1,
				Solver: native.Solver{},
			}
			s := newSearch(m, q)
			var w strings.Builder
			fmt.Fprintf(&w, "%s\nThe input nearest to %v in %v that label %d does not "+
				"have.\n\nLeaves, and the margin they give:\n", test.about, q.X, q.Norm, q.From)
			s.leaves(&w)
			transcript.Run(t, &w, s, s.path)
			transcript.Compare(t, filepath.Join("testdata", test.name+".txt"), w.String())
		})
	}
}
