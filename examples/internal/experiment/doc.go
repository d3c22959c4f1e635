// Package experiment repeats the paper's experiments, one at a time: a Subject is
// one of its classifiers, trained on one of its sets after one of its defences, and
// a Run attacks the test points of a subject as one column of the paper's
// tables does.
//
// A Lab trains only the models that it has to and keeps results in a folder, so that a program that
// was stopped continues where it was, and its parts share their results.
//
// The protocol is that of the printed numbers: seed 0, trees of depth 5, forests of
// 100 trees, 100 attacked points among those of the 200 test points that are
// classified correctly, ℓ∞ throughout, and the nearest training point with another
// predicted label for a point on which an attack fails.
package experiment
