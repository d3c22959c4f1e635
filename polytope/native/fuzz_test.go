package native_test

import (
	"testing"

	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// FuzzNative reads a tiny problem from bytes and compares the answers in all
// norms with the oracle's.
func FuzzNative(f *testing.F) {
	f.Add([]byte{1, 3, 1, 0, 7})
	f.Add([]byte{2, 3, 3, 0, 1, 1, 8, 15, 15, 8, 2, 1, 4})
	f.Add([]byte{3, 1, 2, 3, 1, 1, 2, 3, 4, 13, 12, 11, 9, 5, 5, 5, 0})
	f.Add([]byte{2, 0, 0, 8, 250, 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		p, ok := decode(data)
		if !ok {
			return
		}
		var s native.Solver
		for _, n := range norms {
			p.Norm = n
			checkTruth(t, &s, p, 1e-9)
		}
	})
}

// decode reads the dimension, a point, margin and box, and rows until the bytes
// end. Every byte stands for one of the sixteen multiples of ½ from −4 to 3½.
func decode(data []byte) (polytope.Problem, bool) {
	next := func() float64 {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return float64(int(b%16)-8) / 2
	}
	if len(data) < 2 || len(data) > 30 {
		return polytope.Problem{}, false // the oracle takes long for more rows
	}
	d := 1 + int(data[0]%3)
	margin, boxed := float64(data[1]%4)/4, data[1]&4 != 0
	data = data[2:]
	p := polytope.Problem{X: make([]float64, d), Margin: margin}
	for j := range p.X {
		p.X[j] = next()
	}
	if boxed {
		p.Region.Box = polytope.NewBox(d)
		for j := range p.Region.Box {
			p.Region.Box[j] = polytope.Interval{Lo: next(), Hi: next()}
		}
	}
	for len(data) > 0 {
		h := polytope.HalfSpace{A: make([]float64, d), B: next()}
		for j := range h.A {
			h.A[j] = next()
		}
		p.Region.HalfSpaces = append(p.Region.HalfSpaces, h)
	}
	return p, true
}
