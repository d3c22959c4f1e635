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

// pruning checks one file.
type pruning struct {
	*scanner
	Pruning
	*table
	left []num // of each row: its weight, less the amounts of cliques that hold it
}

// CheckPruning checks a file about the pruning of a training set, plain or gzipped. What is
// wrong with it is an *Error.
func CheckPruning(r io.Reader, rows *Model) (claim *Pruning, err error) {
	if rows.table == nil {
		return nil, fmt.Errorf("proof: pruning is about a training set, and this is a model: %w", errors.ErrUnsupported)
	}
	defer recovered(&err, "proof")
	p := &pruning{scanner: newScanner(r, "facet-pruning", "data", rows.SHA256), table: rows.table}
	p.check()
	p.expect("end")
	p.key()
	p.demand(p.ended, "a line after the end")
	return &p.Pruning, nil
}

// value reads a line of one number that is at least 0.
func (p *pruning) value(key string) float64 {
	p.expect(key)
	v := p.floats(1)[0]
	p.demand(v >= 0, "the %s is %v", key, v)
	return v
}

func (p *pruning) check() {
	p.Norm = p.readNorm()
	p.Radius = p.value("radius")
	weights := slices.Repeat([]float64{1}, len(p.labels))
	if p.has("weights") {
		weights = p.floats(len(p.labels))
		p.Weights = weights
	}
	var kept, most num
	for i, w := range weights {
		p.demand(w >= 0, "row %d weighs %v", i, w)
		p.left, most = append(p.left, exact(w)), most.plus(exact(w))
	}
	p.expect("keep")
	kept = exact(0)
	for last := -1; p.more; last = p.Keep[len(p.Keep)-1] {
		i := p.integer(len(p.labels))
		p.demand(i > last, "row %d after row %d", i, last)
		p.Keep, kept = append(p.Keep, i), kept.plus(p.left[i])
	}
	p.separated()
	p.Weight = p.value("weight")
	nearest, _ := kept.x.Float64()
	p.demand(nearest == p.Weight, "the rows to keep weigh %v", nearest)
	p.Bound = p.value("bound")
	for p.has("clique") {
		most = most.minus(p.clique())
	}
	p.demand(most.cmp(exact(p.Bound)) <= 0, "the cliques prove a bound of %g only", most.x)
	p.Optimal = kept.cmp(exact(p.Bound)) >= 0
}

// clique reads rows that conflict, and returns how much of their weight cannot be kept for that.
func (p *pruning) clique() num {
	amount := p.floats(1)[0]
	p.demand(amount > 0, "the amount is %v", amount)
	var rows []int
	for len(rows) == 0 || p.more {
		i := p.integer(len(p.labels))
		for _, j := range rows {
			if !p.conflict(i, j) {
				p.demand(false, "rows %d and %d do not conflict", j, i)
			}
		}
		rows, p.left[i] = append(rows, i), p.left[i].minus(exact(amount))
		p.demand(p.left[i].cmp(exact(0)) >= 0, "row %d is in cliques of more than its weight", i)
	}
	return exact(amount).times(exact(float64(len(rows) - 1)))
}

// separated makes sure that no two rows to keep conflict. In the order of the feature that spreads them most only
// those within the distance are compared: no distance is less than the gap of one feature.
func (p *pruning) separated() {
	at, spread := make([]float64, len(p.labels)), -1.0
	for f := range p.dim {
		low, high := math.Inf(1), math.Inf(-1)
		for _, i := range p.Keep {
			low, high = min(low, p.row(i)[f]), max(high, p.row(i)[f])
		}
		for _, i := range p.Keep {
			if high-low > spread {
				at[i] = p.row(i)[f]
			}
		}
		spread = max(spread, high-low)
	}
	sorted := slices.SortedFunc(slices.Values(p.Keep), func(i, j int) int { return cmp.Compare(at[i], at[j]) })
	for k, i := range sorted {
		for _, j := range sorted[k+1:] {
			if at[j]-at[i] > 2*p.Radius {
				break
			}
			if p.conflict(i, j) {
				p.demand(false, "rows %d and %d are kept and conflict", i, j)
			}
		}
	}
}

// conflict is the definition, with distances rounded as the format says.
func (p *pruning) conflict(i, j int) bool {
	if p.labels[i] == p.labels[j] {
		return false
	}
	x, y := p.row(i), p.row(j)
	measure := func(scale float64) (most, sum, squares float64) {
		for f := range x {
			gap := math.Abs(x[f]-y[f]) / scale
			most, sum, squares = max(most, gap), sum+gap, squares+float64(gap*gap)
		}
		return most, sum, squares
	}
	most, sum, squares := measure(1)
	distance := most
	switch {
	case p.Norm == "1":
		distance = sum
	case p.Norm == "2" && squares > 0x1p-900 && squares < 0x1p900:
		distance = math.Sqrt(squares)
	case p.Norm == "2" && most > 0 && finite(most):
		_, _, squares = measure(most)
		distance = most * math.Sqrt(squares)
	}
	return distance <= 2*p.Radius
}
