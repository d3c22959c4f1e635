package prune

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// training returns a CSV file of labelled rows, as the checker reads it. Labels that no row has are
// left out there, which changes no conflict.
func training(t *testing.T, x mat.Matrix, y []int) *proof.Model {
	t.Helper()
	var text strings.Builder
	n, d := x.Dims()
	for i := range n {
		for j := range d {
			fmt.Fprintf(&text, "%v,", x.At(i, j))
		}
		fmt.Fprintln(&text, y[i])
	}
	rows, err := proof.ReadRows(strings.NewReader(text.String()), 1)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestWriteSets: the solution of Solve on the fixtures' sets, rows weighing the same or not, stands
// by the checker's own readers and arithmetic.
func TestWriteSets(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		rng := rand.New(rand.NewPCG(9, 1))
		rows, n := training(t, c.Set.Train, c.Set.TrainY), len(c.Set.TrainY)
		weights := make([]int, n)
		for i := range weights {
			weights[i] = int(1000 * rng.ExpFloat64())
		}
		for _, norm := range norms {
			for _, w := range [][]int{nil, weights} {
				a := Adversarial{Radius: 0.15, Norm: norm}
				written(t, &a, rows, c.Set.Train, c.Set.TrainY, w)
			}
		}
	})
}

// written solves, writes and checks.
func written(
	t *testing.T, a *Adversarial, rows *proof.Model, x mat.Matrix, y []int, weights []int,
) (file string) {
	t.Helper()
	r, err := a.Solve(t.Context(), x, y, weights)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := a.Write(&text, rows.SHA256, weights, r); err != nil {
		t.Fatal(err)
	}
	p, err := proof.CheckPruning(bytes.NewReader(text.Bytes()), rows)
	if err != nil {
		t.Fatalf("radius %v, norm %v: %v", a.Radius, a.Norm, err)
	}
	if len(p.Keep) != len(r.Keep) || p.Weight != r.Weight || p.Bound != r.Certified {
		t.Errorf("radius %v, norm %v: %d rows of %v, bound %v; the file says %d, %v, %v", a.Radius,
			a.Norm, len(r.Keep), r.Weight, r.Certified, len(p.Keep), p.Weight, p.Bound)
	}
	return text.String()
}

// TestWriteRandom: coarse rows, in all norms, and files that say a little more than is true.
func TestWriteRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	refused := 0
	for range racetest.Count(100, 5000) {
		in := newInstance(rng, 2+rng.IntN(20), 1+rng.IntN(3))
		a := in.adversarial()
		rows := training(t, in.x, in.y)
		var weights []int
		if rng.IntN(2) == 0 {
			for range in.y {
				weights = append(weights, rng.IntN(4))
			}
		}
		file := written(t, &a, rows, in.x, in.y, weights)
		for _, change := range [][2]string{
			{"\nbound ", "\nbound -"}, {"\nkeep ", "\nkeep 0 "}, {"end\n", "end\nend\n"},
			{"\nclique ", "\nclique 1"}, {"end\n", "end"}, {"\nweight ", "\nweight 1"},
		} {
			changed := strings.Replace(file, change[0], change[1], 1)
			if _, err := proof.CheckPruning(strings.NewReader(changed), rows); err != nil {
				refused++
			} else if p, _ := proof.CheckPruning(strings.NewReader(file), rows); changed != file &&
				p.Bound > 0 && change[0] != "\nclique " {
				t.Errorf("%q for %q is accepted:\n%s", change[1], change[0], changed)
			}
		}
	}
	if refused == 0 {
		t.Error("nothing is refused")
	}
}

// TestWriteNothing: there is no proof of no result.
func TestWriteNothing(t *testing.T) {
	if err := (Adversarial{}).Write(
		&bytes.Buffer{}, [32]byte{}, nil, nil,
	); !errors.Is(err, classifier.ErrOption) {
		t.Errorf("error %v, want ErrOption", err)
	}
}
