package instance

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
)

// SameInput reports whether two inputs are the same, missing values included.
func SameInput(a, b []float64) bool {
	return slices.EqualFunc(a, b,
		func(v, w float64) bool { return v == w || (math.IsNaN(v) && math.IsNaN(w)) })
}

// Broken returns an error if an input breaks the rules.
func (in *Ruled) Broken(z []float64) error {
	features, choices := in.choicesOf()
	for i, members := range features {
		j := members[0]
		r, v := in.Rules[j], make([]float64, len(members))
		for k, j := range members {
			v[k] = z[j]
		}
		lo, hi := in.ends(j)
		switch {
		case slices.ContainsFunc(choices[i], func(c choice) bool { return SameInput(c.values, v) }):
		case r.Group == 0 && !r.Frozen && (r.Step > 0 || r.Categorical) &&
			slices.Contains(in.values(j), z[j]):
		case r.Group == 0 && !r.Frozen && r.Step == 0 && !r.Categorical && z[j] >= lo &&
			z[j] <= hi && in.cost(j, z[j]) < math.Inf(1):
		default:
			return fmt.Errorf("features %v must not be %v", members, v)
		}
	}
	return nil
}

// Changes returns the features, or the first ones of groups, that z changes.
func (in *Ruled) Changes(z []float64) (changed []int) {
	features, _ := in.choicesOf()
	for _, members := range features {
		if slices.ContainsFunc(
			members, func(j int) bool { return !SameInput(z[j:j+1], in.X[j:j+1]) },
		) {
			changed = append(changed, members[0])
		}
	}
	return changed
}

// Units lists the features, and the groups, that an input may have as X does and need not: X keeps
// the rules about them, and they are not frozen.
func (in *Ruled) Units() (units [][]int) {
	features, choices := in.choicesOf()
	for i, members := range features {
		values, fixed := make([]float64, len(members)), true
		for k, j := range members {
			values[k] = in.X[j]
			stays := math.IsNaN(in.X[j]) && in.Rules[j].Missing == attack.KeepMissing
			fixed = fixed && (in.Rules[j].Frozen || stays)
		}
		allowed := func(c choice) bool { return SameInput(c.values, values) }
		if !fixed && slices.ContainsFunc(choices[i], allowed) {
			units = append(units, members)
		}
	}
	return units
}
