// Package checkers compares the two checkers of proofs, attack/proof and check_proofs.py, on
// proofs that the attack writes and on changed copies of them.
//
//	go test ./internal/testing/checkers -run TestMutants -v -timeout 0 -mutants 100000
//
// changes proofs of random classifiers, of the fixtures' forests and trees, of models that other
// libraries trained, and of nearest neighbours: a part of the proof is dropped, the bound raised, a
// border moved, a multiplier changed, another model put in, the file cut off or glued, a byte
// changed, or the claim. A changed proof that a checker accepts must still be true, which
// the attack itself is asked: no example that it finds may lie nearer than the bound. The flag
// -python N gives every N-th to the checker in Python as well, whose verdict must be the same.
//
// TestConformance gives the files of attack/proof/testdata to both, and TestOddBytes, with the same
// flag -mutants, files of which some bytes are changed.
package checkers
