// Datasets says which of the paper's data sets are there, and downloads them from
// their publishers:
//
//	go run ./examples/datasets
//	go run ./examples/datasets -download all
//	go run ./examples/datasets -download covtype,mnist17
//
// Without -download it lists, for every file of the nine sets, whether it is there,
// how large it is, whether it holds what the publisher's does, and where it lies.
// Files are known by the checksum of what they hold, whatever compressed them; of
// Fashion-MNIST only that of the published, compressed file is on record. Covtype is
// known by its rows: UCI's covtype.data stands for the LIBSVM page's file.
// Files are looked for in the folder that the variable FACET_DATA names, then in
// facet/data in the user's cache, which -dir replaces and to which files are
// downloaded. Halfmoon is generated and needs no file.
//
// A file appears under its name only when it is complete and its checksum is the
// known one. What is there of an unfinished file is kept in NAME.part, and the same
// command goes on from there, after Ctrl-C or a lost connection too. A file that was
// altered is kept as NAME.bad, for a look at it. A file that cannot be had does not
// keep the others from being downloaded.
//
// The program exits with 0, with 1 when the work failed, with a sentence on standard
// error for each file, or with 2 when it was called wrongly.
package main
