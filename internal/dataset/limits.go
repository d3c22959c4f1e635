package dataset

import (
	"context"
	"fmt"
	"io"
)

// Limits keep a short or hostile file from claiming the whole memory or running for
// hours. The zero value leaves room for the largest sets of the paper, MNIST with
// 70,000 × 784 values and covtype with 581,012 × 54.
type Limits struct {
	// Values is the largest number of values of a file, or of a set that is made of it:
	// rows × features. Of a LIBSVM file the numbers in it count: labels, indices and
	// values. 0 stands for DefaultValues.
	//
	// A quarter as many rows are allowed, and 16 bytes for each value of a file's contents,
	// uncompressed. Reading takes up to some 30 bytes of memory for each value.
	Values int
}

const (
	// DefaultValues stands for no limit given: 2²⁶, 512 MiB of float64, of at most 2²⁴ rows in
	// 1 GiB of text.
	DefaultValues = 1 << 26

	// MaxFeatures is the largest number of features.
	MaxFeatures = 1 << 20

	// valueBytes is room for one value of a text file.
	valueBytes = 16

	// maxLine is the longest line of a text file in bytes.
	maxLine = valueBytes * MaxFeatures

	// rowValues is the number of values for which the memory of a row beside its
	// values stands.
	rowValues = 4
)

func (l Limits) values() int {
	if l.Values == 0 {
		return DefaultValues
	}
	return l.Values
}

func (l Limits) rows() int { return l.values() / rowValues }

func (l Limits) bytes() int64 { return valueBytes * int64(l.values()) }

// Check returns an error unless rows × features is a size that may be allocated and
// holds at least one value.
func (l Limits) Check(rows, features int) error {
	switch err := checkSome(rows, features); {
	case err != nil:
		return err
	case features > MaxFeatures:
		return fmt.Errorf("%w: %d features, at most %d are allowed",
			ErrTooLarge, features, MaxFeatures)
	case rows > l.rows():
		return fmt.Errorf("%w: %d rows, at most %d are allowed within the limit of %d values",
			ErrLimit, rows, l.rows(), l.values())
	case rows > l.values()/features:
		return fmt.Errorf("%w: %d rows of %d features, at most %d values are allowed",
			ErrLimit, rows, features, l.values())
	}
	return nil
}

// checkSome returns an error unless there are rows and features.
func checkSome(rows, features int) error {
	switch {
	case rows <= 0:
		return fmt.Errorf("%w: there are no rows", ErrEmpty)
	case features <= 0:
		return fmt.Errorf("%w: the rows have no features", ErrEmpty)
	}
	return nil
}

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
		return 0, fmt.Errorf("%w: more than %d bytes of contents, at most so many are allowed "+
			"within the limit of %d values",
			ErrLimit, g.limits.bytes(), g.limits.values())
	}
	if int64(len(p)) > g.left+1 {
		p = p[:g.left+1]
	}
	n, err := g.r.Read(p)
	g.left -= int64(n)
	return n, err
}
