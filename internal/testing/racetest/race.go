//go:build race

package racetest

// Enabled tells that the race detector is on.
const Enabled = true
