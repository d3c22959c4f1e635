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
// # Data
//
// -data names one of the paper's sets, prepared as in the paper: halfmoon, which is
// generated, mnist17 (MNIST 1 versus 7 on 25 principal components), australian,
// cancer, covtype, diabetes, fourclass, f-mnist35 or f-mnist06 (Fashion-MNIST). They
// are read from the folder that -folder names, or else the variable FACET_DATA, or
// else the one that examples/datasets downloads to. Where the training images
// are missing the test images make do, and the output says so.
//
// The points are the first of the 100 that the paper's protocol draws from those
// that the classifier, with this k, labels correctly, or, when there are fewer than
// 100, of all of them.
//
// -out gets a line of tab-separated values for each point, as points finish:
//
//	k norm row predicted status distance bound adversarial_label nodes solves ms
//
// row counts within the test part. Status is optimal (the search finished), none
// (proven: no input has another label) or limit (bound ≤ radius ≤ distance;
// distance is inf, and the label -1, when no example was found).
//
// The table has a line for each k. The mean distance leaves out points without an
// example; the gap is the mean, over the points that are not proven, of the part of
// the distance that is not, (distance − bound)/distance, and 1 without an example.
// MiB is the largest resident set while these points are attacked, where the
// system tells (Linux), and else all memory that Go's runtime has mapped.
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
//
// # Exit status
//
// 0 when every point is done, 1 when the work failed or was interrupted, 2 for wrong
// use or input; then one sentence on standard error says why.
package main
