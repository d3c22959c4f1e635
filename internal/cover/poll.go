package cover

import "context"

// pollEvery is the number of vertices or cliques, each some microseconds of work in the
// largest graphs, between two looks at the context.
const pollEvery = 1 << 6

// poll looks at a context once in a while.
type poll struct {
	ctx   context.Context
	steps int // since the last look
}

// ended accounts for a step and reports whether the context was seen to be done.
func (p *poll) ended() bool {
	if p.steps++; p.steps < pollEvery {
		return false
	}
	if p.ctx.Err() == nil {
		p.steps = 0
		return false
	}
	return true // and at every step that follows
}
