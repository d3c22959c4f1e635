package attack_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// proved returns the model of proofs that a classifier is.
func proved(t *testing.T, c classifier.Classifier) *proof.Model {
	t.Helper()
	var file bytes.Buffer
	if err := classifier.Save(&file, c); err != nil {
		t.Fatal(err)
	}
	m, err := proof.ReadModel(&file)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// checkedWith reads a proof about a classifier, and others that are to accept.
func checkedWith(t *testing.T, in *instance.Ruled, text []byte) (claims []proof.Claim, err error) {
	t.Helper()
	sums, models := [][32]byte{}, []*proof.Model{}
	for _, c := range in.Others() {
		models = append(models, proved(t, c))
		sums = append(sums, models[len(models)-1].SHA256)
	}
	m := proved(t, in.C)
	var all bytes.Buffer
	w := proof.NewWriter(&all, append([][32]byte{m.SHA256}, sums...)...)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	err = proof.Check(&all, m, func(c proof.Claim) error {
		claims = append(claims, c)
		return nil
	}, models...)
	return claims, err
}

var (
	boundLine   = regexp.MustCompile(`\nbound .*`)
	exampleLine = regexp.MustCompile(`\nexample .*`)
	alsoLine    = regexp.MustCompile(`\nalso .*`)
)

// TestProofsAlso: what several models accept, or so many of them, is proven, and the checker
// agrees. It does not if the bound is beyond the nearest answer.
func TestProofsAlso(t *testing.T) {
	t.Parallel()
	for k, kind := range []string{"prices", "directions", "frozen", "limits", "category"} {
		for _, norm := range instance.Norms() {
			t.Run(fmt.Sprintf("%s/norm=%v", kind, norm), func(t *testing.T) {
				t.Parallel()
				proven, quorums, refused := 0, 0, 0
				for number := range uint64(racetest.Count(60, 2000)) {
					draw := instance.DrawJoint
					if number%2 == 1 {
						draw = instance.DrawQuorums
					}
					in := draw(t,
						rand.New(rand.NewPCG(number, uint64(4800+10*k)+uint64(norm))), kind, norm)
					truth := in.Nearest(func([]int) bool { return true })
					a := &attack.RegionBased{Classifier: in.C, Options: in.Options()}
					var text bytes.Buffer
					r, err := instance.Prove(t.Context(), a, in.X, &text)
					if errors.Is(err, errors.ErrUnsupported) { // a category without codes
						continue
					}
					if err != nil || text.Len() == 0 {
						if err != nil || r.Bound > 0 {
							t.Fatalf("instance %d: %+v, %v\n%+v", number, r, err, in)
						}
						continue
					}
					claims, err := checkedWith(t, in, text.Bytes())
					if err != nil || len(claims) != 1 || alsoLine.Match(text.Bytes()) &&
						claims[0].Covered ||
						claims[0].Bound > truth+1e-12*max(1, truth) {
						t.Fatalf("instance %d: %v, %+v, the nearest is at %v\n%s\n%+v",
							number, err, claims, truth, &text, in)
					}
					if proven++; math.IsInf(truth, 1) {
						continue
					}
					if !claims[0].Settled {
						t.Fatalf("instance %d: the radius %v is not settled: %+v\n%+v",
							number, truth, claims[0], in)
					}
					if number%2 == 1 {
						quorums++
					}
					beyond := fmt.Appendf(nil, "\nbound %x", truth*(1+1e-6))
					forged := boundLine.ReplaceAll(text.Bytes(), beyond)
					forged = exampleLine.ReplaceAll(forged, nil)
					if _, err := checkedWith(t, in, forged); err == nil {
						t.Fatalf("instance %d: accepted, and the nearest is at %v\n%s\n%+v",
							number, truth, forged, in)
					}
					refused++
				}
				if (proven == 0 || quorums == 0 || refused == 0) && !racetest.Enabled {
					t.Errorf("%d proofs, %d with quorums, %d refused", proven, quorums, refused)
				}
			})
		}
	}
}

// TestProofOfFewModels: a Writer that lacks the sum of another model is refused before a search.
func TestProofOfFewModels(t *testing.T) {
	member := func(threshold float64) attack.Requirement {
		leaf := func(v ...float64) classifier.TreeNode {
			return classifier.TreeNode{Feature: -1, Left: -1, Right: -1, Value: v}
		}
		c, err := classifier.NewTree(1, classifier.AtMostFloat64, []classifier.TreeNode{
			{Threshold: threshold, Left: 1, Right: 2, Value: []float64{1, 1}},
			leaf(1, 0), leaf(0, 1),
		})
		if err != nil {
			t.Fatal(err)
		}
		return attack.Requirement{Classifier: c, Labels: []int{1}}
	}
	var text bytes.Buffer
	a := &attack.RegionBased{Classifier: member(1).Classifier, Options: attack.Options{
		Also:  []attack.Requirement{member(2), member(3)},
		Proof: proof.NewWriter(&text, [32]byte{}, [32]byte{1}),
	}}
	r, err := a.Perturb(t.Context(), []float64{0})
	if !errors.Is(err, classifier.ErrOption) || r.Nodes != 0 || text.Len() != 0 {
		t.Errorf("%+v, %v, %d bytes", r, err, text.Len())
	}
	a.Proof = proof.NewWriter(&text, [32]byte{}, [32]byte{1}, [32]byte{2})
	if r, err = a.Perturb(t.Context(), []float64{0}); err != nil || text.Len() == 0 {
		t.Errorf("%+v, %v, %d bytes", r, err, text.Len())
	}
}
