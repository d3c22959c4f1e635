// Package dataset reads, generates, splits and scales the rows that
// experiments train on and attack.
//
// # Files
//
// Load reads LIBSVM text, plain or compressed by gzip or bzip2, LoadImages some classes of a
// pair of IDX files; EachRow and EachRecord keep no rows. ReadLIBSVM, ReadNPY and ReadIDX read one
// stream each: LIBSVM rows leave out zeros and may count features from 0 or from 1, so train and
// test file have to be looked at together. examples/internal/tabular reads the files that users
// have.
//
// Reading is strict. Every value of a Set that was read is finite, a malformed
// line is an error that names file, line and token, and no partial data comes
// with an error. A feature beyond MaxFeatures is refused with ErrTooLarge, and a file that holds or
// announces more than Limits allow with ErrLimit, before memory is spent on it. A context that is
// done ends reading within some kilobytes of contents.
//
// # The paper's protocol
//
// Split, MinMax, Attacked, Moons and PCA repeat the arithmetic and the draws of
// the paper's experiments (numpy and scikit-learn): rows, scaled values and chosen
// points are equal bit for bit, generated points to 1e-15, principal components
// to 1e-10.
//
// # Conventions
//
// Rows and features count from 0; lines of a file count from 1. Labels are the
// numbers of the file; Number maps them to 0..C-1.
//
// # Concurrency
//
// Sets and scalings may be read by many goroutines at once.
package dataset
