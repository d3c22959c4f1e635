package neighborproof_test

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

func TestMeasure(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		points, split := c.Points(t), c.Split(t)
		for _, k := range []int{1, 3, 5} {
			if w := os.Getenv("K"); w != "" && w != fmt.Sprint(k) {
				continue
			}
			xs := points[fmt.Sprintf("%dnn", min(k, 3))].X
			for _, pruned := range strings.Split(os.Getenv("PRUNED"), " ") {
				m := instance.Voters(t, c, k)
				if pruned != "" {
					var keep []int
					keep = split.Pruned[pruned].Keep
					var x [][]float64
					var y []int
					for _, i := range keep {
						x = append(x, c.Set.Train.RawRowView(i))
						y = append(y, c.Set.TrainY[i])
					}
					m = instance.KNN(t, instance.Dense(x), y, k)
				}
				for _, norm := range instance.Norms() {
					a := &attack.RegionBased{Classifier: m, Options: attack.Options{Norm: norm, Workers: 1}}
					var search, prove, checked time.Duration
					var size, most, fail, nodes, less int
					for _, x := range xs {
						var r attack.Result
						var err error
						best := func(f func()) time.Duration {
							d := time.Hour
							for range reps {
								t0 := time.Now()
								f()
								d = min(d, time.Since(t0))
							}
							return d
						}
						search += best(func() { r, err = a.Perturb(t.Context(), x) })
						if err != nil {
							t.Fatal(err)
						}
						nodes += r.Solves
						var b bytes.Buffer
						prove += best(func() { b.Reset(); _, err = a.Prove(t.Context(), x, &b) })
						if err != nil {
							fail++
							if fail == 1 {
								fmt.Println(err)
							}
							continue
						}
						size += b.Len()
						most = max(most, b.Len())
						if !strings.Contains(b.String(), "\nbound "+strconv.FormatFloat(r.Bound, 'x', -1, 64)+"\n") {
							less++
						}
						if r.Bound == 0 {
							continue
						}
						t0 := time.Now()
						if os.Getenv("CHECK") == "" {
							continue
						}
						if err := goCheck(m, b.String()); err != nil {
							t.Error(c.Set.Name, k, norm, err)
						}
						checked += time.Since(t0)
					}
					n := len(xs)
					fmt.Printf("%-10s %d%-3s %3v: n %d solves %4d search %9v both %9v (%.2f) check %9v bytes %5d most %6d less %d fail %d\n", c.Set.Name, k, pruned, norm, n, nodes/n, search/time.Duration(n), prove/time.Duration(n), float64(prove)/float64(search), checked/time.Duration(n), size/n, most, less, fail)
				}
			}
		}
	})
}

var reps = func() int { n, _ := strconv.Atoi(os.Getenv("REPS")); return max(1, n) }()
