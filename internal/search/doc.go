// Package search is the vocabulary in which engines search the cells of a classifier, nearest
// first, instead of having all of them projected on.
//
// # Tasks of a searcher
//
// A Query asks for the nearest input with another label. The classifier answers it
// with a Search, a tree of nodes: each Node stands for a set of cells and has a
// certified lower bound on their distances. The attack opens nodes in the order of
// (Bound, Order), on several goroutines, each with an Opener of its own; an opened
// node brings its children, or an Answer, which is a cell and a point of it.
//
// # Promises
//
// The roots cover every cell that answers. A child is bounded no lower than its
// parent, an answer no lower than the node that brought it, and never higher than the
// cell lies. Children and answers depend on the node alone, and not on
// its Cache, apart from those that the cutoff leaves out: then the answer of the whole
// search depends neither on the number of workers nor on scheduling.
//
// An Opener that cannot decide about a node returns an Undecided; the search goes on
// as far as the proof allows.
package search
