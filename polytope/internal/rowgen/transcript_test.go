package rowgen

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var update = flag.Bool("update", false, "write testdata anew")

// told is a closest.Program that prints each call.
type told struct {
	*closest.Program
	text *strings.Builder
}

func (p told) Add(a []float64, b, err float64) int {
	fmt.Fprintf(p.text, "  row %d: %g·u ≤ %g, which u = %.4g violates by %.4g\n",
		p.Len(), a, b, p.U(), precise.Dot(a, p.U())-b)
	return p.Program.Add(a, b, err)
}

func (p told) AddFace(j int, sign, b, err float64) int {
	fmt.Fprintf(p.text, "  row %d: %g·u_%d ≤ %g, which u = %.4g violates\n",
		p.Len(), sign, j+1, b, p.U())
	return p.Program.AddFace(j, sign, b, err)
}

func (p told) Solve(cutoff float64) (closest.Status, error) {
	status, err := p.Program.Solve(cutoff)
	fmt.Fprintf(p.text, "  %d pivots: ", p.Pivots())
	if status == closest.Infeasible {
		fmt.Fprint(p.text, "infeasible, because 0 is")
	} else {
		fmt.Fprintf(p.text, "u = %.4g, ‖u‖ = %.4g, proven %.4g by", p.U(), p.Value(), p.Bound())
	}
	sign := ""
	p.Multipliers(func(row int, lambda float64) {
		if lambda > 0 {
			fmt.Fprintf(p.text, "%s %.4g × row %d", sign, lambda, row)
			sign = " +"
		}
	})
	if status == closest.Cutoff {
		fmt.Fprint(p.text, ", which is enough")
	}
	fmt.Fprintln(p.text)
	return status, err
}

// TestTranscript prints the steps of Lazy on a small problem in each norm, without and with a
// cutoff, and with a row that contradicts the others.
func TestTranscript(t *testing.T) {
	var text strings.Builder
	for kind, norm := range [...]string{polytope.LInf: "ℓ∞", polytope.L1: "ℓ1", polytope.L2: "ℓ2"} {
		for _, run := range []struct {
			name          string
			cutoff        float64
			contradictory bool
		}{
			{"all the way", math.Inf(1), false}, {"cutoff 0.5", 0.5, false},
			{"with u_1 + u_2 ≤ 1", math.Inf(1), true},
		} {
			fmt.Fprintf(&text, "%s, %s\n", norm, run.name)
			p := told{closest.New(polytope.Norm(kind)), &text}
			p.Reset(2)
			l := New(polytope.Norm(kind), p, 1)
			l.Reset([]float64{0, 0}, 0, nil)
			l.Box(math.Inf(1), 0.5) // u_1 ≤ 1/2
			l.Box(math.Inf(1), math.Inf(1))
			l.List([]float64{-1, -1}, -2, 0) // u_1 + u_2 ≥ 2
			l.List([]float64{-1, 2}, 8, 0)   // never violated
			l.List([]float64{0, -1}, -1, 0)  // u_2 ≥ 1, which the others imply
			if run.contradictory {
				l.List([]float64{1, 1}, 1, 0)
			}
			if _, err := l.Solve(t.Context(), run.cutoff); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&text)
		}
	}
	path := filepath.Join("testdata", "transcript.txt")
	if *update {
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text.String() != string(want) {
		t.Errorf("the transcript is\n%s\nwant\n%s", &text, want)
	}
}
