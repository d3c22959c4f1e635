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

// times are those of a run whose rows are yet to be added up.
func (c *clock) times() times {
	return times{WallSeconds: c.wall, ProcessorSeconds: c.processor}
}

func (c *clock) stop() {
	c.wall = time.Since(c.start).Seconds()
	c.processor += processorSeconds()
}
