// Package racetest tells tests whether the race detector is on. It slows
// arithmetic down by a factor of ten or so; tests of many random instances
// then take a tenth of them, by Scale, and lose no kind of instance.
package racetest

// Scale returns n, or n/10 but at least 1 under the race detector.
func Scale(n int) int {
	if !Enabled {
		return n
	}
	return max(1, n/10)
}
