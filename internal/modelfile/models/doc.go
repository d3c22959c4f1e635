// Package models holds the content of a file of a model, as plain data, and the parts that the
// readers of all formats share.
//
// A reader turns a file into a [Model]: nodes, how they compare, how the trees vote. A key that a
// new version of a library adds may change the predictions, so that a reader knows all keys, lines
// and attributes: those that it reads, and those that may not matter. It refuses any other
// ([Library.Unknown]).
//
// Files are not trusted. [DecodeJSON] refuses JSON with keys that are unknown or repeated, and a
// null among numbers. Numbers in a file ask for no more memory than [MostValues] values a byte
// ([Model.Spread]), and features for no more than [MostFeatures]. [Ordered] numbers nodes anew
// where a format lets children come before parents. A trees.Fault says where a file is wrong.
//
// Tests that one threshold does not say, of sets of categories or of ranges that count as
// missing, become tests of several ([TestEnds]).
//
// For example a boosted tree whose nodes have the values 0 and 1 and 2, and which adds to
// class 1 of three, has the values [0 0 0], [0 1 0] and [0 2 0] by [Model.Each].
package models
