package neighborproof_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

func TestMeasure(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		points := c.Points(t)
		for _, name := range []string{"1nn", "3nn", "5nn"} {
			m := instance.PaperModel(t, c, name)
			for _, norm := range instance.Norms() {
				xs := points[name].X
				if len(xs) == 0 {
					t.Fatal(name)
				}
				var search, prove time.Duration
				var size, most, fail, nodes int
				for _, x := range xs[:min(len(xs), 40)] {
					a := &attack.RegionBased{Classifier: m, Options: attack.Options{Norm: norm, Workers: 1}}
					t0 := time.Now()
					r, err := a.Perturb(t.Context(), x)
					search += time.Since(t0)
					if err != nil {
						t.Fatal(err)
					}
					nodes += r.Solves
					var b bytes.Buffer
					t0 = time.Now()
					_, err = a.Prove(t.Context(), x, &b)
					prove += time.Since(t0)
					if err != nil {
						fail++
						if fail == 1 {
							fmt.Println(err)
						}
					}
					size += b.Len()
					most = max(most, b.Len())
					if os.Getenv("DUMP") == name && norm == 0 {
						fmt.Println(b.String())
						return
					}
				}
				n := min(len(xs), 40)
				fmt.Printf("%s %s %v: solves %d search %v both %v (%.2f) bytes %d most %d fail %d\n", c.Set.Name, name, norm, nodes/n, search/time.Duration(n), prove/time.Duration(n), float64(prove)/float64(search), size/n, most, fail)
			}
		}
	})
}
