package attack_test

import (
	"flag"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// full asks for many more random instances and points, which take minutes: what a part of
// them shows at every run they show more of after a change of a search.
var full = flag.Bool("full", false, "compare all the instances, for minutes")

// instances returns how many to compare: few of all at every run.
func instances(few, all int) int {
	if *full {
		return all
	}
	return racetest.Scale(few)
}
