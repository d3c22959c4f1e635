package prune

import (
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// TestLocalBoxes: the bounds of a box of rows and their radii hold for each row in it.
func TestLocalBoxes(t *testing.T) {
	var missed, near int
	for number := range uint64(20_000) {
		rng := rand.New(rand.NewPCG(31, number))
		dim := 1 + rng.IntN(4)
		draw := func() []float64 {
			p := make([]float64, dim+1)
			for j := range dim {
				p[j] = 0.1 * float64(rng.IntN(9)-4)
			}
			p[dim] = 0.1 * float64(rng.IntN(4))
			return p
		}
		q, p, lo, hi := draw(), draw(), draw(), draw()
		for j := range p {
			lo[j], hi[j] = min(lo[j], hi[j], p[j]), max(lo[j], hi[j], p[j])
		}
		for _, norm := range norms {
			r := newBall(norm, 2*0.3)
			r.local = true
			want := norm.Distance(q[:dim], p[:dim]) <= q[dim]+p[dim]
			if got := r.within(q, p); got != want {
				t.Fatalf("norm %v: within(%v, %v) = %v", norm, q, p, got)
			}
			point := map[bool]overlap{false: outside, true: inside}[want]
			if got := r.box(q, p, p); got != point {
				t.Fatalf("norm %v: the box of %v alone near %v is %v", norm, p, q, got)
			}
			switch r.box(q, lo, hi) {
			case outside:
				missed++
				if want {
					t.Fatalf("norm %v: %v is near %v, its box %v to %v not", norm, q, p, lo, hi)
				}
			case inside:
				if !slices.Equal(lo, hi) {
					t.Fatalf("norm %v: all from %v to %v are near %v", norm, lo, hi, q)
				}
			}
			if want {
				near++
			}
		}
	}
	if missed < 1000 || near < 1000 {
		t.Errorf("%d boxes missed, %d rows near: too easy", missed, near)
	}
}

// TestLocalLarge: the radii of many rows are those of the definition, by every way of finding
// conflicts.
func TestLocalLarge(t *testing.T) {
	removed := map[float64]int{}
	for number := range uint64(24) {
		rng := rand.New(rand.NewPCG(32, number))
		in := newInstance(rng, 300, 1+rng.IntN(8))
		for i := range in.y {
			in.y[i] = rng.IntN(2 + int(number%2))
			for j := range in.x.RawRowView(i) {
				in.x.Set(i, j, math.Round(20*rng.NormFloat64())/20)
			}
		}
		in.radius = 0.2
		for _, in.local = range []float64{0, 0.6, 1, 1000} {
			a := in.adversarial()
			r, err := a.Solve(t.Context(), in.x, in.y, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := a.Verify(t.Context(), in.x, in.y, nil, r); err != nil {
				t.Errorf("instance %d, local %v: %v", number, in.local, err)
			}
			removed[in.local] += len(in.y) - len(r.Keep)
		}
	}
	// Rows are off the grid's places by more than a thousandth of the radius, or equal.
	if removed[0.6] >= removed[1] || removed[1] >= removed[0] || removed[1000] > removed[0] {
		t.Errorf("rows removed by the factor of Local: %v", removed)
	}
}

// TestLocal: rows near another label are given less room, so that more of them stay.
func TestLocal(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{0, 0.1, 0.2, 0.3, 1, 1.1})
	y := []int{0, 0, 1, 1, 1, 0}
	for _, test := range []struct {
		local float64
		keep  []int
	}{
		{0, []int{0, 1, 5}}, // 0 and 0.1 conflict with 0.2 and 0.3
		{1, []int{0, 1, 5}},
		{0.5, []int{0, 1, 3, 5}}, // only 0.1 and 0.2, and 1 and 1.1, are nearest to each other
	} {
		a := Adversarial{Radius: 0.15, Local: test.local}
		keep, err := a.Prune(t.Context(), x, y)
		if err != nil || !slices.Equal(keep, test.keep) {
			t.Errorf("local %v: kept %v, %v, want %v", test.local, keep, err, test.keep)
		}
	}
}

func TestLocalThatIsNone(t *testing.T) {
	x, y := mat.NewDense(2, 1, []float64{0, 1}), []int{0, 1}
	for _, a := range []Adversarial{
		{Radius: 1, Local: 0.4}, {Radius: 1, Local: -1}, {Radius: 1, Local: math.NaN()},
		{Radius: 1, Local: math.Inf(1)}, {Local: 1},
	} {
		if _, err := a.Prune(t.Context(), x, y); !errors.Is(err, classifier.ErrOption) {
			t.Errorf("%+v: %v, want %v", a, err, classifier.ErrOption)
		}
	}
	a := Adversarial{Radius: 1, Local: 1}
	r, err := a.Solve(t.Context(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Write(io.Discard, [32]byte{}, nil, r); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a proof: %v, want %v", err, errors.ErrUnsupported)
	}
}
