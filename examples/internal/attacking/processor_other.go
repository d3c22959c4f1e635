//go:build !unix && !windows

package attacking

// processorSeconds is 0 where no system counts the time of processors: in a browser, say.
func processorSeconds() float64 { return 0 }
