package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
)

// peak measures the largest size that the program has.
type peak struct {
	attacking bool // reading and training are not counted
}

// newPeak forgets what reading and training took, where the system lets it (Linux,
// clear_refs in proc(5)).
func newPeak() *peak {
	debug.FreeOSMemory()
	err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	return &peak{attacking: err == nil}
}

// String returns the peak in MiB.
func (p *peak) String() string {
	bytes := peakResident("/proc/self/status")
	if bytes == 0 {
		bytes = mapped()
	}
	when := "with reading and training"
	if p.attacking {
		when = "while attacking"
	}
	return fmt.Sprintf("%d MiB %s", bytes>>20, when)
}

// peakResident returns the VmHWM of Linux in bytes, 0 where there is none.
func peakResident(path string) uint64 {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var kilobytes uint64
		if n, _ := fmt.Sscanf(lines.Text(), "VmHWM: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	return 0
}

// mapped returns what Go's runtime has mapped, which does not shrink.
func mapped() uint64 {
	total := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(total)
	return total[0].Value.Uint64()
}
