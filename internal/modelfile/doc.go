// Package modelfile reads models from files as plain data, and writes facet's own.
//
// # Formats
//
// [Read] tells the formats apart by how a file begins and by its keys. Each is a line of the table
// formats, and a package below this one, whose doc.go describes the file. Those that facet writes
// itself are files of this package: sklearn.go the JSON of export_sklearn.py, facet.go that of
// [Write] or by hand, arrays.go a line of JSON and arrays, of export_sklearn.py.
//
// A format reads the text into a models.Model.
// Libraries differ in their arithmetic, not only in their syntax: docs/use/models.md has the
// table. A new format says how to recognise it (owns) and how to read it (read); package trees
// checks every tree, so that it need not.
//
// # What all share
//
// The text is at most 1 GiB. Package models has the functions that readers share, and the limits of
// files.
//
// For example the first tree of an XGBoost file with left_children [1,-1,-1],
// right_children [2,-1,-1], split_indices [0,0,0] and split_conditions [0.5,-1,1] becomes
// three nodes: x₀ < 0.5 in float32, and leaves that add −1 and 1 to the margin of label
// 1. testdata/transcript.txt shows a file of each format beside its model.
//
// # Sources
//
// scikit-learn: sklearn/tree/_tree.pyx and sklearn/ensemble/_gb.py.
package modelfile
