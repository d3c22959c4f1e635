// Package measure says how the norms and prices of package polytope measure displacements.
package measure

import (
	"github.com/seed-1a7dc1f9/facet/internal/gauge"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Of returns the gauge of a norm and prices, nil for 1.
func Of(norm polytope.Norm, prices *polytope.Prices) gauge.Gauge {
	return gauge.Of(gauge.Norm(norm), (*gauge.Prices)(prices))
}
