// Package racetest tells how many random instances a test compares: a few at every
// run, all of them with the flag -full, and a tenth of the few under the race
// detector, which slows arithmetic down by a factor of ten or so. No kind of
// instance is lost by it.
package racetest

import "flag"

// full asks for many more random instances and points, which take minutes: what a part of
// them shows at every run they show more of after a change of a search.
var full = flag.Bool("full", false, "compare all the instances, for minutes")

// Count returns how many to compare: few of all at every run.
func Count(few, all int) int {
	if *full {
		return all
	}
	return Scale(few)
}

// Scale returns n, or n/10 but at least 1 under the race detector.
func Scale(n int) int {
	if !Enabled {
		return n
	}
	return max(1, n/10)
}
