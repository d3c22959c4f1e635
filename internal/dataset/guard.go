package dataset

import (
	"context"
	"fmt"
	"io"
)

// Guard returns a reader that fails with an error that wraps ErrLimit after more bytes of r than
// the limits allow, and with the context's once that is done.
func Guard(ctx context.Context, r io.Reader, limits Limits) io.Reader {
	return &guard{ctx: ctx, r: r, limits: limits, left: limits.bytes()}
}

type guard struct {
	ctx    context.Context
	r      io.Reader
	limits Limits
	left   int64 // bytes; negative: there were too many
}

func (g *guard) Read(p []byte) (int, error) {
	if err := g.ctx.Err(); err != nil {
		return 0, err
	}
	if g.left < 0 {
		return 0, fmt.Errorf("%w: more than %d bytes of contents, at most so many are allowed within the limit of %d values",
			ErrLimit, g.limits.bytes(), g.limits.values())
	}
	if int64(len(p)) > g.left+1 {
		p = p[:g.left+1]
	}
	n, err := g.r.Read(p)
	g.left -= int64(n)
	return n, err
}
