package proof

import (
	"strings"
	"testing"
)

// plane is an oblique tree over three features: label 1 is where x₁ ≤ 0.
const plane = `{"format":"oblique-tree-ensemble","version":1,"n_features":3,"classes":[0,1],"vote":"hard",
"trees":[{"weights":[[0,1,0],null,null],"threshold":[0,0,0],"left":[1,-1,-1],"right":[2,-1,-1],"value":[[1,1],[0,1],[1,0]]}]}`

// TestSidesAlone: sides of the domain touch some features only, before and behind others, and a
// combination of them is as exact as that of tests, in all norms, where it ends at the bound.
func TestSidesAlone(t *testing.T) {
	m := mustRead(t, plane)
	for _, c := range []struct{ norm, x, bound, more, combination string }{
		{"inf", "1 1 0", "0.5", "0.5000000000000001", "+0"},
		{"1", "1 1 0", "0.5", "0.5000000000000001", "+0"},
		{"2", "1 1 0", "0.5", "0.5000000000000001", "+0"},
		{"1", "0 1 1", "0.5", "0.5000000000000001", "+2"},
		{"inf", "1 1 1", "0.5", "0.5000000000000001", "+0 +2"},
		{"1", "1 1 1", "1", "1.0000000000000002", "+0 +2"},
		{"2", "1.25 1 1.5", "1.25", "1.2500000000000002", "3*+0 4*+2"},
	} {
		refusals{
			{"bound " + c.bound, "bound " + c.more, "does not show"},
			{"bound " + c.bound, "bound inf", "does not show"},
		}.test(t, m, plane, "proof\nnorm "+c.norm+"\nfrom 0\ndomain -inf 0.5 -inf 3 -inf 0.5\nx "+
			c.x+"\nbound "+c.bound+"\nlabel 1\nc "+c.combination+"\nend\n")
	}
}

// TestSidesThatMeet: where the sides of a feature are one point, together they say 0 ≤ 0, which
// leaves that point, for every bound and every feature.
func TestSidesThatMeet(t *testing.T) {
	m := mustRead(t, plane)
	for _, bound := range []string{"inf", "1"} {
		for _, combination := range []string{"+0 -0", "+1 -1", "+2 -2", "+0", "+1 -1 -0 +0"} {
			claim := "proof\nnorm 2\nfrom 0\ndomain 1 1 1 1 1 1\nx 1 1 1\nbound " + bound
			_, err := check(m, text(plane, claim+"\nlabel 1\nc "+combination+"\nend\n"))
			if err == nil || !strings.Contains(err.Error(), "does not show") {
				t.Errorf("%s, bound %s: %v", combination, bound, err)
			}
		}
	}
}
