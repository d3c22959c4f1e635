package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	paper "github.com/seed-1a7dc1f9/facet/examples/internal/printed"
)

// contender is a classifier of the paper.
type contender struct {
	classifier experiment.Classifier
	name       string // in the table
	long       string // in a title
	slug       string // of its picture
}

// full is the study of the paper's Tables 4 to 7, in the order of the table: differently
// labelled training points at most r apart conflict.
func full() *study {
	return &study{
		contenders: []contender{
			{experiment.OneNN, "1-NN", "1-nearest-neighbour classifier", "1nn"},
			{experiment.ThreeNN, "3-NN", "3-nearest-neighbour classifier", "3nn"},
			{experiment.Tree, "tree", "decision tree", "tree"},
			{experiment.Forest, "forest", "random forest", "forest"},
		},
		separations: []float64{0, 0.1, 0.3, 0.5},
	}
}

// shown is the separation that the pictures compare with no pruning.
const shown = 0.3

// printed are the numbers that the paper's Tables 4 (1-NN), 5 (3-NN), 6 (tree) and 7
// (forest) have for a cell; nil where there is none.
type printed struct {
	rows, accuracy, er, defscore *paper.Number
}

// lookUp returns the printed numbers of the contender at a separation.
func (c *contender) lookUp(separation float64) (printed, error) {
	table, err := paper.Load(4 + slices.Index(experiment.Classifiers(), c.classifier))
	if err != nil {
		return printed{}, err
	}
	suffix := ""
	if separation > 0 {
		suffix = "_r" + strconv.FormatFloat(separation, 'g', -1, 64)
	}
	number := func(column string) *paper.Number { return table.Cell("halfmoon", column+suffix) }
	p := printed{number("train"), number("accuracy"), number("er"), number("defscore")}
	if p.rows == nil || p.accuracy == nil {
		return p, fmt.Errorf("no rows or no accuracy are printed for %s%s", c.name, suffix)
	}
	return p, nil
}
