package attacking

import (
	"time"

	"github.com/seed-1a7dc1f9/facet/examples/internal/memory"
)

// clock measures an attack: by the wall, on all processors, and the memory that it takes.
type clock struct {
	start           time.Time
	wall, processor float64 // seconds
	memory          *memory.Peak
}

func startClock() *clock {
	peak := memory.New()
	return &clock{start: time.Now(), processor: -processorSeconds(), memory: peak}
}

func (c *clock) stop() {
	c.wall = time.Since(c.start).Seconds()
	c.processor += processorSeconds()
}
