// Neighbors measures what the nearest adversarial example of k-nearest neighbours
// costs, found and proven:
//
//	go run ./examples/neighbors -data australian -k 3,5,7 [flags]
//	go run ./examples/neighbors -growth [flags]
//
// The first form attacks the points of a data set that the paper attacks, for each k
// within a time limit, and prints how many are proven, how far apart distance and
// proven bound are for the others, time and memory. The second measures how time
// grows with the number of training rows. Run it with -help for the flags.
//
// The sets of -data, the choice of points, the lines of -out, which begin with k and the norm, and
// what the table sums up for each k are described in package trial.
//
// # Growth
//
// -growth draws training rows from two normals of variance 1 in 10 dimensions that
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
//	go run ./examples/neighbors -growth -out docs/knn-growth.png
package main
