// Paper computes every table and figure of the paper anew, the tables beside the
// printed numbers:
//
//	go run ./examples/paper
//	go run ./examples/paper -table 1,4 -datasets halfmoon,australian -exact -json cells.json
//	go run ./examples/paper -figure all -out pictures
//
// Tables are 1 (attacks), 2 (defences), 3 (data sets) and 4 to 7 (adversarial pruning for
// 1-NN, 3-NN, decision trees and random forests). With -exact, columns that the
// paper could only approximate have a companion with the exact values. Figures are described in
// package figures; they are written to the folder of -out. What takes longest is done with -large
// only. -kept shows the results so far of a run that goes on.
//
// Files of the data sets are looked for in the folder that FACET_DATA names and in
// the one that examples/datasets downloads to; halfmoon is generated. Sets whose
// files are missing are left out unless -datasets names them.
//
// The tables go to standard output, with deviations from print marked, the differences listed by
// cause and counted; progress goes to standard error. -json and -markdown write files. Results of
// each experiment are kept in the folder that -work names, so that a run that was stopped
// continues. Those of another build of the program do not count.
//
// It exits with 0, with 1 when the work failed, or with 2 when it was called wrongly.
package main
