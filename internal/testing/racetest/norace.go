//go:build !race

package racetest

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// Enabled tells that the race detector is off.
const Enabled = false

// Tests make much garbage and keep little, so that collecting it takes a fifth of their time
// with Go's own setting. Benchmarks keep that setting, because users have it.
func init() {
	benchmark := slices.ContainsFunc(os.Args, func(argument string) bool {
		return strings.HasPrefix(argument, "-test.bench=")
	})
	if os.Getenv("GOGC") == "" && !benchmark {
		debug.SetGCPercent(400)
	}
}
