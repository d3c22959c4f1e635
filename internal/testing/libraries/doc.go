// Package libraries asks the machine-learning libraries that are installed whether they
// predict the same as facet from their files, and whether they confirm its adversarial examples.
// Its tests need a Python with these libraries, which package python finds, and take at most a
// minute for each. Recorded models and predictions, beside each reader, need neither.
package libraries
