package trees

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCurve: a curve goes through its points, never falls, not even by rounding, and ends with
// them.
func TestCurve(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 3))
	for range 2000 {
		c := Curve{Divisor: float64(1 + rng.IntN(9)), Scale: 1}
		for range 1 + rng.IntN(5) {
			c.X, c.Y = append(c.X, rng.Float64()), append(c.Y, float64(rng.IntN(4))/3)
		}
		if rng.IntN(3) == 0 { // a step
			c.X, c.Y = append(c.X, math.Nextafter(c.X[0], 2)), append(c.Y, rng.Float64())
		}
		slices.Sort(c.X)
		slices.Sort(c.Y)
		if rng.IntN(4) == 0 {
			c.X, c.Y, c.Slope, c.Intercept = nil, nil, -rng.ExpFloat64(), rng.NormFloat64()
		}
		if err := c.check(); err != nil {
			t.Fatal(err)
		}
		for range 50 {
			v := c.Divisor * (1.4*rng.Float64() - 0.2)
			if below, above := c.of(v), c.of(math.Nextafter(v, 99)); above < below {
				t.Fatalf("%+v falls from %v to %v at %v", c, below, above, v)
			}
		}
		for i, x := range c.X {
			if got := c.of(x * c.Divisor); x*c.Divisor/c.Divisor == x && got != c.Y[i] {
				t.Fatalf("%+v: at point %d it is %v", c, i, got)
			}
		}
		if c.X != nil && (c.of(-9) != c.Y[0] || c.of(99) != c.Y[len(c.Y)-1]) {
			t.Fatalf("%+v ends at %v and %v", c, c.of(-9), c.of(99))
		}
	}
	for name, c := range map[string]*Curve{
		"none": nil, "no divisor": {Scale: 1}, "no scale": {Divisor: 1},
		"more x than y":      {Divisor: 1, Scale: 1, X: []float64{1}},
		"no probability":     {Divisor: 1, Scale: 1, X: []float64{1}, Y: []float64{2}},
		"x that stays":       {Divisor: 1, Scale: 1, X: []float64{1, 1}, Y: []float64{0, 1}},
		"y that falls":       {Divisor: 1, Scale: 1, X: []float64{1, 2}, Y: []float64{1, 0}},
		"an infinite x":      {Divisor: 1, Scale: 1, X: []float64{math.Inf(1)}, Y: []float64{1}},
		"a slope that rises": {Divisor: 1, Scale: 1, Slope: 1},
		"no intercept":       {Divisor: 1, Scale: 1, Intercept: math.NaN()},
	} {
		if c.check() == nil {
			t.Errorf("%s is a curve", name)
		}
	}
}
