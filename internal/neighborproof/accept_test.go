package neighborproof_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var only = func() int {
	n, err := strconv.Atoi(os.Getenv("ONLY"))
	if err != nil {
		return -1
	}
	return n
}()

// TestRandom checks the proofs of random small instances: grids, duplicates, ties, domains, targets.
func TestRandom(t *testing.T) {
	finite, infinite, refused := 0, 0, 0
	for number := range uint64(max(instance.Count(2000, 40000), only+1)) {
		if only >= 0 && number != uint64(only) {
			continue
		}
		rng := rand.New(rand.NewPCG(number, 13))
		in := instance.DrawNeighbors(rng)
		switch rng.IntN(8) {
		case 0:
			in = instance.DrawCloud(rng, 4+rng.IntN(10), 2+rng.IntN(2))
		case 1:
			if in.Box != nil { // flat in a feature
				j := rng.IntN(len(in.Box))
				in.Box[j].Lo = float64(rng.IntN(3) - 1)
				in.Box[j].Hi = in.Box[j].Lo
			}
		}
		compact(in.Y)
		k := 1 + rng.IntN(min(6, len(in.X)))
		c := in.KNN(t, k)
		o := attack.Options{Norm: polytope.Norm(number % 3), Target: in.Target, Domain: in.Box, Workers: 1}
		if o.Target != nil && (*o.Target >= c.Classes() || *o.Target == c.Predict(in.Query)) {
			o.Target = nil
		}
		a := &attack.RegionBased{Classifier: c, Options: o}
		var b bytes.Buffer
		r, err := a.Prove(t.Context(), in.Query, &b)
		if err != nil {
			refused++
			t.Errorf("instance %d: k = %d, dim %d, n %d, norm %v, domain %v, bound %v distance %v, %v", number, k, len(in.Query), len(in.X), o.Norm, in.Box != nil, r.Bound, r.Distance, err)
			continue
		}
		if r.Bound == 0 {
			continue
		}
		if err := checkKNN(c, b.String()); err != nil {
			t.Errorf("instance %d: k = %d, %+v: %v\n%s", number, k, in, err, b.String())
		}
		if math.IsInf(r.Bound, 1) {
			infinite++
		} else {
			finite++
		}
		mustHaveBound(t, r, b.String())
	}
	t.Logf("%d with a bound, %d without, %d refused", finite, infinite, refused)
}

// mustHaveBound: a proof claims the bound of the result, or at most 1e-12 less.
func mustHaveBound(t *testing.T, r attack.Result, proof string) {
	t.Helper()
	_, rest, _ := strings.Cut(proof, "\nbound ")
	word, _, _ := strings.Cut(rest, "\n")
	if b := float(word); b > r.Bound || b < r.Bound*(1-1.1e-12) {
		t.Errorf("a proof of %v where the bound is %v", b, r.Bound)
	}
}

// goCheck asks attack/proof.
func goCheck(c *classifier.KNN, text string) error {
	var csv bytes.Buffer
	for i := range c.Len() {
		x, label := c.Row(i)
		for _, v := range x {
			fmt.Fprintf(&csv, "%v,", v)
		}
		fmt.Fprintln(&csv, label)
	}
	m, err := proof.ReadRows(&csv, c.K())
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := proof.Begin(&file, m.SHA256); err != nil {
		return err
	}
	file.WriteString(text)
	return proof.Check(&file, m, func(proof.Claim) error { return nil })
}

func compact(labels []int) {
	present := map[int]bool{}
	for _, l := range labels {
		present[l] = true
	}
	number, next := map[int]int{}, 0
	for l := range 100 {
		if present[l] {
			number[l] = next
			next++
		}
	}
	for i, l := range labels {
		labels[i] = number[l]
	}
}

func checkKNN(c *classifier.KNN, text string) error {
	if err := goCheck(c, text); err != nil {
		return err
	}
	var rows [][]float64
	var labels []int
	for i := range c.Len() {
		x, label := c.Row(i)
		rows, labels = append(rows, x), append(labels, label)
	}
	return check(rows, labels, c.K(), text)
}
