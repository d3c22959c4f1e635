package axistree_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

func TestExactTreesAgainstLeaves(t *testing.T) {
	for _, norm := range instance.Norms() {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			compared, found := 0, 0
			for number := range uint64(instance.Count(4000, 12000)) {
				rng := rand.New(rand.NewPCG(number, 200+uint64(norm)))
				in := instance.DrawTree(t, rng)
				if in.Target != nil && *in.Target == in.Tree.Predict(in.Query) {
					continue
				}
				a := &attack.RegionBased{
					Classifier: in.Tree,
					Options: attack.Options{
						Norm:    norm,
						Target:  in.Target,
						Domain:  in.Box,
						Workers: 1,
					},
				}
				if number%4 == 0 {
					a.Classifier = instance.Listed{Decomposable: in.Tree}
				}
				r, err := a.Perturb(t.Context(), in.Query)
				if _, ok := geometry.InsideBox(nil, in.Box, in.Query); !ok {
					if !errors.Is(err, classifier.ErrOption) {
						t.Fatalf("instance %d: a domain without a float64: %v, want ErrOption",
							number, err)
					}
					continue
				}
				if err == nil && in.Box != nil && !r.Optimal() {
					continue // a leaf between an open end and the next float64
				}
				if err == nil {
					err = checkTree(t, in, norm, r)
				}
				if err != nil {
					t.Fatalf("instance %d: %v\nquery %v, target %v, box %v, comparison %d, nodes "+
						"%+v",
						number, err, in.Query, in.Target, in.Box, in.Tree.Comparison(),
						in.Tree.Nodes())
				}
				if compared++; r.Example != nil {
					found++
				}
			}
			if want := instance.Count(1600, 5000); compared < want || found < compared/2 {
				t.Errorf("%d instances compared, %d with an example, want %d, half of them",
					compared, found, want)
			}
		})
	}
}
