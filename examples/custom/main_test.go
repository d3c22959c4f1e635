package main

import (
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier/classifiertest"
)

func TestRun(t *testing.T) {
	const want = `at 20 m/s, 50 m behind the next car, the light is green

norm   nearest adversarial example   label    distance   proven bound
inf    23.333333 m/s, 46.666667 m    yellow   3.333333   3.333333
1      25.000000 m/s, 50.000000 m    yellow   5.000000   5.000000
2      24.000000 m/s, 48.000000 m    yellow   4.472136   4.472136
`
	var out strings.Builder
	if status := program().Run(t.Context(), nil, &out, &out); status != 0 {
		t.Fatalf("status %d, %s", status, &out)
	}
	if got := out.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestWrongUse: an unknown flag is refused, before anything is printed.
func TestWrongUse(t *testing.T) {
	for _, arg := range []string{"--speed", "30"} {
		var out, stderr strings.Builder
		status := program().Run(t.Context(), []string{arg}, &out, &stderr)
		if status != 2 || out.Len() > 0 || !strings.Contains(stderr.String(), arg) {
			t.Errorf("%s: status %d, %s%s", arg, status, &out, &stderr)
		}
	}
}

// TestCells checks the promise that the attack relies on: every point lies in one cell, whose label
// is the predicted one.
func TestCells(t *testing.T) {
	if err := classifiertest.Test(trafficLight{}, []float64{20, 50}); err != nil {
		t.Error(err)
	}
}
