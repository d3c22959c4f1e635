// Package instance draws what the tests of attacks attack: small random classifiers
// biased to trouble, with a query, a target and a domain, and checks what comes back.
package instance

import (
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Norms are all norms.
func Norms() []polytope.Norm { return []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} }

// Count returns how many to compare: few of all at every run.
func Count(few, all int) int { return racetest.Count(few, all) }
