package proof

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// constant is an ensemble of trees that are a leaf each.
func constant(vote string, single bool, values ...string) string {
	var trees []string
	for _, v := range values {
		trees = append(trees,
			fmt.Sprintf(`{"feature":[-1],"threshold":[0],"left":[-1],"right":[-1],"value":[[%s]]}`,
				v))
	}
	return fmt.Sprintf(`{"format":"facet-model","version":1,"kind":"ensemble","n_features":1,`+
		`"classes":[0,1],"comparison":"x <= t","vote":%q,"single":%t,"trees":[%s]}`,
		vote, single, strings.Join(trees, ","))
}

// TestTies: a label that loses without rounding may win with it. Where no proof can tell, there is
// none.
func TestTies(t *testing.T) {
	for _, c := range []struct {
		model  string
		winner int
	}{
		{constant("soft", false, "0,5e-324", "0,0", "0,0"), 0}, // the mean of both is 0
		{constant("soft", false, "0,1.5e-323", "0,0", "0,0"), 1},
		{constant("sum", false, "1,0", "1e-17,1e-17", "0,1", "-1e-17,0"), 0},
		{constant("sum", true, "1,1", "0,1e-9"), 0},  // float32 lose so small a number in a sum
		{constant("sum", false, "1,1", "0,1e-9"), 1}, // float64 do
		{constant("hard", false, "0.5,0.5", "0,1"), 0},
		{constant("logistic", false, "0,1.6653345369377348e-16"), 0},
		{constant("logistic", false, "0,1.6653345369377351e-16"), 1},
		{constant("logistic", true, "0,8.940696716308594e-08"), 0},
		{constant("logistic", true, "0,8.9406975e-08"), 1},
		{constant("softmax", false, "1,1"), 0},
		{constant("softmax", false, "1,1.0000000000000002"), -1}, // exponentials may differ
		{constant("softmax", false, "1.0000000000000002,1"), 0},
		{constant("softmax", false, "1,1.00000000000001"), 1},
	} {
		for from := range 2 {
			file := text(c.model,
				fmt.Sprintf("proof\nnorm inf\nfrom %d\nx 0\nbound inf\nlabel %d\n.\nend\n",
					from, 1-from))
			if _, err := check(mustRead(t, c.model), file); (err == nil) != (from == c.winner) {
				t.Errorf("nothing but %d wins: %v, want %d\n%s", from, err, c.winner, c.model)
			}
			file = text(c.model,
				fmt.Sprintf("proof\nnorm inf\nfrom %d\nx 0\nbound 0\nexample %d 0\nend\n",
					1-from, from))
			if _, err := check(mustRead(t, c.model), file); (err == nil) != (from == c.winner) {
				t.Errorf("%d wins: %v, want %d\n%s", from, err, c.winner, c.model)
			}
		}
	}
}

// TestBorders: the comparison sends left the numbers on the left of a border.
func TestBorders(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	left := map[comparison]func(x, t float64) bool{
		atMost32: func(x, t float64) bool { return float64(float32(x)) <= t },
		atMost64: func(x, t float64) bool { return x <= t },
		below32:  func(x, t float64) bool { return float64(float32(x)) < t },
		below64:  func(x, t float64) bool { return x < t },
	}
	inf := math.Inf(1)
	thresholds := []float64{0, math.Copysign(0, -1), inf, -inf, math.MaxFloat64, -math.MaxFloat64,
		math.MaxFloat32, -math.MaxFloat32, 0x1p128, 1e-46, -1e-46, 1e-45, 0.1,
		float64(float32(0.1))}
	for range 200 {
		thresholds = append(thresholds, math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20),
			float64(float32(rng.NormFloat64())))
	}
	for c, goes := range left {
		for _, v := range thresholds {
			b, err := tryBorder(c, v)
			if (err != nil) != (v == -inf && (c == atMost64 || c == below64)) {
				t.Errorf("comparison %s, threshold %v: %v", c, v, err)
			}
			for _, x := range []float64{
				v, math.Nextafter(v, inf), math.Nextafter(v, -inf), b.end,
				math.Nextafter(b.end, inf), math.Nextafter(b.end, -inf), 0, 1e300, -1e300,
			} {
				if err == nil && !math.IsInf(x, 0) && goes(x, v) != b.low(x) {
					t.Errorf("comparison %s, threshold %v: %v goes left: %t; the border is %v",
						c, v, x, goes(x, v), b)
				}
			}
		}
	}
}

func tryBorder(c comparison, t float64) (b border, err error) {
	defer recovered(&err, "")
	return c.border(t), nil
}

// TestProduct: the largest number whose product with a weight is no more than a threshold, infinite
// if none or all is.
func TestProduct(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	for range 2000 {
		weight, most := math.Ldexp(1+rng.Float64(),
			rng.IntN(2000)-1000), math.Ldexp(rng.NormFloat64(), rng.IntN(2000)-1000)
		v := product(weight, most)
		if next := math.Nextafter(v, math.Inf(1)); weight*min(v, math.MaxFloat64) > most ||
			(weight*next <= most && next <= math.MaxFloat64) {
			t.Errorf("weight %v, threshold %v: %v", weight, most, v)
		}
	}
}
