package proof

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Pruning is what a file about adversarial pruning claims of a training set: the rows of Keep are
// separated, and no separated rows weigh more than Bound.
type Pruning struct {
	Norm          string
	Radius        float64
	Weights       []float64 // nil: 1 each
	Keep          []int
	Weight, Bound float64
	Optimal       bool // Weight is Bound, without rounding
}

// CheckPruning checks a file about the pruning of a training set, plain or gzipped. What is
// wrong with it is an *Error.
func CheckPruning(r io.Reader, rows *Model) (_ *Pruning, err error) {
	if rows.table == nil {
		return nil, fmt.Errorf("proof: pruning is about a training set, and this is a model: %w", errors.ErrUnsupported)
	}
	defer recovered(&err, "proof")
	p := &pruning{scanner: &scanner{r: uncompressed(r)}, t: rows.table}
	p.head("facet-pruning", "data", rows.SHA256)
	kept := p.claim()
	p.cliques()
	p.Optimal = kept.Cmp(exact(p.Bound)) >= 0
	p.expect("end")
	if p.key(); !p.ended {
		p.fail("a line after the end")
	}
	return &p.Pruning, nil
}

// pruning checks one file.
type pruning struct {
	*scanner
	Pruning
	t    *table
	left []number // of each row: its weight, less the amounts of cliques that hold it
}

// value reads a line of one number that is at least 0.
func (p *pruning) value(key string) float64 {
	p.expect(key)
	v := p.floats(1)[0]
	if !(v >= 0) {
		p.fail("the %s is %v", key, v)
	}
	return v
}

// claim reads what stands above the cliques, and returns what the rows to keep weigh.
func (p *pruning) claim() number {
	p.expect("norm")
	if p.Norm = p.word(); !norm(p.Norm).known() {
		p.fail("norm %.40q, want inf, 1 or 2", p.Norm)
	}
	p.Radius = p.value("radius")
	if p.has("weights") {
		p.Weights = p.floats(len(p.t.labels))
	}
	for i := range p.t.labels {
		w := 1.0
		if p.Weights != nil {
			w = p.Weights[i]
		}
		if p.left = append(p.left, exact(w)); !(w >= 0) {
			p.fail("row %d weighs %v", i, w)
		}
	}
	p.expect("keep")
	sum := exact(0)
	for p.more {
		i := p.integer(len(p.t.labels))
		if k := len(p.Keep); k > 0 && p.Keep[k-1] >= i {
			p.fail("row %d after row %d", i, p.Keep[k-1])
		}
		p.Keep, sum = append(p.Keep, i), plus(sum, p.left[i])
	}
	p.separated()
	p.Weight = p.value("weight")
	if nearest, _ := sum.Float64(); nearest != p.Weight {
		p.fail("the rows to keep weigh %v", nearest)
	}
	p.Bound = p.value("bound")
	return sum
}

// conflict is the definition.
func (p *pruning) conflict(i, j int) bool {
	return p.t.labels[i] != p.t.labels[j] && norm(p.Norm).distance(p.t.row(int32(i)), p.t.row(int32(j))) <= 2*p.Radius
}

// distance returns ‖x − y‖ in float64, as the format says that it is rounded.
func (n norm) distance(x, y []float64) float64 {
	gaps := make([]float64, len(x))
	for j := range x {
		gaps[j] = math.Abs(x[j] - y[j])
	}
	sum, most := n.sum(gaps), slices.Max(gaps)
	switch {
	case n != "2":
		return sum
	case sum > 0x1p-900 && sum < 0x1p900:
		return math.Sqrt(sum)
	case most == 0 || math.IsInf(most, 1):
		return most
	}
	for j := range gaps {
		gaps[j] /= most
	}
	return most * math.Sqrt(n.sum(gaps))
}

// separated makes sure that no two rows to keep conflict. In the order of the feature that
// spreads them most only those within the distance are compared: no distance is less than the
// gap of one feature.
func (p *pruning) separated() {
	widest, width := 0, -1.0
	at := func(i int) float64 { return p.t.row(int32(i))[widest] }
	for f := range p.t.dim {
		low, high := math.Inf(1), math.Inf(-1)
		for _, i := range p.Keep {
			v := p.t.row(int32(i))[f]
			low, high = min(low, v), max(high, v)
		}
		if high-low > width {
			widest, width = f, high-low
		}
	}
	sorted := slices.SortedFunc(slices.Values(p.Keep), func(i, j int) int { return cmp.Compare(at(i), at(j)) })
	for k, i := range sorted {
		for _, j := range sorted[k+1:] {
			if at(j)-at(i) > 2*p.Radius {
				break
			}
			if p.conflict(i, j) {
				p.fail("rows %d and %d are kept and conflict", i, j)
			}
		}
	}
}

// cliques makes sure that the cliques prove the bound.
func (p *pruning) cliques() {
	most := exact(0)
	for _, w := range p.left {
		most = plus(most, w)
	}
	for p.has("clique") {
		amount := exact(p.floats(1)[0])
		if amount.Sign() <= 0 {
			p.fail("the amount is %g", amount)
		}
		var rows []int
		for len(rows) == 0 || p.more {
			i := p.integer(len(p.t.labels))
			for _, j := range rows {
				if !p.conflict(i, j) {
					p.fail("rows %d and %d do not conflict", j, i)
				}
			}
			if p.left[i] = minus(p.left[i], amount); p.left[i].Sign() < 0 {
				p.fail("row %d is in cliques of more than its weight", i)
			}
			if rows = append(rows, i); len(rows) > 1 {
				most = minus(most, amount)
			}
		}
	}
	if most.Cmp(exact(p.Bound)) > 0 {
		p.fail("the cliques prove a bound of %g only", most)
	}
}
