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
	p := &pruning{scanner: newScanner(r, "facet-pruning", "data", rows.SHA256), table: rows.table}
	kept := p.claim()
	p.cliques()
	p.Optimal = kept.cmp(exact(p.Bound)) >= 0
	p.expect("end")
	p.key()
	p.demand(p.ended, "a line after the end")
	return &p.Pruning, nil
}

// pruning checks one file.
type pruning struct {
	*scanner
	Pruning
	*table
	left []num // of each row: its weight, less the amounts of cliques that hold it
}

// value reads a line of one number that is at least 0.
func (p *pruning) value(key string) float64 {
	p.expect(key)
	v := p.floats(1)[0]
	p.demand(v >= 0, "the %s is %v", key, v)
	return v
}

// claim reads what stands above the cliques, and returns what the rows to keep weigh.
func (p *pruning) claim() num {
	p.Norm = p.readNorm()
	p.Radius = p.value("radius")
	weights := slices.Repeat([]float64{1}, len(p.labels))
	if p.has("weights") {
		weights = p.floats(len(p.labels))
		p.Weights = weights
	}
	for i, w := range weights {
		p.demand(w >= 0, "row %d weighs %v", i, w)
		p.left = append(p.left, exact(w))
	}
	p.expect("keep")
	sum := exact(0)
	for last := -1; p.more; last = p.Keep[len(p.Keep)-1] {
		i := p.integer(len(p.labels))
		p.demand(i > last, "row %d after row %d", i, last)
		p.Keep, sum = append(p.Keep, i), sum.plus(p.left[i])
	}
	p.separated()
	p.Weight = p.value("weight")
	nearest, _ := sum.x.Float64()
	p.demand(nearest == p.Weight, "the rows to keep weigh %v", nearest)
	p.Bound = p.value("bound")
	return sum
}

// conflict is the definition, with distances rounded as the format says.
func (p *pruning) conflict(i, j int) bool {
	return p.labels[i] != p.labels[j] && distance(p.Norm, p.row(int32(i)), p.row(int32(j))) <= 2*p.Radius
}

func distance(norm string, x, y []float64) float64 {
	most, sum, squares := 0.0, 0.0, 0.0
	for j := range x {
		gap := math.Abs(x[j] - y[j])
		most, sum, squares = max(most, gap), sum+gap, squares+float64(gap*gap)
	}
	switch {
	case norm == "inf", norm == "2" && (most == 0 || math.IsInf(most, 1)):
		return most
	case norm == "1":
		return sum
	case squares > 0x1p-900 && squares < 0x1p900:
		return math.Sqrt(squares)
	}
	squares = 0
	for j := range x {
		gap := math.Abs(x[j]-y[j]) / most
		squares += float64(gap * gap)
	}
	return most * math.Sqrt(squares)
}

// separated makes sure that no two rows to keep conflict. In the order of the feature that
// spreads them most only those within the distance are compared: no distance is less than the
// gap of one feature.
func (p *pruning) separated() {
	if len(p.Keep) == 0 {
		return
	}
	widest, width := 0, -1.0
	at := func(i int) float64 { return p.row(int32(i))[widest] }
	order := func(i, j int) int { return cmp.Compare(at(i), at(j)) }
	for f := range p.dim {
		was := widest
		widest = f
		if spread := at(slices.MaxFunc(p.Keep, order)) - at(slices.MinFunc(p.Keep, order)); spread > width {
			width, was = spread, f
		}
		widest = was
	}
	sorted := slices.SortedFunc(slices.Values(p.Keep), order)
	for k, i := range sorted {
		for _, j := range sorted[k+1:] {
			if at(j)-at(i) > 2*p.Radius {
				break
			}
			p.demand(!p.conflict(i, j), "rows %d and %d are kept and conflict", i, j)
		}
	}
}

// cliques makes sure that the cliques prove the bound.
func (p *pruning) cliques() {
	most := exact(0)
	for _, w := range p.left {
		most = most.plus(w)
	}
	for p.has("clique") {
		amount := p.floats(1)[0]
		p.demand(amount > 0, "the amount is %v", amount)
		var rows []int
		for len(rows) == 0 || p.more {
			i := p.integer(len(p.labels))
			for _, j := range rows {
				p.demand(p.conflict(i, j), "rows %d and %d do not conflict", j, i)
			}
			p.left[i] = p.left[i].minus(exact(amount))
			p.demand(p.left[i].cmp(exact(0)) >= 0, "row %d is in cliques of more than its weight", i)
			if rows = append(rows, i); len(rows) > 1 {
				most = most.minus(exact(amount))
			}
		}
	}
	p.demand(most.cmp(exact(p.Bound)) <= 0, "the cliques prove a bound of %g only", most.x)
}
