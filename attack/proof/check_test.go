package proof

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Two trees over two features that add up: the first steps up where x₀ ≤ 0.5 ends, the second where
// x₁ does.
const forest = `{"format":"facet-model","version":1,"kind":"ensemble","n_features":2,"classes":[0,1],"comparison":"x <= t","vote":"sum","base":[0.5,0],
"trees":[{"feature":[0,-1,-1],"threshold":[0.5,0,0],"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0,0],[0,0],[0,0.375]]},
 {"feature":[1,-1,-1],"threshold":[0.5,0,0],"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0,0],[0,0],[0,0.375]]}]}`

// Only where both x₀ > 0.5 and x₁ > 0.5 is label 1.
const forestProof = `proof a corner
norm 1
from 0
x 0 0x1p-2
bound 0.75
example 1 0.5000000001 0x1.00000000001p-1
label 1
a0.b0..
end
`

// Label 1 would need two of three trees, which want x₀ > 1, x₀ ≤ −1 and a value between.
const torn = `{"format":"facet-model","version":1,"kind":"ensemble","n_features":1,"classes":[0,1,2],"comparison":"x <= t","vote":"sum","base":[0.5,0,-1],
"trees":[{"feature":[0,-1,-1],"threshold":[1,0,0],"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0,0,0],[0,0,0],[0,0.375,0]]},
 {"feature":[0,-1,-1],"threshold":[-1,0,0],"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0,0,0],[0,0.375,0],[0,0,0]]},
 {"feature":[0,-1,0,-1,-1],"threshold":[-1,0,1,0,0],"left":[1,-1,3,-1,-1],"right":[2,-1,4,-1,-1],"value":[[0,0,0],[0,0,0],[0,0,0],[0,0.375,0],[0,0,0]]}]}`

// TestSweeps: potentials know without a split that no input has the best leaves of two trees.
func TestSweeps(t *testing.T) {
	refusals{
		{"*1.", "*99.", ""},
		{"*1.", "*0*1.", ""},
		{"*1.", "*0*1*0.", ""},
		{"*1.", "*0*01*0.", "begins with '0'"},
		{"*1.", "a0.*0.", ""},
		{"*1.", "a0*1.*0.", ""},
		{"*1.", "*1*0.", ""},
		{"*1.", "*1*0a0..", "line 9, column 5: nothing is left"},
		{"*1.", "*1*1*1.", "nothing is left"},
		{"*1.", "*0.", "may hold"},
		{"*1.", ".", "may hold"},
		{"*1.", "*100.", "more than 99"},
		{"*1.", "*.", "a number is expected"},
		{"*1.", "*0", "neither"},
		{"*1.", "*1..", "after the last leaf"},
		{"label 1 0\n*1.", "label 1\na0.a0..", ""},
		{"label 1 0", "label 1", "neither a split nor a leaf"},
		{"label 1 0", "label 1 1", "no potentials"},
		{"label 1 0", "label 1 2", "no potentials"},
		{"label 1 0", "label 1 3", "no number"},
		{"label 1 0", "label 1 0 0", "a word too many"},
		{"norm inf", "norm 1", "no potentials"},
		{"from 0\n", "from 0\ntarget 2\n", "want 2"},
	}.test(t, mustRead(t, torn), torn,
		"proof\nnorm inf\nfrom 0\nx 0\nbound inf\nlabel 1 0\n*1.\nlabel 2\n.\nend\n")
	// Values that no float64 has room for beside the base, or that do not differ.
	for _, c := range [][2]string{{"0.5,0,-1", "1e200,0,-1"}, {"0.375", "0"}} {
		changed := strings.ReplaceAll(torn, c[0], c[1])
		if _, err := check(
			mustRead(t, changed),
			text(changed,
				"proof\nnorm inf\nfrom 0\nx 0\nbound inf\nlabel 1 0\n*1.\nlabel 2\n.\nend\n"),
		); err == nil || !strings.Contains(err.Error(), "no potentials") {
			t.Errorf("%s: %v", c[1], err)
		}
	}
}

// What forest is, in one oblique tree.
const oblique = `{"format":"oblique-tree-ensemble","version":1,"n_features":2,"classes":[0,1],"vote":"hard",
"trees":[{"weights":[[1,1],null,[1,-1],null,null],"threshold":[1,0,0,0,0],"left":[1,-1,3,-1,-1],"right":[2,-1,4,-1,-1],"value":[[1,1],[1,0],[1,1],[0,1],[1,0]]}]}`

// Label 1 is where x₀+x₁ ≥ 1 and x₀ ≤ x₁.
const obliqueProof = `proof
norm inf
from 0
target 1
domain -1 inf -inf 0.5
x 0.25 -0.5
bound 1
label 1
s 0 0
.
s 0 2
c @0 @1
.
end
`

// text returns a file about a model.
func text(model, proofs string) string {
	return fmt.Sprintf("facet-proofs 1\nmodel sha256 %x\n%s", sha256.Sum256([]byte(model)), proofs)
}

func mustRead(t testing.TB, model string) *Model {
	t.Helper()
	m, err := ReadModel(strings.NewReader(model))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func check(m *Model, file string) (claims []Claim, err error) {
	err = Check(strings.NewReader(file), m, func(c Claim) error {
		claims = append(claims, c)
		return nil
	})
	return claims, err
}

func TestForest(t *testing.T) {
	m := mustRead(t, forest)
	claims, err := check(m, text(forest, forestProof+forestProof))
	if err != nil || len(claims) != 2 || !claims[1].Settled || claims[0].Name != "a corner" ||
		claims[0].Bound != 0.75 || claims[0].Line != 3 {
		t.Fatalf("%v, %v", claims, err)
	}
	refusals{
		{"a0.b0..", "a0..", ""},
		{"a0.b0..", ".", "line 10, column 1"},
		{"a0.b0..", "a0.b0.", "column 7"},
		{"a0.b0..", "a0.b0...", "after the last leaf"},
		{"a0.b0..", "a1.b0..", "leaves nothing"},
		{"a0.b0..", "c0.b0..", "no feature 2"},
		{"a0.b0..", "A", "neither a split"},
		{"0.75", "0.7500000001", "nearer than the bound"},
		{"0.75", "inf", "nearer than the bound"},
		{"example 1 0.5000000001 0x1.00000000001p-1\n", "", ""},
		{"label 1", "label 0", "want 1"},
		{"from 0", "from 1", "does not answer"},
		{"end\n", "end\n\n", "\"proof\" is expected"},
		{"end\n", "end", "no end"},
		{"norm 1", "norm  1", "missing"},
		{"norm 1", "norm 3", "want inf"},
		{"x 0 0x1p-2", "x 0 nan", "no number"},
		{"bound 0.75", "bound -1", "bound is"},
		{"proof a corner\n", "", "\"proof\" is expected"},
	}.test(t, m, forest, forestProof)
	raised := strings.Replace(strings.Replace(forestProof, "0.75", "0.7500000001", 1),
		"example 1 0.5000000001 0x1.00000000001p-1\n", "", 1)
	if _, err := check(m, text(forest, raised)); err == nil ||
		!strings.Contains(err.Error(), "may hold") {
		t.Errorf("a bound that is too high: %v", err)
	}
	if _, err := check(m, text(forest+" ", forestProof)); err == nil ||
		!strings.Contains(err.Error(), "another file") {
		t.Errorf("another model: %v", err)
	}
}

// refusals changes a proof and has the text that a refusal must contain; "" if the changed one
// holds.
type refusals []struct{ old, new, why string }

func (all refusals) test(t *testing.T, m *Model, model, proof string) {
	t.Helper()
	if _, err := check(m, text(model, proof)); err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		changed := strings.Replace(proof, c.old, c.new, 1)
		_, err := check(m, text(model, changed))
		if changed == proof || (c.why == "") != (err == nil) ||
			(err != nil && (!strings.Contains(err.Error(), c.why) || !errors.Is(err, ErrProof))) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.why)
		}
	}
}

func TestOblique(t *testing.T) {
	refusals{
		{"bound 1\n", "bound 1.0000000000000002\n", "does not show"},
		{"c @0 @1", "c @0 @1 2*+1", ""},
		{"c @0 @1", "c @0 @1 +1", ""},
		{"c @0 @1", "c @0 3*@1", "does not show"},
		{"c @0 @1", "c 12345678901234567890123*@0 12345678901234567890123*@1", ""},
		{"c @0 @1", "c @0 0*@1", "no positive integer"},
		{"c @0 @1", "c @0 -1*@1", "no positive integer"},
		{"c @0 @1", "c @0 @2", "no number from 0 to 1"},
		{"c @0 @1", "c @0 #0", "no half-space"},
		{"c @0 @1", "c", "ends too early"},
		{"c @0 @1", "c +0", "no such side"},
		{"c @0 @1\n", ".\n", "line 14, column 1: this region may hold"},
		{"s 0 2\n", "", "line 13, column 6: \"1\" is no number"},
		{"s 0 2", "s 0 1", "has no test"},
		{"s 0 2", "s 1 0", "no number from 0 to 0"},
		{"s 0 2\nc @0 @1\n.", "d 0 3 @0 #2\n.", ""},
		{"s 0 2\nc @0 @1\n.", "d 0 3 @0\n.", "does not show"},
		{"s 0 2\nc @0 @1\n.", "d 0 4 @0 2*#2\n.", "does not show"},
		{"s 0 2\nc @0 @1\n.", "d 0 2 @0 #2\n.", "is no leaf"},
		{"s 0 2\nc @0 @1\n.", "d 0 1 #2\n.", "no test above this leaf"},
		{".\nend", "end", "none of s, d, c"},
		{"end", ".\nend", "expected"},
	}.test(t, mustRead(t, oblique), oblique, obliqueProof)
	// In the domain both tests leave one point, which goes left of the first.
	endless := strings.NewReplacer("bound 1", "bound inf",
		"c @0 @1", "c @0 @1 2*+1").Replace(obliqueProof)
	refusals{
		{"2*+1", "1*+1", "does not show"},
		{"domain -1 inf -inf 0.5", "domain -1 inf -inf 0.5000000000000001", "does not show"},
		{"domain -1 inf -inf 0.5", "domain -1 inf 0.5 0.5", ""},
		{"domain -1 inf -inf 0.5", "domain 0.5 0.5 0.5 0.5", ""},
		{"target 1\ndomain", "domain", ""},
	}.test(t, mustRead(t, oblique), oblique, endless)
	corner := strings.Replace(endless, "domain -1", "domain 0.5", 1)
	refusals{{"c @0 @1 2*+1", "c @1 +1 -0", "does not show"}}.test(t, mustRead(t, oblique), oblique,
		corner)
}

// Rows of label 1 on the left, of 0 on the right; x is right of the middle.
const knn = `{"format":"facet-model","version":1,"kind":"knn","n_features":1,"k":3,
"rows":[[-1],[1],[-2],[2],[-3],[3],[-1]],"labels":[1,0,1,0,1,0,1]}`

const knnProof = `proof
norm inf
from 0
x 1
bound 0.5
example 1 0.4999999999
near
pivot 2
r 1 3
c <1
c <3
pivot 4
m 1 3
c 4<1
c <3
pivot 6
q 0
m 1
o 1
c 0<3
end
`

func TestKNN(t *testing.T) {
	m := mustRead(t, knn)
	refusals{
		{"bound 0.5\nexample 1 0.4999999999", "bound 0.5000000000000001", "too few"},
		{"example 1 0.4999999999", "example 1 0.5000000001", "does not have the label"},
		{"near\n", "near 1 3\n", "crowded"},
		{"near\n", "near 1 1\n", "twice"},
		{"near\n", "near 2\n", "not with reason"},
		{"near\n", "near\npivot 0\nr 1 3\nc <1\nc <3\n", ""},
		{"pivot 2\nr 1 3\nc <1\nc <3\n", "", "row 2 may be the pivot"},
		{"r 1 3\nc <1\nc <3\n", "r 1\nc <1\n", "too few"},
		{"r 1 3\nc <1\nc <3\n", "r 1 2\nc <1\nc <2\n", "not with reason"},
		{"r 1 3\nc <1\nc <3\n", "r 1 3\nc <3\nc <3\n",
			"does not say that row 2 comes before row 3"},
		{"r 1 3\nc <1\nc <3\n", "r 1 3\nc <1\nc 1<\n",
			"line 13, column 1: the combination does not show"},
		{"r 1 3\nc <1\nc <3\n", "r 1 3\nc <1\nc <1\n", "does not say"},
		{"r 1 3\nc <1\nc <3\n", "r 1 3 5\nc <1\nc <3\nc <5\n", ""},
		{"m 1 3\nc 4<1\nc <3", "m 1\nc 4<1", "too few"},
		{"m 1 3\nc 4<1\nc <3", "m 1 4\nc 4<1\nc <3", "not with reason"},
		{"m 1 3\nc 4<1\nc <3", "m 1 0\nc 4<1\nc <0", "none of c"},
		{"q 0\n", "q\n", "too few"},
		{"q 0\n", "q 2\n", "not with reason"},
		{"o 1\n", "c 6<1\n", ""},
		{"o 1\n", "o 3\n", "too few"},
		{"o 1\nc 0<3\n", "c 0<3\nc 0<3\n", "does not say"},
		{"c 0<3\n", "c 0<6\n", "does not show"},
		{"c 0<3\n", "", "none of c, r, q, m and o"},
		{"c 0<3\n", "o 1\n", "too few"},
		{"pivot 6", "pivot 5", "row 5 is crowded"},
		{"pivot 2", "pivot 1", "row 1 is crowded"},
		{"from 0", "from 0\ntarget 1", ""},
		{"from 0", "from 1", "does not answer"},
	}.test(t, m, knn, knnProof)
	// Nothing can be predicted 1 where only one row has it and three vote.
	few := strings.Replace(knn, `"labels":[1,0,1,0,1,0,1]`, `"labels":[1,0,0,0,0,0,0]`, 1)
	refusals{
		{"bound inf\n", "bound inf\nnear\n", "where \"end\" is expected"},
		{"from 0", "from 1", "where \"near\" is expected"},
	}.test(t, mustRead(t, few), few, "proof\nnorm 2\nfrom 0\nx 1\nbound inf\nend\n")
}
