package instance

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/attack"
)

// Others returns the claim about counterfactuals beyond those that were found, as a result.
func Others(all attack.Counterfactuals) attack.Result {
	return attack.Result{
		Label: -1, Distance: math.Inf(1), Bound: all.Bound, Status: all.Status,
	}
}
