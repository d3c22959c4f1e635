package checkers

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/neighborproof"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/proven"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var lattices = flag.Int("lattices", 3000, "how many questions about rows of integers -full asks")

// drawLattice draws rows of small integers, x among them or between them, and perhaps a domain that
// fixes features or ends where rows tie.
func drawLattice(rng *rand.Rand) *lattice {
	dim := 1 + rng.IntN(3)
	k := []int{1, 1, 2, 3, 3, 5}[rng.IntN(6)]
	n := max(k, 2+rng.IntN(9-dim))
	in := &lattice{k: k, target: -1, norm: instance.Norms()[rng.IntN(3)]}
	width, classes := 2+rng.IntN(4), 2+rng.IntN(2)
	for range n {
		row := make([]int64, dim)
		for j := range row {
			row[j] = 2 * int64(rng.IntN(width))
		}
		in.rows, in.labels = append(in.rows, row), append(in.labels, rng.IntN(classes))
	}
	ends := rng.IntN(3)
	for range dim {
		v, lo, hi := int64(rng.IntN(2*width)), int64(-faraway), int64(faraway)
		if rng.IntN(2) == 0 {
			v = 2 * (v / 2)
		}
		switch {
		case ends > 0 && rng.IntN(3) == 0:
			lo, hi = v, v
		case ends > 0:
			if rng.IntN(3) > 0 {
				lo = v - int64(rng.IntN(4))
			}
			if rng.IntN(3) > 0 {
				hi = v + int64(rng.IntN(4))
			}
		}
		in.x, in.lo, in.hi = append(in.x, v), append(in.lo, lo), append(in.hi, hi)
	}
	if rng.IntN(3) == 0 {
		in.target = in.labels[rng.IntN(n)]
	}
	return in
}

func halves(v []int64) (h []float64) {
	for _, e := range v {
		h = append(h, float64(e)/2)
	}
	return h
}

// query returns the question.
func (in *lattice) query() search.Query {
	q := search.Query{
		X: halves(in.x), From: in.from(), Target: in.target, Cost: geometry.In(in.norm),
	}
	for j := range in.x {
		i := polytope.Line()
		if in.lo[j] > -faraway {
			i.Lo = float64(in.lo[j]) / 2
		}
		if in.hi[j] < faraway {
			i.Hi = float64(in.hi[j]) / 2
		}
		q.Domain = append(q.Domain, i)
	}
	return q
}

// file returns the file of the rows.
func (in *lattice) file(t *testing.T) []byte {
	rows := make([][]float64, len(in.rows))
	for i, r := range in.rows {
		rows[i] = halves(r)
	}
	file, err := json.Marshal(map[string]any{
		"format": "facet-model", "version": 1, "kind": "knn", "n_features": len(in.x), "k": in.k,
		"rows": rows, "labels": in.labels,
	})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// prove writes a proof of a bound.
func (in *lattice) prove(t *testing.T, bound float64) ([]byte, error) {
	rows := make([][]float64, len(in.rows))
	for i, r := range in.rows {
		rows[i] = halves(r)
	}
	table, err := neighbors.New(t.Context(), instance.Dense(rows), in.labels)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	w, q := bufio.NewWriter(&text), in.query()
	claim := prooftext.Claim{RealQuery: prooftext.RealQuery{Query: q}, Bound: bound}
	claim.Begin(w)
	if err := neighborproof.Write(t.Context(), w, table, in.k, q, bound); err != nil {
		return nil, err
	}
	claim.End(w)
	w.Flush()
	return text.Bytes(), nil
}

// TestLattices asks for proofs of how far the nearest answer is, where rows tie everywhere, and a
// search through all sets of k rows knows it: all checkers accept true proofs, and refuse those
// that claim more.
func TestLattices(t *testing.T) {
	t.Parallel()
	p, third := python.StartChecker(t, folder), proven.Find(t)
	rng := rand.New(rand.NewPCG(*seed, 9))
	asked, shown, forged, infinite := 0, 0, 0, 0
	for i := range instance.Count(150, *lattices) {
		in := drawLattice(rng)
		if in.target == in.from() {
			in.target = -1
		}
		bound, model := in.float(in.infimum()), in.file(t)
		more := []float64{
			math.Nextafter(bound, math.Inf(1)), bound + 0.25, 2*bound + 1, math.Inf(1),
		}
		if math.IsInf(bound, 1) {
			infinite++
			more = nil
		}
		for _, b := range more {
			if text, err := in.prove(t, b); !errors.Is(err, prooftext.ErrBound) {
				t.Fatalf("question %d: %+v: the bound is %v, and %v is proven: %v\n%s",
					i, in, bound, b, err, text)
			}
		}
		if bound == 0 {
			continue
		}
		asked++
		text, err := in.prove(t, bound)
		if err != nil {
			t.Errorf("question %d: %+v: the bound is %v: %v", i, in, bound, err)
			continue
		}
		shown++
		m, err := proof.ReadModel(bytes.NewReader(model))
		if err != nil {
			t.Fatal(err)
		}
		file := append(header(model), text...)
		if err := proof.Check(bytes.NewReader(file), m, ignore); err != nil {
			t.Fatalf("question %d: %+v: attack/proof: %v\n%s", i, in, err, text)
		}
		if verdict := p.Refuses(t, model, file); verdict != "" {
			t.Fatalf("question %d: %+v: check_proofs.py: %s\n%s", i, in, verdict, text)
		}
		if third != nil {
			if says, covered := third.Refuses(t, file, model); says != "" || !covered {
				t.Fatalf("question %d: %+v: facet-checked: %v, %s\n%s", i, in, covered, says, text)
			}
		}
		if more == nil {
			continue
		}
		for range 20 {
			forgery := append(header(model), forge(rng, text, more[rng.IntN(len(more))])...)
			forged++
			if err := proof.Check(bytes.NewReader(forgery), m, ignore); err == nil {
				t.Fatalf("question %d: %+v: the bound is %v, and attack/proof accepts\n%s",
					i, in, bound, forgery)
			}
			if forged%4 == 0 && p.Refuses(t, model, forgery) == "" {
				t.Fatalf("question %d: %+v: the bound is %v, and check_proofs.py accepts\n%s",
					i, in, bound, forgery)
			}
			if third == nil {
				continue
			}
			if says, covered := third.Refuses(t, forgery, model); says == "" || !covered {
				t.Fatalf("question %d: %+v: the bound is %v, and facet-checked accepts\n%s",
					i, in, bound, forgery)
			}
		}
	}
	t.Logf("%d of %d bounds proven, %d of all questions without an answer, %d forgeries refused",
		shown, asked, infinite, forged)
}

func ignore(proof.Claim) error { return nil }

// forge puts a bound into a proof, and changes some of its lines: they are left out, exchanged, or
// their words are.
func forge(rng *rand.Rand, text []byte, bound float64) []byte {
	lines := strings.SplitAfter(string(text), "\n")
	first := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "bound") })
	lines[first] = "bound " + prooftext.Float(bound) + "\n"
	last := len(lines) - 2 // "end"
	for range rng.IntN(4) {
		if first+2 >= last {
			break
		}
		i, j := first+1+rng.IntN(last-first-1), first+1+rng.IntN(last-first-1)
		switch rng.IntN(4) {
		case 0:
			lines[i] = ""
		case 1:
			lines[i], lines[j] = lines[j], lines[i]
		case 2:
			lines[i] += lines[j]
		case 3:
			words := strings.Fields(lines[i] + " " + lines[j])
			if len(words) > 2 {
				k := 1 + rng.IntN(len(words)-1)
				words[k] = words[1+rng.IntN(len(words)-1)]
				lines[i] = strings.Join(words[:1+rng.IntN(len(words))], " ") + "\n"
			}
		}
	}
	return []byte(strings.Join(lines, ""))
}
