// Package nnindex is a k-d tree over points in R^d for exact Euclidean neighbour
// queries: the k nearest points, and all points within a radius.
//
// Points are copied into one flat array, leaf by leaf, so that a leaf is one run
// of memory. Every node keeps the bounding box of its points. Squared distances
// are all summed in one order, so that the squared distance to a node's box never
// exceeds, not even by a rounding error, that to a point in it: queries are exact
// for the distances that Squared computes, ties included.
//
// Leaves are measured many rows at a time. On amd64 with AVX assembly does that, with the
// operations of the Go code in the same order and without fused ones, so that results are
// equal to the last bit on all machines; the tag purego leaves it out.
package nnindex
