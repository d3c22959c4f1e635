// Custom attacks a classifier of one's own. All it takes is the list of the convex
// cells on which the classifier is constant: attack.RegionBased then finds the
// nearest adversarial example, and proves that none is nearer.
//
//	go run ./examples/custom
package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// trafficLight warns a driver: x[0] is the speed in metres a second, x[1] the gap to
// the car ahead in metres. It shows red for a gap of less than one second, yellow
// for less than two, else green.
type trafficLight struct{}

const (
	red = iota
	yellow
	green
)

var names = []string{"red", "yellow", "green"}

// A half-space is {x : A·x ≤ B}, or {x : A·x < B} when it is open.
var (
	underOneSecond  = polytope.HalfSpace{A: []float64{-1, 1}, B: 0, Open: true} // gap − speed < 0
	underTwoSeconds = polytope.HalfSpace{A: []float64{-2, 1}, B: 0, Open: true} // gap − 2·speed < 0
)

func (trafficLight) Dim() int     { return 2 }
func (trafficLight) Classes() int { return 3 }

func (trafficLight) Predict(x []float64) int {
	switch {
	case underOneSecond.Contains(x):
		return red
	case underTwoSeconds.Contains(x):
		return yellow
	}
	return green
}

// Cells lists a cell per rule: the rule holds and none before it does.
func (trafficLight) Cells() iter.Seq[classifier.Cell] {
	return slices.Values([]classifier.Cell{
		cell(red, underOneSecond),
		cell(yellow, not(underOneSecond), underTwoSeconds),
		cell(green, not(underOneSecond), not(underTwoSeconds)),
	})
}

func cell(label int, sides ...polytope.HalfSpace) classifier.Cell {
	return classifier.Cell{Label: label, Region: polytope.Polyhedron{HalfSpaces: sides}}
}

// not returns the points outside h.
func not(h polytope.HalfSpace) polytope.HalfSpace {
	a := make([]float64, len(h.A))
	for j, v := range h.A {
		a[j] = -v
	}
	return polytope.HalfSpace{A: a, B: -h.B, Open: !h.Open}
}

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name:  "custom",
		About: "The nearest adversarial examples of a classifier of one's own.",
		Begin: func(*pflag.FlagSet) command.Work {
			return func(ctx context.Context, stdout, _ io.Writer) error { return run(ctx, stdout) }
		},
	}
}

// run attacks one point in every norm.
func run(ctx context.Context, w io.Writer) error {
	var c classifier.Decomposable = trafficLight{}
	x := []float64{20, 50}
	fmt.Fprintf(w, "at %g m/s, %g m behind the next car, the light is %s\n\n",
		x[0], x[1], names[c.Predict(x)])
	fmt.Fprintln(w, "norm   nearest adversarial example   label    distance   proven bound")
	for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
		a := &attack.RegionBased{Classifier: c, Options: attack.Options{Norm: norm}}
		r, err := a.Perturb(ctx, x)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%-4s   %9.6f m/s, %9.6f m    %-6s   %.6f   %.6f\n",
			norm, r.Example[0], r.Example[1], names[r.Label], r.Distance, r.Bound)
	}
	return nil
}
