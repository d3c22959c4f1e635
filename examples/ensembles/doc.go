// Ensembles measures of how many points a large ensemble of trees the nearest
// adversarial example is found and proven within a time limit:
//
//	go run ./examples/ensembles -folder DIR [flags]
//
// It trains a random forest (or reads a model trained elsewhere), attacks test
// points that it classifies correctly exactly, and prints how many are proven, how
// far apart distance and proven bound are for the others, and what it cost. Run it
// with -help for the flags.
//
// The sets of -data, the choice of points, the lines of -out and what the table sums up are
// described in package trial.
//
// # Models from elsewhere
//
// -dump DIR writes the prepared rows as NPY files and stops. A model trained on
// them, as train_xgboost.py does, is attacked with -model FILE:
//
//	go run ./examples/ensembles -dump out/mnist17
//	python3 examples/ensembles/train_xgboost.py out/mnist17 out/xgboost.json
//	go run ./examples/ensembles -model out/xgboost.json
package main
