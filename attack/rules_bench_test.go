package attack_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// people is made-up data as lenders have: counts and amounts, and categories in one-hot columns.
type people struct {
	x     *mat.Dense
	y     []int
	rules []attack.Feature
}

// drawPeople draws rows with some numbers and with categories of these sizes. The first category is
// frozen, as origin is; the first number only grows, as age does; numbers are counts, but for
// every third, which is an amount in hundredths.
func drawPeople(r *rand.Rand, rows, numbers int, categories []int) people {
	dim := numbers
	for _, n := range categories {
		dim += n
	}
	p := people{
		x:     mat.NewDense(rows, dim, nil),
		y:     make([]int, rows),
		rules: make([]attack.Feature, dim),
	}
	weight := make([]float64, dim)
	for j := range dim {
		weight[j] = r.NormFloat64()
	}
	for i := range rows {
		score := r.NormFloat64()
		for j := range numbers {
			v := math.Abs(r.NormFloat64())
			score += weight[j] * math.Sin(2*v+float64(j))
			if v = math.Floor(12 * v); j%3 == 2 {
				v = math.Floor(100*3000*r.ExpFloat64()) / 100
				score += weight[j] * (v/3000 - 1)
			}
			p.x.Set(i, j, v)
		}
		first := numbers
		for _, n := range categories {
			hot := first + int(float64(n)*r.Float64()*r.Float64())
			p.x.Set(i, hot, 1)
			score += weight[hot]
			first += n
		}
		if score > 0 {
			p.y[i] = 1
		}
	}
	for j := range numbers {
		if p.rules[j] = (attack.Feature{Up: 0.2, Down: 0.3, Step: 1}); j%3 == 2 {
			p.rules[j] = attack.Feature{Up: 0.002, Down: 0.001, MaxUpPart: 0.5, MaxDownPart: 0.5}
		}
	}
	p.rules[0].Down = math.Inf(1)
	first := numbers
	for g, n := range categories {
		for j := first; j < first+n; j++ {
			p.rules[j] = attack.Feature{Group: g + 1, Up: 1 + float64(g%3)/2, Frozen: g == 0}
		}
		first += n
	}
	return p
}

// BenchmarkRules attacks forests with all kinds of rules at once, and reports the median time of a
// point and the share of points that are proven.
func BenchmarkRules(b *testing.B) {
	german := drawPeople(rand.New(rand.NewPCG(1, 1)), 1000, 7,
		[]int{4, 5, 10, 5, 5, 4, 3, 4, 3, 3, 4, 2, 2})
	adult := drawPeople(rand.New(rand.NewPCG(2, 2)), 10000, 6, []int{5, 7, 16, 7, 14, 6, 2, 41})
	for _, data := range []struct {
		name string
		people
	}{{"german", german}, {"adult", adult}} {
		for _, size := range [][2]int{{100, 5}, {100, 8}, {500, 5}, {500, 8}} {
			forest, err := classifier.TrainForest(b.Context(), data.x, data.y,
				classifier.ForestOptions{
					Trees:       size[0],
					TreeOptions: classifier.TreeOptions{MaxDepth: size[1]},
				})
			if err != nil {
				b.Fatal(err)
			}
			for _, norm := range instance.Measures() {
				name := fmt.Sprintf("%s/trees=%d/depth=%d/norm=%v",
					data.name, size[0], size[1], norm)
				b.Run(name, func(b *testing.B) {
					benchRules(b,
						&attack.RegionBased{
							Classifier: forest,
							Options: instance.Measure(norm, attack.Options{
								Features: data.rules,
								Workers:  1,
								Timeout:  2 * time.Second,
							}),
						}, data.people)
				})
			}
		}
	}
}

func benchRules(b *testing.B, a *attack.RegionBased, p people) {
	var times []float64
	proven, none, n := 0, 0, 0
	for b.Loop() {
		start := time.Now()
		r, err := a.Perturb(b.Context(), p.x.RawRowView(n%50))
		if err != nil {
			b.Fatal(err)
		}
		times = append(times, float64(time.Since(start).Microseconds())/1000)
		if n++; r.Optimal() {
			proven++
		}
		if r.Example == nil {
			none++
		}
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2], "median-ms")
	b.ReportMetric(100*float64(proven)/float64(n), "%proven")
	b.ReportMetric(100*float64(none)/float64(n), "%none")
}
