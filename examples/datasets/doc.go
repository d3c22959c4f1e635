// Datasets says which of the paper's data sets are there, and downloads them from
// their publishers:
//
//	go run ./examples/datasets
//	go run ./examples/datasets -download all
//	go run ./examples/datasets -download covtype,mnist17
//	go run ./examples/datasets -prepare diabetes -to work
//
// Without -download it lists, for every file of the nine sets, whether it is there,
// how large it is, whether its contents are the publisher's, and where it lies. Files are known by
// the checksum of their contents, however compressed; of Fashion-MNIST only that of the published,
// compressed file is on record. Covtype is known by its rows: UCI's covtype.data stands for the
// LIBSVM page's file, and has the seven classes of covtype500, on which examples/robust compares.
// Files are looked for in the folder that the variable FACET_DATA names, then in facet/data in the
// user's cache, which -dir replaces and to which files are downloaded. Halfmoon is generated and
// needs no file.
//
// A file appears under its name only when it is complete and its checksum is the
// known one. What is there of an unfinished file is kept in NAME.part, and the same
// command goes on from there, after Ctrl-C or a lost connection too. A file that was
// altered is kept as NAME.bad, for a look at it. A file that cannot be had does not
// keep the others from being downloaded.
//
// -prepare writes a set as the paper's experiments use it, split, shuffled and scaled: train_x.npy,
// train_y.npy, test_x.npy and test_y.npy in the folder -to, for facet and for any library that
// trains. With -model FILE, a model trained on them, rows.txt has the test rows that the
// experiments attack of it, so that facet measures the same as the paper:
//
//	facet train --train work/train_x.npy --train-labels work/train_y.npy \
//		--model forest --save work/model.json
//	go run ./examples/datasets -prepare diabetes -to work -model work/model.json
//	facet attack --model work/model.json --test work/test_x.npy \
//		--test-labels work/test_y.npy --rows work/rows.txt --summary work/summary.json
//
// The program exits with 0, with 1 when the work failed, with a sentence on standard
// error for each file, with 2 when it was called wrongly, or with 3 when it was
// interrupted.
package main
