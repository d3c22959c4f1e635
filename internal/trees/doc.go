// Package trees holds decision trees and their votes as plain data: the types that axis-parallel
// and oblique trees share, beneath the public types and the searches.
//
// A [Shape] has the children and the values of the nodes; it is checked once, for trees of both
// kinds. An [Axis] tree is a shape whose inner nodes compare one feature with a threshold; those of
// an [Oblique] tree compare a sum of features, and a [Split] is such a test in the form that cells
// are made of. A [Border] is where the inputs that go left end on the real line, in any arithmetic
// of the [Comparison].
//
// An [Ensemble] is trees of one kind and their [Vote]: every tree contributes the values
// of the leaf that x reaches, they are added up in the order of the trees, and the vote
// turns the sums into a label. [Sums] is the part of it that does not walk trees.
//
// Searches bound the [Margin] of one label over another. Every tree adds the gain of a leaf
// to it. Within a radius a tree can choose among some of its leaves; a [Sweep] lets the
// radius grow from one better leaf to the next until the sum of the best gains could win.
package trees
