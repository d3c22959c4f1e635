package classifiertest_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/classifier/classifiertest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// frost warns below 0 degrees, and at 0 degrees.
type frost struct{}

func (frost) Dim() int     { return 1 }
func (frost) Classes() int { return 2 }

func (frost) Predict(x []float64) int {
	if x[0] <= 0 {
		return 1
	}
	return 0
}

func (frost) Cells() iter.Seq[classifier.Cell] {
	cold := polytope.HalfSpace{A: []float64{1}, B: 0}
	warm := polytope.HalfSpace{A: []float64{-1}, B: 0} // should be Open
	return slices.Values([]classifier.Cell{
		{Label: 1, Region: polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{cold}}},
		{Label: 0, Region: polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{warm}}},
	})
}

func ExampleTest() {
	err := classifiertest.Test(frost{})
	for part := range strings.SplitSeq(err.Error(), ", ") {
		fmt.Println(part)
	}
	// Output:
	// classifiertest: classifiertest_test.frost: [0] is predicted 1
	// lies in cell 0 of that label
	// and in cell 1 of label 0: they overlap
	// or a side of one should be open
}
