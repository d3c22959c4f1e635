// Package instance draws the instances of the tests of attacks: small random classifiers biased to
// trouble, with a query, a target and a domain, and checks the results.
package instance

import (
	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Norms are all norms.
func Norms() []polytope.Norm { return []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} }

// Changes stands beside norms for attack.Options.Changes.
const Changes polytope.Norm = 3

// Measures are all norms and Changes.
func Measures() []polytope.Norm { return append(Norms(), Changes) }

// Measure returns options with a norm, or Changes.
func Measure(norm polytope.Norm, o attack.Options) attack.Options {
	if o.Norm = norm; norm == Changes {
		o.Norm, o.Changes = polytope.LInf, true
	}
	return o
}

// Count returns how many to compare: few of all at every run.
func Count(few, all int) int { return racetest.Count(few, all) }
