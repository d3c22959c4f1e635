package plotting

import (
	"math"
	"testing"
)

var square = Frame{MinX: -1, MaxX: 1, MinY: -1, MaxY: 1}

// trace returns the contour of a set in the square [−1,1]².
func trace(n int, contains func(p point) bool) [][]point {
	g := grid{
		frame:    square,
		n:        n,
		contains: contains,
		sampled:  func(i, j int) bool { return contains(square.node(i, j, n)) },
	}
	return g.loops()
}

// area is that of closed loops, holes counted negative.
func area(loops [][]point) float64 {
	var sum float64
	for _, loop := range loops {
		for i, p := range loop {
			q := loop[(i+1)%len(loop)]
			sum += (p.x*q.y - q.x*p.y) / 2
		}
	}
	return sum
}

func TestLoops(t *testing.T) {
	norm := func(p point) float64 { return math.Hypot(p.x, p.y) }
	for name, c := range map[string]struct {
		contains func(p point) bool
		loops    int
		area     float64
	}{
		"nothing":    {func(point) bool { return false }, 0, 0},
		"everything": {func(point) bool { return true }, 1, 4},
		"half":       {func(p point) bool { return p.x < 0.123 }, 1, 2 * 1.123},
		"disc":       {func(p point) bool { return norm(p) < 0.7 }, 1, math.Pi * 0.49},
		"ring": {func(p point) bool { return norm(p) < 0.7 && norm(p) > 0.3 }, 2,
			math.Pi * 0.4},
		"hole":             {func(p point) bool { return norm(p) > 0.7 }, 2, 4 - math.Pi*0.49},
		"beyond the frame": {func(p point) bool { return norm(p) > 1.2 }, 4, 0.19637},
		"stripes":          {func(p point) bool { return math.Mod(p.y+1.9, 0.5) < 0.2 }, 4, 1.6},
	} {
		t.Run(name, func(t *testing.T) {
			loops := trace(200, c.contains)
			if len(loops) != c.loops {
				t.Errorf("%d loops, want %d", len(loops), c.loops)
			}
			if got := area(loops); math.Abs(got-c.area) > 2e-3 {
				t.Errorf("area %v, want %v", got, c.area)
			}
		})
	}
}

// TestSaddle puts two corners of one square in the set: whether they are joined
// is for its middle to say.
func TestSaddle(t *testing.T) {
	joined := trace(1, func(p point) bool { return math.Abs(p.x-p.y) < 1 })
	apart := trace(1, func(p point) bool { return math.Abs(p.x+p.y) > 1 })
	if len(joined) != 1 || len(apart) != 2 {
		t.Errorf("%d and %d loops, want 1 and 2", len(joined), len(apart))
	}
	if a, b := area(joined), area(apart); math.Abs(a-3) > 1e-5 || math.Abs(b-1) > 1e-5 {
		t.Errorf("areas %v and %v, want 3 and 1", a, b)
	}
}

// TestCrossingsLieOnTheBorder: the corners of a contour are far closer to the
// border than the grid is fine.
func TestCrossingsLieOnTheBorder(t *testing.T) {
	for _, loop := range trace(16, func(p point) bool { return math.Hypot(p.x, p.y) < 0.7 }) {
		for _, p := range loop {
			if d := math.Abs(math.Hypot(p.x, p.y) - 0.7); d > 1e-6 {
				t.Errorf("(%v, %v) lies %v off the border", p.x, p.y, d)
			}
		}
	}
}

// TestInside: the rest of a loop without the frame is as long as the border inside.
func TestInside(t *testing.T) {
	length := func(lines [][]point) (sum float64) {
		for _, line := range lines {
			for i := 1; i < len(line); i++ {
				sum += math.Hypot(line[i].x-line[i-1].x, line[i].y-line[i-1].y)
			}
		}
		return sum
	}
	for name, c := range map[string]struct {
		contains func(p point) bool
		want     float64
	}{
		"everything": {func(point) bool { return true }, 0},
		"half":       {func(p point) bool { return p.x < 0.123 }, 2},
		"stripe":     {func(p point) bool { return math.Abs(p.y-0.1) < 0.3 }, 4},
		"disc":       {func(p point) bool { return math.Hypot(p.x, p.y) < 0.7 }, 2 * math.Pi * 0.7},
	} {
		t.Run(name, func(t *testing.T) {
			if got := length(square.inside(trace(200, c.contains))); math.Abs(got-c.want) > 2e-2 {
				t.Errorf("length %v, want %v", got, c.want)
			}
		})
	}
}
