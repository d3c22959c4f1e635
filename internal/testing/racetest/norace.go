//go:build !race

package racetest

// Enabled tells that the race detector is off.
const Enabled = false
