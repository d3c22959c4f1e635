// Command proofs measures what proofs cost: it attacks the points of the paper's protocol, with and
// without writing proofs, replays the proofs with the independent checker, and prints how many
// there are, their bytes, and the seconds of each step.
//
//	go run ./examples/proofs
//	go run ./examples/proofs --data australian,diabetes --models 3nn,forest --norms inf,2 --points 100
//	go run ./examples/proofs --data australian --models large --norms inf
//
// A set is trained as in the paper: 1-NN, 3-NN and 5-NN, a tree of depth 5, and 100 of them; "large" is 500 trees of
// depth 10. Every step is done three times for each point, and the fastest counts. A program that refuses a proof
// ends with status 1.
package main
