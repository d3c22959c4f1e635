package robustsplit_test

import (
	"fmt"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/robustsplit"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
)

func TestX(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		s := c.Set
		er := func(tr classifier.Trainer, approx bool) float64 {
			m, err := tr.Train(t.Context(), s.Train, s.TrainY)
			if err != nil {
				t.Fatal(err)
			}
			correct := make([]bool, len(s.TestY))
			for i, l := range s.TestY {
				correct[i] = m.Predict(s.Test.RawRowView(i)) == l
			}
			at, _ := s.Attacked(correct)
			a := &attack.RegionBased{Classifier: m}
			if approx {
				a.Mode, a.Regions, a.Points = attack.Approx, 100, s.Train
			}
			sum := 0.0
			for _, i := range at {
				r, err := a.Perturb(t.Context(), s.Test.RawRowView(i))
				if err != nil {
					t.Fatal(err)
				}
				sum += r.Distance
			}
			return sum / float64(len(at))
		}
		a := er(robustsplit.Options{MaxDepth: 5, Epsilon: .3}, false)
		b := er(classifier.TreeOptions{MaxDepth: 5}, false)
		fmt.Printf("%s dt %.4f %.4f %.3f\n", s.Name, a, b, a/b)
		a = er(robustsplit.Options{MaxDepth: 5, Epsilon: .3, Trees: 100}, true)
		b = er(classifier.ForestOptions{TreeOptions: classifier.TreeOptions{MaxDepth: 5}}, true)
		fmt.Printf("%s rf %.4f %.4f %.3f\n", s.Name, a, b, a/b)
	})
}
