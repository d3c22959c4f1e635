// Neighbors measures how the time for the nearest adversarial example of k-nearest neighbours grows
// with the number of training rows:
//
//	go run ./examples/neighbors [flags]
//
// Run it with -help for the flags. What one training set takes, facet attack measures.
//
// It draws training rows from two normals of variance 1 in 10 dimensions that
// overlap, that of class 1 shifted by 2 in the first coordinate, or, with -clusters, from 16
// clusters far apart, eight a class, whose points lie farther from the other
// class and take longer. The same queries are attacked at each size, one at a time on
// one core, and smaller training sets are the beginning of larger ones. The
// table shows the time to build the classifier as well, and its memory with that of
// the training rows.
//
// The exponent e is that of the line with the least squares through (log n, log median
// time): time grows like n^e. A query that meets the time limit counts with the time
// it had, so that the exponent means something only where most are proven. -out gets
// a picture, PNG or SVG by its suffix; that of docs comes from
//
//	go run ./examples/neighbors -out docs/inside/knn-growth.png
package main
