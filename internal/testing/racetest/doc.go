// Package racetest tells how many random instances a test compares: a part of them at
// every run, all of them with the flag -full, and fewest under the race detector, which
// slows arithmetic down by a factor of ten or so. No kind of instance is lost by it.
package racetest

import "flag"

// full asks for all the random instances and points, which take minutes. A part of them runs each
// time; all of them are for a change of a search.
var full = flag.Bool("full", false, "compare all the instances, for minutes")

// Scale returns how many of n instances to compare: a twelfth, a tenth under the race
// detector, but at least one.
func Scale(n int) int {
	if Enabled {
		return Count(n, n)
	}
	return Count(max(1, n/12), n)
}

// Count returns how many instances to compare: few of all, and a tenth of the few, but at
// least one of any, under the race detector.
func Count(few, all int) int {
	switch {
	case *full:
		return all
	case Enabled:
		return min(few, max(1, few/10))
	}
	return few
}
