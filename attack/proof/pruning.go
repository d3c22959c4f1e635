package proof

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Pruning is the claim of a file about adversarial pruning of a training set: the rows of Keep are
// separated, and no separated rows weigh more than Bound.
type Pruning struct {
	Norm    string
	Radius  float64
	Weights []int // how many rows each stands for; nil: 1 each
	Keep    []int
	Weight  int
	Bound   float64
}

// mostWeight is the greatest weight of all rows together: up to here float64 is exact for half
// units.
const mostWeight = 1 << 52

// pruning checks one file.
type pruning struct {
	*scanner
	Pruning
	*table
	left []float64 // of each row: its weight, less the amounts of cliques that hold it
}

// CheckPruning checks a file about the pruning of a training set, plain or gzipped. Errors about a
// fault of it wrap ErrProof.
func CheckPruning(r io.Reader, rows *Model) (claim *Pruning, err error) {
	if r == nil || rows == nil {
		return nil, errors.New("proof: no file, or no training set")
	}
	if rows.table == nil {
		return nil, fmt.Errorf("proof: pruning is about a training set, and this is a model: %w",
			errors.ErrUnsupported)
	}
	defer recovered(&err, "proof")
	s := newScanner(r, "facet-pruning", "data", rows.SHA256)
	p := &pruning{scanner: s, table: rows.table}
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
	most := p.readWeights()
	p.expect("keep")
	kept := 0.0
	for last := -1; p.more; last = p.Keep[len(p.Keep)-1] {
		i := p.integer(len(p.labels))
		p.demand(i > last, "row %d after row %d", i, last)
		p.Keep, kept = append(p.Keep, i), kept+p.left[i]
	}
	p.separated()
	p.demand(p.value("weight") == kept, "the rows to keep weigh %v", kept)
	p.Weight = int(kept)
	p.Bound = p.value("bound")
	for p.has("clique") {
		most -= p.clique()
	}
	p.demand(most <= p.Bound, "the cliques prove a bound of %v only", most)
}

// readWeights reads the weights of rows, and returns their sum. All sums that follow are exact.
func (p *pruning) readWeights() (all float64) {
	p.left = slices.Repeat([]float64{1}, len(p.labels))
	if !p.has("weights") {
		return float64(len(p.labels))
	}
	for i := range p.left {
		w := p.floats(1)[0]
		p.demand(w >= 0 && w == math.Floor(w), "row %d weighs %v, which is no count", i, w)
		all += w
		p.demand(all <= mostWeight, "the rows weigh more than 2^52")
		p.left[i], p.Weights = w, append(p.Weights, int(w))
	}
	return all
}

// clique reads rows that conflict, and returns how much of their weight cannot be kept for that.
func (p *pruning) clique() float64 {
	amount := p.floats(1)[0]
	p.demand(amount > 0 && 2*amount == math.Floor(2*amount),
		"the amount is %v, which is no multiple of 1/2", amount)
	var rows []int
	for len(rows) == 0 || p.more {
		i := p.integer(len(p.labels))
		for _, j := range rows {
			if !p.conflict(i, j) {
				p.demand(false, "rows %d and %d do not conflict", j, i)
			}
		}
		rows, p.left[i] = append(rows, i), p.left[i]-amount
		p.demand(p.left[i] >= 0, "row %d is in cliques of more than its weight", i)
	}
	return amount * float64(len(rows)-1)
}

// separated makes sure that no two rows to keep conflict. In the order of the feature that spreads
// them most only those within the distance are compared: no distance is less than the gap of one
// feature.
func (p *pruning) separated() {
	widest, spread := 0, -1.0
	for f := range p.dim {
		low, high := math.Inf(1), math.Inf(-1)
		for _, i := range p.Keep {
			low, high = min(low, p.row(i)[f]), max(high, p.row(i)[f])
		}
		if high-low > spread {
			widest, spread = f, high-low
		}
	}
	at := func(i int) float64 { return p.row(i)[widest] }
	sorted := slices.SortedFunc(slices.Values(p.Keep),
		func(i, j int) int { return cmp.Compare(at(i), at(j)) })
	for k, i := range sorted {
		for _, j := range sorted[k+1:] {
			if at(j)-at(i) > 2*p.Radius {
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
