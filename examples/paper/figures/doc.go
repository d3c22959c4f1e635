// Package figures draws the six figures of the paper, from results that an
// experiment.Lab computes or has kept:
//
//  1. decision regions of the four classifiers on halfmoon, before and after pruning
//  2. decompositions into convex cells, with a point and its nearest adversarial example
//  3. accuracy against ℓ∞ perturbation on f-mnist06 and mnist17
//  4. and 5. the same on all nine sets
//  6. images that pruning removes, beside the nearest image with the other label
//
// Each is written as PNG and as SVG. The curves of 3, 4 and 5 are exact: every
// distance is that of a nearest adversarial example. Thin lines show the results of the paper's
// approximate attack where the paper had no exact one.
package figures
