package bipartite

import (
	"context"
	"fmt"
)

// pollEvery is the number of steps, each of them a call of Find, between two
// looks at the context: enough to make the looks free where a call takes some
// nanoseconds, few enough where each scans a large set and takes milliseconds.
const pollEvery = 1 << 3

// poll looks at a context once in a while, at the first step too.
type poll struct {
	ctx   context.Context
	steps int
}

// step accounts for a step and returns the context's error when it is time to
// look and the context is done.
func (p *poll) step() error {
	p.steps++
	if p.steps%pollEvery != 1 {
		return nil
	}
	if err := p.ctx.Err(); err != nil {
		return fmt.Errorf("bipartite: %w", err)
	}
	return nil
}
