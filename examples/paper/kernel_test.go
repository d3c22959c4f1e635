package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// kernel32 is the kernel attack in float32, as the paper's code computes it: squared
// distances from products, and the gradient through each of these operations.
type kernel32 struct {
	x    [][]float32 // the attacked points, which are the substitute, too
	y    []int
	mass []float32 // by pair: the softmax
	d    []float32 // by pair: the derivative by the squared distance
}

// width and steps are the attack's parameters in the paper's experiments.
const (
	width = 0.1
	steps = 20
	rate  = 0.1
)

func dot(a, b []float32) (sum float32) {
	for j, v := range a {
		sum += v * b[j]
	}
	return sum
}

// signs steps along the signs of the gradient at the points z.
func (k *kernel32) signs(z [][]float32, step func(i, j int, sign float32)) {
	n := len(z)
	norms, ends := make([]float32, n), make([]float32, n)
	for i := range z {
		norms[i] = dot(z[i], z[i])
	}
	for i := range z {
		row, d := k.mass[i*n:(i+1)*n], k.d[i*n:(i+1)*n]
		largest := float32(math.Inf(-1))
		for j := range z {
			row[j] = -(norms[i] - 2*dot(z[i], z[j]) + norms[j]) / width
			if j != i {
				largest = max(largest, row[j])
			}
		}
		var sum, own float32
		for j := range z {
			if j != i {
				sum += float32(math.Exp(float64(row[j] - largest)))
			}
		}
		log := float32(math.Log(float64(sum))) + largest
		for j := range z {
			if row[j] = float32(math.Exp(float64(row[j] - log))); j == i {
				row[j] = 0
			}
			if k.y[i] == k.y[j] {
				own -= row[j]
			}
		}
		for j := range z {
			if d[j] = row[j] * own; k.y[i] == k.y[j] {
				d[j] += row[j]
			}
			d[j] /= width
		}
	}
	for i := range z {
		for j := range z {
			ends[i] += k.d[i*n+j] + k.d[j*n+i]
		}
	}
	for i := range z {
		for f := range z[i] {
			var a, b float32
			for j := range z {
				a += k.d[i*n+j] * z[j][f]
				b += k.d[j*n+i] * z[j][f]
			}
			switch g := -2*a - 2*b + 2*z[i][f]*ends[i]; {
			case g > 0:
				step(i, f, 1)
			case g < 0:
				step(i, f, -1)
			}
		}
	}
}

// within attacks all points within a budget.
func (k *kernel32) within(budget float32) [][]float32 {
	z := make([][]float32, len(k.x))
	for i, x := range k.x {
		z[i] = slices.Clone(x)
	}
	for range steps {
		moved := make([][]float32, len(z))
		for i := range z {
			moved[i] = slices.Clone(z[i])
		}
		k.signs(z, func(i, j int, sign float32) { moved[i][j] += rate * sign })
		for i, x := range k.x {
			for j, v := range x {
				z[i][j] = v + min(max(moved[i][j]-v, -budget), budget)
			}
		}
	}
	return z
}

// robustness32 is the cell of the kernel attack in float32, with points and features in
// another order for each seed but 0.
func robustness32(t *testing.T, lab *experiment.Lab, s experiment.Subject, seed uint64) float64 {
	t.Helper()
	set, err := lab.Set(t.Context(), s.Set)
	if err != nil {
		t.Fatal(err)
	}
	m, err := lab.Model(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := lab.Test(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	rows, features := slices.Clone(tests.Attacked), identity(set.Test.RawMatrix().Cols)
	if seed > 0 {
		rng := rand.New(rand.NewPCG(seed, 0))
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		rng.Shuffle(len(features),
			func(i, j int) { features[i], features[j] = features[j], features[i] })
	}
	x, y, err := prune.Select(set.Test, set.TestY, rows)
	if err != nil {
		t.Fatal(err)
	}
	n := len(rows)
	k := &kernel32{y: y, mass: make([]float32, n*n), d: make([]float32, n*n)}
	for i := range n {
		row := make([]float32, len(features))
		for j, f := range features {
			row[j] = float32(x.At(i, f))
		}
		k.x = append(k.x, row)
	}
	distances := make([]float64, n)
	for budget := range 81 {
		z := k.within(float32(0.01 * float64(budget)))
		for i := range n {
			moved, far := mat.Row(nil, i, x), 0.0
			for j, f := range features {
				far = max(far, math.Abs(float64(z[i][j])-moved[f]))
				moved[f] = float64(z[i][j])
			}
			if distances[i] == 0 && m.Classifier.Predict(moved) != y[i] {
				distances[i] = far
			}
		}
	}
	back := m.Fallback(nil)
	sum := 0.0
	for i, d := range distances {
		if d == 0 {
			r, err := back.Perturb(t.Context(), mat.Row(nil, i, x))
			if err != nil {
				t.Fatal(err)
			}
			d = r.Distance
		}
		sum += d
	}
	return sum / float64(n)
}

func identity(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// orders is the number of orders of the sums that TestKernelInFloat32 tries.
const orders = 12

// TestKernelInFloat32 computes the ranges of the cells of the kernel attack: in float32 the
// order of sums decides signs of gradients that vanish but for rounding errors. It takes a
// minute of a processor, and is for -full.
func TestKernelInFloat32(t *testing.T) {
	t.Parallel()
	fixture.Open(t, "diabetes")
	lab, err := experiment.New(experiment.Options{Folders: protocol.Folders()})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range rangesOf("sums")[:racetest.Count(0, len(rangesOf("sums")))] {
		least, largest := math.Inf(1), 0.0
		name, _, _ := strings.Cut(want.columns[0], "_")
		for seed := range uint64(orders) {
			s := experiment.Subject{Set: want.set, Classifier: experiment.Classifier(name)}
			v := robustness32(t, lab, s, seed)
			least, largest = min(least, v), max(largest, v)
		}
		checkRange(t, want, least, largest)
	}
}

// rangesOf are those with a cause.
func rangesOf(cause string) []deviation {
	return slices.DeleteFunc(slices.Clone(deviations),
		func(d deviation) bool { return d.name != cause })
}

func checkRange(t *testing.T, want deviation, least, largest float64) {
	t.Helper()
	got := thousandth(least) + " to " + thousandth(largest)
	if documented := thousandth(want.least) + " to " + thousandth(want.largest); got != documented {
		t.Errorf("%s %v: %s, documented %s", want.set, want.columns, got, documented)
	}
}
