package cart

import (
	"context"
	"fmt"
	"math"
)

// features says in which order features are tried, as scikit-learn's BestSplitter
// does: they are drawn without replacement by a small generator, and those found
// constant in a node are not drawn again below it.
type features struct {
	random   uint32   // the state of the generator
	order    []uint32 // drawn ones at the end, constant ones in front
	constant []uint32 // the constant features in the order they were found
}

func newFeatures(dim int) features {
	return features{order: make([]uint32, dim), constant: make([]uint32, dim)}
}

// start prepares for another tree.
func (f *features) start(random uint32) {
	f.random = random
	for j := range f.order {
		f.order[j] = uint32(j)
	}
}

// randMax is the largest number of the generator.
const randMax = 1<<31 - 1

// draw returns the next number of the generator, a 32-bit xorshift (Marsaglia,
// "Xorshift RNGs", 2003).
func (f *features) draw() uint32 {
	if f.random == 0 {
		f.random = 1
	}
	f.random ^= f.random << 13
	f.random ^= f.random >> 17
	f.random ^= f.random << 5
	return f.random % (randMax + 1)
}

// bestSplit returns the best split of a node, one of no samples if there is none.
// It tries features until none is left that may vary, and counts those that do not.
func (g *grower) bestSplit(ctx context.Context, n *node) (best, error) {
	f, b := &g.features, best{split: split{score: math.Inf(-1)}, left: g.bestLeft}
	rest, known, constants := len(f.order), n.constants, n.constants
	var visited, drawnConstants, foundConstants int
	for rest > constants &&
		(visited < g.options.MaxFeatures || visited <= foundConstants+drawnConstants) {
		visited++
		j := drawnConstants + int(f.draw()%uint32(rest-foundConstants-drawnConstants))
		if j < known {
			f.order[drawnConstants], f.order[j] = f.order[j], f.order[drawnConstants]
			drawnConstants++
			continue
		}
		if err := g.interrupted(ctx, n.len()+len(n.total)); err != nil {
			return b, err
		}
		j += foundConstants
		varies, err := g.try(ctx, n, f.order[j], &b)
		if err != nil {
			return b, err
		}
		if !varies {
			f.order[j], f.order[constants] = f.order[constants], f.order[j]
			foundConstants++
			constants++
			continue
		}
		rest--
		f.order[rest], f.order[j] = f.order[j], f.order[rest]
	}
	copy(f.order[:known], f.constant[:known])
	copy(f.constant[known:constants], f.order[known:constants])
	n.constants = constants
	return b, nil
}

// patience is how many rows and classes are looked at between two looks at the
// context.
const patience = 1 << 16

// interrupted looks at the context once in a while, before the work on so many
// rows and classes.
func (g *grower) interrupted(ctx context.Context, work int) error {
	if g.work += work; g.work < patience {
		return nil
	}
	g.work = 0
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("training: %w", err)
	}
	return nil
}
