// Package trial measures what an exact attack costs: it attacks test points of one of
// the paper's sets within a time limit, writes a line for each, and sums up how many
// are proven, how far apart distance and bound are for the others, time and memory.
// It is what examples/ensembles and examples/neighbors have in common.
//
// # Data
//
// -data names one of the paper's sets, prepared as in the paper: mnist17 (MNIST 1
// versus 7 on 25 principal components), f-mnist35 and f-mnist06 (Fashion-MNIST),
// australian, cancer, covtype, diabetes, fourclass, or halfmoon, which is generated.
// The others are read from the folder that -folder names, or else the variable
// FACET_DATA, or else the one that examples/datasets downloads to; the files of
// Fashion-MNIST lie in its subfolder fashion-mnist. Where the training images
// are missing the test images make do, and the output says so.
//
// The points are the first of the 100 that the paper's protocol draws from
// those classified correctly, or, when there are fewer than 100, of all of them.
//
// # Output
//
// -out gets a line of tab-separated values for each point, as points finish:
//
//	row predicted status distance bound adversarial_label nodes solves ms
//
// row counts within the test part. Status is optimal (the search finished), none
// (proven: no input has another label) or limit (bound ≤ radius ≤ distance;
// distance is inf, and the label -1, when no example was found).
//
// The table sums them up. The mean distance leaves out points without an example;
// the gap of a point is the part of its distance that is not proven,
// (distance − bound)/distance, and 1 without an example.
//
// Peak memory is the largest resident set of the program while it attacks (VmHWM of
// /proc/self/status). Where the system does not let it forget the peak of reading
// and training, that is counted too, and the output says so; where there is no
// such file, it is all memory that Go's runtime has mapped.
package trial
