//go:build unix

package prune

import (
	"fmt"
	"math"
	"runtime"
	"syscall"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// cpuTime returns the processor time that this process has used.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// square returns n rows spread evenly over the unit square, every other one of label 1.
func square(n int) (*mat.Dense, []int) {
	rng := numpyrand.New(0)
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		x.SetRow(i, []float64{rng.Float64(), rng.Float64()})
		y[i] = i % 2
	}
	return x, y
}

// BenchmarkFewConflicts is the problem that tools/compare_pruning.py gives scipy, on one
// thread: a radius at which rows of the unit square have that many conflicts.
func BenchmarkFewConflicts(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, n := range []int{2000, 20_000, 200_000, 1_000_000} {
		squareX, squareY := square(n)
		moonsX, moonsY := moons(b, n)
		for _, conflicts := range []float64{0.2, 1, 4} {
			a := Adversarial{Radius: math.Sqrt(conflicts/float64(2*n)) / 2}
			for _, set := range []struct {
				name string
				x    *mat.Dense
				y    []int
			}{{"square", squareX, squareY}, {"moons", moonsX, moonsY}} {
				name := fmt.Sprintf("%s/n=%d/conflicts=%g", set.name, n, conflicts)
				b.Run(name, func(b *testing.B) {
					b.ReportAllocs()
					kept, start := 0, cpuTime(b)
					for b.Loop() {
						keep, err := a.Prune(b.Context(), set.x, set.y)
						if err != nil {
							b.Fatal(err)
						}
						kept = len(keep)
					}
					b.ReportMetric(float64(cpuTime(b)-start)/float64(time.Millisecond)/float64(b.N),
						"cpu-ms/op")
					b.ReportMetric(float64(kept), "kept")
				})
			}
		}
	}
}
