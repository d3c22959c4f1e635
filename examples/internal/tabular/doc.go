// Package tabular reads the files that people have: tables of numbers with a column of labels,
// named or not, in any of the usual ways to write them.
//
// # Tables
//
// Load reads the files of a run and brings them to the same features: columns with names are
// matched by name, LIBSVM rows, which leave out zeros, are widened. A decision on the user's behalf
// is a sentence in Notes; a choice that cannot be made is an error with advice in terms of the
// command's flags.
//
// # Labels
//
// Labels are numbers or words. Classes numbers them: those of a training set ascending, those of a
// model in its order.
//
// # Conventions
//
// Rows and columns count from 0; lines of a file count from 1.
package tabular
