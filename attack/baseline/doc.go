// Package baseline holds the attacks that the paper compares the region-based attack
// with (Yang et al., AISTATS 2020, table 1): Direct and Kernel on nearest neighbours,
// BlackBox on anything that predicts, Papernot on trees.
//
// The Bound of their results is 0, since they prove none. An example is always one that the
// classifier's own Predict labels as the attack says. Errors are the sentinels of package attack.
//
// All of them may be used by many goroutines at once.
package baseline
