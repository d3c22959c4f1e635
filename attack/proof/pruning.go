package proof

import (
	"cmp"
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
func CheckPruning(r io.Reader, rows *Model) (*Pruning, error) {
	if rows.table == nil {
		return nil, fmt.Errorf("proof: pruning is about a training set, and this is a model: %w", errUnsupported)
	}
	plain, err := uncompressed(r)
	if err != nil {
		return nil, fmt.Errorf("proof: %w", err)
	}
	p := &pruning{scanner: &scanner{r: plain}, t: rows.table}
	p.head("facet-pruning", "data", rows.SHA256)
	p.claim()
	p.cliques()
	p.expect("end")
	if p.done(); p.err == nil && !p.ended {
		p.fail("a line after the end")
	}
	if p.err != nil {
		return nil, fmt.Errorf("proof: %w", p.err)
	}
	return &p.Pruning, nil
}

// pruning checks one file.
type pruning struct {
	*scanner
	Pruning
	t    *table
	left []*dyadic // of each row: its weight, less the amounts of cliques that hold it
}

func (p *pruning) claim() {
	p.expect("norm")
	if p.Norm = p.word(); !norm(p.Norm).known() {
		p.fail("norm %.40q, want inf, 1 or 2", p.Norm)
	}
	p.done()
	p.expect("radius")
	if p.Radius = p.floats(1)[0]; !(p.Radius >= 0) {
		p.fail("the radius is %v", p.Radius)
	}
	p.done()
	if p.key() == "weights" {
		p.expect("weights")
		p.Weights = p.floats(len(p.t.labels))
		p.done()
	}
	for i := range p.t.labels {
		w := p.weight(i)
		if !(w >= 0) {
			p.fail("row %d weighs %v", i, w)
		}
		p.left = append(p.left, exactly(w))
	}
	p.expect("keep")
	for p.more() {
		i := p.integer(len(p.t.labels))
		if k := len(p.Keep); k > 0 && p.Keep[k-1] >= i {
			p.fail("row %d after row %d", i, p.Keep[k-1])
		}
		p.Keep = append(p.Keep, i)
	}
	p.separated()
	p.done()
	p.expect("weight")
	p.Weight = p.floats(1)[0]
	sum := &dyadic{}
	for _, i := range p.Keep {
		sum.add(exactly(p.weight(i)))
	}
	if p.err == nil && sum.nearest() != p.Weight {
		p.fail("the rows to keep weigh %v", sum.nearest())
	}
	p.done()
}

func (p *pruning) weight(i int) float64 {
	if p.Weights == nil || p.err != nil {
		return 1
	}
	return p.Weights[i]
}

// conflict is the definition.
func (p *pruning) conflict(i, j int) bool {
	return p.t.labels[i] != p.t.labels[j] && norm(p.Norm).distance(p.t.row(int32(i)), p.t.row(int32(j))) <= 2*p.Radius
}

// distance returns ‖x − y‖ in float64, as the format says that it is rounded.
func (n norm) distance(x, y []float64) float64 {
	gaps, most := make([]float64, len(x)), 0.0
	for j := range x {
		gaps[j] = math.Abs(x[j] - y[j])
		most = max(most, gaps[j])
	}
	sum := 0.0
	for _, g := range gaps {
		sum = n.join(sum, g)
	}
	switch {
	case n != norm2:
		return sum
	case sum > 0x1p-900 && sum < 0x1p900:
		return math.Sqrt(sum)
	case most == 0 || math.IsInf(most, 1):
		return most
	}
	sum = 0
	for _, g := range gaps {
		sum = n.join(sum, g/most)
	}
	return most * math.Sqrt(sum)
}

// separated makes sure that no two rows to keep conflict. In the order of the feature that
// spreads them most only those within the distance are compared: no distance is less than the
// gap of one feature.
func (p *pruning) separated() {
	widest, width := 0, -1.0
	for f := range p.t.dim {
		low, high := math.Inf(1), math.Inf(-1)
		for _, i := range p.Keep {
			low, high = min(low, p.t.row(int32(i))[f]), max(high, p.t.row(int32(i))[f])
		}
		if high-low > width {
			widest, width = f, high-low
		}
	}
	at := func(i int) float64 { return p.t.row(int32(i))[widest] }
	sorted := slices.SortedFunc(slices.Values(p.Keep), func(i, j int) int { return cmp.Compare(at(i), at(j)) })
	for k, i := range sorted {
		for _, j := range sorted[k+1:] {
			if p.err != nil || at(j)-at(i) > 2*p.Radius {
				break
			}
			if p.conflict(i, j) {
				p.fail("rows %d and %d are kept and conflict", i, j)
			}
		}
	}
}

// cliques reads the bound and the cliques that prove it.
func (p *pruning) cliques() {
	p.expect("bound")
	p.Bound = p.floats(1)[0]
	p.done()
	most := &dyadic{}
	for _, w := range p.left {
		most.add(w)
	}
	for p.key() == "clique" && p.err == nil {
		p.expect("clique")
		amount := p.floats(1)[0]
		if !(amount > 0) {
			p.fail("the amount is %v", amount)
		}
		rows := p.clique(exactly(amount))
		most.sub(exactly(amount).times(exactly(float64(rows - 1))))
		p.done()
	}
	if p.err == nil && most.cmp(exactly(p.Bound)) > 0 {
		p.fail("the cliques prove a bound of %v only", most.nearest())
	}
	kept := exactly(p.Bound)
	for _, i := range p.Keep {
		kept.sub(exactly(p.weight(i)))
	}
	p.Optimal = kept.sign() <= 0
}

// clique reads the rows of one, which conflict with each other, and returns how many they are.
func (p *pruning) clique(amount *dyadic) int {
	var rows []int
	for p.more() {
		i := p.integer(len(p.t.labels))
		for _, j := range rows {
			if p.err == nil && !p.conflict(i, j) {
				p.fail("rows %d and %d do not conflict", j, i)
			}
		}
		if p.err == nil && p.left[i].sub(amount).sign() < 0 {
			p.fail("row %d is in cliques of more than its weight", i)
		}
		rows = append(rows, i)
	}
	if len(rows) == 0 {
		p.fail("a clique of no rows")
	}
	return len(rows)
}
