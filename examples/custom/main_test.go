package main

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	const want = `at 20 m/s, 50 m behind the next car, the light is green

norm   nearest adversarial example   label    distance   proven bound
inf    23.333333 m/s, 46.666667 m    yellow   3.333333   3.333333
1      25.000000 m/s, 50.000000 m    yellow   5.000000   5.000000
2      24.000000 m/s, 48.000000 m    yellow   4.472136   4.472136
`
	var out strings.Builder
	if err := run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestCells checks what the attack relies on: every point lies in one cell, whose label is
// the predicted one. Points on the borders are among them.
func TestCells(t *testing.T) {
	var c trafficLight
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		x := []float64{float64(rng.IntN(41) - 20), float64(rng.IntN(41) - 20)}
		var labels []int
		for cell := range c.Cells() {
			if cell.Region.Contains(x) {
				labels = append(labels, cell.Label)
			}
		}
		if len(labels) != 1 || labels[0] != c.Predict(x) {
			t.Fatalf("x = %v lies in cells labelled %v, Predict = %d", x, labels, c.Predict(x))
		}
	}
}
