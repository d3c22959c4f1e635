package attacking

import (
	"time"
)

// clock measures an attack: by the wall, and on all processors.
type clock struct {
	start           time.Time
	wall, processor float64 // seconds
}

func startClock() *clock { return &clock{start: time.Now(), processor: -processorSeconds()} }

func (c *clock) stop() {
	c.wall = time.Since(c.start).Seconds()
	c.processor += processorSeconds()
}
