package main

import "github.com/seed-1a7dc1f9/facet/classifier"

// contender is a classifier of the paper, and what its table for halfmoon says.
type contender struct {
	name    string // in the table
	long    string // in a title
	slug    string // of its picture
	trainer classifier.Trainer
	printed []printed // one for each of separations
}

// printed is a row of the paper's tables 4 (1-NN), 5 (3-NN), 6 (tree) and 7 (forest), in thousandths where
// they print three decimals. A zero is a cell without a number.
type printed struct {
	rows                   int
	accuracy, er, defscore int
}

// separations are the r of the tables: differently labelled training points at
// most r apart conflict. 0 stands for no pruning.
var separations = []float64{0, 0.1, 0.3, 0.5}

// shown is the separation that the pictures compare with no pruning.
const shown = 0.3

// contenders are the classifiers in the order of the table.
var contenders = []contender{
	{"1-NN", "1-nearest-neighbour classifier", "1nn", classifier.KNNOptions{K: 1}, []printed{
		{2000, 920, 58, 0},
		{1702, 915, 151, 2603},
		{1144, 840, 161, 2776},
		{1004, 480, 0, 0},
	}},
	{"3-NN", "3-nearest-neighbour classifier", "3nn", classifier.KNNOptions{K: 3}, []printed{
		{2000, 940, 96, 0},
		{1702, 920, 159, 1656},
		{1144, 845, 184, 1917},
		{1004, 480, 0, 0},
	}},
	{"tree", "decision tree", "tree", classifier.TreeOptions{MaxDepth: 5}, []printed{
		{2000, 950, 85, 0},
		{1702, 895, 167, 1965},
		{1144, 670, 219, 2576},
		{1004, 480, 0, 0},
	}},
	{"forest", "random forest", "forest", classifier.ForestOptions{TreeOptions: classifier.TreeOptions{MaxDepth: 5}}, []printed{
		{2000, 930, 149, 0},
		{1702, 900, 198, 1329},
		{1144, 755, 271, 1819},
		{1004, 480, 0, 0},
	}},
}
