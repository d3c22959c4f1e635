package matching

import (
	"context"
	"fmt"
)

// pollEvery is the number of edges walked between two looks at the context:
// some tenths of a millisecond of work.
const pollEvery = 1 << 16

// poll looks at a context once in a while.
type poll struct {
	ctx  context.Context
	work int // edges walked since the last look
}

// after accounts for walked edges and returns the context's error when it is
// time to look and the context is done.
func (p *poll) after(edges int) error {
	p.work += edges
	if p.work < pollEvery {
		return nil
	}
	return p.now()
}

// now looks at the context at once.
func (p *poll) now() error {
	p.work = 0
	if err := p.ctx.Err(); err != nil {
		return fmt.Errorf("matching: %w", err)
	}
	return nil
}
