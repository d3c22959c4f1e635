package models_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// drawnTest is a test as it is meant: ends part the line, and parts go left and right in turn.
type drawnTest struct {
	ends              []float64
	left, missingLeft bool
}

// drawTest draws a test at whole numbers, and now and then at the ends of the line.
func drawTest(rng *rand.Rand) (d drawnTest) {
	d.left, d.missingLeft = rng.IntN(2) == 0, rng.IntN(2) == 0
	for end := range 8 {
		if rng.IntN(2) == 0 {
			d.ends = append(d.ends, float64(end))
		}
	}
	return d
}

// goesLeft says where a value goes, by one end after the other.
func (d *drawnTest) goesLeft(c trees.Comparison, v float64) bool {
	if c == trees.AtMostFloat32 || c == trees.BelowFloat32 {
		v = float64(float32(v))
	}
	if v != v {
		return d.missingLeft
	}
	left := d.left
	for _, end := range d.ends {
		below := v < end || v == end && (c == trees.AtMostFloat32 || c == trees.AtMostFloat64)
		if below {
			break
		}
		left = !left
	}
	return left
}

// stump returns the tree of a test: its left leaf has the value 1 in class 0.
func (d *drawnTest) stump(t *testing.T, c trees.Comparison) *trees.Axis {
	t.Helper()
	nodes := []trees.Node{
		{Left: 1, Right: 2, MissingLeft: d.missingLeft, Value: []float64{0, 0}},
		{Left: -1, Right: -1, Value: []float64{1, 0}},
		{Left: -1, Right: -1, Value: []float64{0, 1}},
	}
	models.TestEnds(&nodes[0], c, d.ends, d.left)
	axis, err := trees.NewAxis(1, c, trees.Nodes(nodes))
	if err != nil {
		t.Fatalf("%+v: %v", d, err)
	}
	return axis
}

// TestTestEnds: a node sends every value where its ends say, by every comparison.
func TestTestEnds(t *testing.T) {
	values := []float64{math.NaN(), -1e300, 1e300, math.Inf(1), math.Inf(-1),
		math.Copysign(0, -1), math.MaxFloat32, -math.MaxFloat32}
	for v := -1.0; v < 9; v++ {
		values = append(values, v, v+0.5, math.Nextafter(v, 9), math.Nextafter(v, -9), v+0x1p-24,
			v-0x1p-25)
	}
	for number := range uint64(2000) {
		rng := rand.New(rand.NewPCG(number, 31))
		c, d := trees.Comparison(number%3), drawTest(rng)
		axis := d.stump(t, c)
		for _, v := range values {
			if one := axis.Value(axis.Leaf([]float64{v}))[0] == 1; one != d.goesLeft(c, v) {
				t.Fatalf("test %d: %v goes elsewhere\n%+v", number, v, d)
			}
		}
	}
}

// TestTestEndsBeyond: ends at the infinities, as tests of equality of the largest float32 have.
func TestTestEndsBeyond(t *testing.T) {
	inf := math.Inf(1)
	for _, ends := range [][]float64{
		{-inf, -math.MaxFloat32}, {math.MaxFloat32, inf}, {-1, 1, inf}, {inf}, {-inf, 0, 1},
	} {
		for _, left := range []bool{false, true} {
			d := drawnTest{ends: ends, left: left}
			axis := d.stump(t, trees.AtMostFloat32)
			for _, v := range []float64{-inf, -1e300, -math.MaxFloat32, 0, 1, math.MaxFloat32,
				1e300, inf} {
				one := axis.Value(axis.Leaf([]float64{v}))[0] == 1
				if one != d.goesLeft(trees.AtMostFloat32, v) {
					t.Errorf("%v, %v: %v goes elsewhere", ends, left, v)
				}
			}
		}
	}
}

// TestEnds: neighbours in a set share their ends.
func TestEnds(t *testing.T) {
	ends := models.Ends([]int{0, 2, 3, 7}, func(code int) float64 { return float64(code + 1) })
	if !slices.Equal(ends, []float64{0, 1, 2, 4, 7, 8}) {
		t.Errorf("Ends = %v", ends)
	}
}
