// Package memory measures how large a program becomes.
package memory

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Peak measures the largest size that the program has.
type Peak struct {
	attacking bool // memory before New is not counted
}

// little is a heap of which no part need be given back: many small runs in one process would spend
// most of their time on it.
const little = 16 << 20

// New forgets the memory of reading and training, but for a little, where the system lets it
// (Linux, clear_refs in proc(5)).
func New() *Peak {
	if heap() > little {
		runtime.GC() // a sync.Pool keeps its memory for one more collection
		debug.FreeOSMemory()
	}
	err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	return &Peak{attacking: err == nil}
}

// Of names the subject of the peak.
func (p *Peak) Of() string {
	if p.attacking {
		return "the work"
	}
	return "reading, training and the work"
}

// Bytes returns the peak.
func (p *Peak) Bytes() uint64 {
	if bytes := peakResident("/proc/self/status"); bytes > 0 {
		return bytes
	}
	return mapped()
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

// heap returns how much memory the heap has that was not given back.
func heap() (bytes uint64) {
	parts := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(parts)
	for _, p := range parts {
		bytes += p.Value.Uint64()
	}
	return bytes
}

// mapped returns the memory that Go's runtime has mapped, which does not shrink.
func mapped() uint64 {
	total := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(total)
	return total[0].Value.Uint64()
}
