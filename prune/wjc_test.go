package prune

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// wjcByDefinition follows the definition word by word.
func wjcByDefinition(t *testing.T, w WJC, in *instance) []int {
	t.Helper()
	n := len(in.y)
	k := int(math.Floor(3 * math.Log(float64(n)/w.Failure) / (math.Log(2) * w.Margin * w.Margin)))
	k = max(1, min(k, n))
	row := in.x.RawRowView
	confident := make([]int, n) // label, −1: none
	for i := range n {
		order := upTo(n)
		slices.SortStableFunc(order, func(a, b int) int {
			da, db := polytope.L2.Distance(row(a), row(i)), polytope.L2.Distance(row(b), row(i))
			switch {
			case da < db:
				return -1
			case da > db:
				return 1
			}
			return 0
		})
		larger := 0
		for _, j := range order[:k] {
			if in.y[j] == slices.Max(in.y) {
				larger++
			}
		}
		confident[i] = -1
		if mean := float64(2*larger-k) / float64(k); mean >= 2*w.Margin {
			confident[i] = slices.Max(in.y)
		} else if -mean >= 2*w.Margin {
			confident[i] = slices.Min(in.y)
		}
	}
	var keep, rest []int
	for i := range n {
		sure := confident[i] == in.y[i]
		for j := range n {
			if in.norm.Distance(row(i), row(j)) <= in.radius {
				sure = sure && confident[j] == confident[i]
			}
		}
		if sure {
			keep = append(keep, i)
		} else {
			rest = append(rest, i)
		}
	}
	if rest != nil {
		x, y := mat.NewDense(len(rest), in.x.RawMatrix().Cols, nil), make([]int, len(rest))
		for to, from := range rest {
			x.SetRow(to, row(from))
			y[to] = in.y[from]
		}
		more, err := in.adversarial().Prune(t.Context(), x, y)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range more {
			keep = append(keep, rest[i])
		}
	}
	slices.Sort(keep)
	return keep
}

func TestWJCIsTheDefinition(t *testing.T) {
	for number := range uint64(racetest.Scale(10)) {
		rng := rand.New(rand.NewPCG(40, number))
		in := &instance{x: mat.NewDense(300, 2, nil), y: make([]int, 300), norm: norms[rng.IntN(3)]}
		for i := range in.y { // two parts of a square, with wrong labels here and there
			a, b := rng.Float64(), float64(rng.IntN(8))/8
			in.x.SetRow(i, []float64{a, b})
			if (a > 0.8) != (rng.IntN(30) == 0) {
				in.y[i] = 1
			}
		}
		in.radius = 0.15 * rng.Float64()
		w := WJC{
			Radius:  in.radius,
			Norm:    in.norm,
			Margin:  0.42 + 0.05*rng.Float64(),
			Failure: 0.5 + 0.5*rng.Float64(),
		}
		got, err := w.Prune(t.Context(), in.x, in.y)
		if err != nil {
			t.Fatal(err)
		}
		if want := wjcByDefinition(t, w, in); !slices.Equal(got, want) {
			t.Fatalf("instance %d, %+v: kept %v, want %v", number, w, got, want)
		}
	}
}

func TestWJCDefaults(t *testing.T) {
	in := newInstance(rand.New(rand.NewPCG(41, 0)), 200, 2)
	got, err := WJC{Radius: in.radius}.Prune(t.Context(), in.x, in.y)
	if err != nil {
		t.Fatal(err)
	}
	want, err := WJC{Radius: in.radius, Margin: 0.45, Failure: 0.1}.Prune(t.Context(), in.x, in.y)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("kept %v by default, %v with the defaults written out", got, want)
	}
	one, err := WJC{}.Prune(t.Context(), mat.NewDense(3, 1, nil), []int{5, 5, 5})
	if err != nil || !slices.Equal(one, []int{0, 1, 2}) {
		t.Errorf("one label: %v, %v, want all", one, err)
	}
}

func TestWJCErrors(t *testing.T) {
	x, y := mat.NewDense(3, 1, []float64{0, 1, 2}), []int{0, 1, 0}
	for _, tt := range []struct {
		name string
		wjc  WJC
		y    []int
		want error
	}{
		{"three labels", WJC{}, []int{0, 1, 2}, errors.ErrUnsupported},
		{"radius", WJC{Radius: -1}, y, classifier.ErrOption},
		{"norm", WJC{Norm: 9}, y, polytope.ErrNorm},
		{"margin", WJC{Margin: 0.6}, y, classifier.ErrOption},
		{"no margin", WJC{Margin: math.NaN()}, y, classifier.ErrOption},
		{"failure", WJC{Failure: -0.1}, y, classifier.ErrOption},
		{"labels", WJC{}, []int{0}, polytope.ErrDimension},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := tt.wjc.Prune(t.Context(), x, tt.y); !errors.Is(err, tt.want) ||
				got != nil {
				t.Errorf("Prune = %v, %v, want nil, %v", got, err, tt.want)
			}
		})
	}
	in := newInstance(rand.New(rand.NewPCG(42, 0)), 40, 2)
	count := &fuse{Context: t.Context(), n: math.MaxInt64}
	if _, err := (WJC{}).Prune(count, in.x, in.y); err != nil {
		t.Fatal(err)
	}
	for n := int64(1); n <= count.looks.Load(); n++ {
		if _, err := (WJC{}).Prune(
			&fuse{Context: t.Context(), n: n}, in.x, in.y,
		); !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at look %d: %v", n, err)
		}
	}
}

// upTo returns 0..n−1.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
