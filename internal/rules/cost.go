package rules

import (
	"cmp"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
)

// Costs returns what the move from q.X to z costs by feature, allowed or not: that of a group
// by the member that becomes the 1.
func Costs(q *search.Query, z []float64) []float64 {
	costs := make([]float64, len(z))
	for j := range z {
		if q.Features == nil || q.Features[j].Group == 0 {
			m := Of(q, j)
			costs[j] = m.Cost(z[j])
		}
	}
	for _, g := range Groups(q.Features) {
		if hot := g.Hot(z); hot >= 0 && hot != g.Hot(q.X) {
			costs[hot] = cmp.Or(q.Features[hot].Up, 1)
		}
	}
	return costs
}

// Distance returns what the move from q.X to z costs: the distance, without rules.
func Distance(q *search.Query, z []float64) float64 {
	if !Apply(q) {
		return q.Gauge().Distance(q.X, z)
	}
	return Norm(q).Length(Costs(q, z))
}

// Broken returns an error that names the first feature or group with which z breaks the rules.
func Broken(q *search.Query, z []float64) error {
	for j, v := range z {
		if q.Features != nil && q.Features[j].Group > 0 {
			continue
		}
		m := Of(q, j)
		if err := m.Broken(v); err != nil {
			return fmt.Errorf("feature %d %w", j, err)
		}
	}
	for _, g := range Groups(q.Features) {
		if err := g.Broken(q, z); err != nil {
			return err
		}
	}
	return nil
}

// BrokenAt reports whether X itself breaks the rules of a feature, or of its group, so that every
// input that keeps them changes it.
func BrokenAt(q *search.Query, feature int) bool {
	if q.Features != nil && q.Features[feature].Group > 0 {
		for _, g := range Groups(q.Features) {
			if g.Number == q.Features[feature].Group {
				return g.Broken(q, q.X) != nil
			}
		}
	}
	m := Of(q, feature)
	return m.Broken(q.X[feature]) != nil
}
