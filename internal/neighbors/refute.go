package neighbors

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Refuter shows that rows come before all but a few rivals nowhere within a radius, where no
// bisector shows it by itself. If Σ λ_i (w_i·u − e_i) < 0 for all displacements u within the
// radius, λ ≥ 0, then w_i·u < e_i for some i wherever one looks: there a rival comes first. The sum
// is negative within Σ λ_i e_i / ‖Σ λ_i w_i‖, in the dual norm, and that is raised one λ_i at a
// time.
type Refuter struct {
	rivals        *Rivals
	allowed       int
	radius        float64
	top           TopK
	lengths       []float64 // of the bisectors of a row
	row           Lines     // of it
	flat          []float64 // their w
	allowedRivals []int32
	lines         []line    // that are combined
	total         []float64 // Σ λ w
	slope         []float64 // of the dual norm there
	moved         float64   // Σ |changes of λ|, which bounds rounding errors
}

// line is a bisector of a row with a rival: coming before it takes a displacement u of w·u ≥ e,
// w of dual length 1.
type line struct {
	rival  int32
	w      []float64
	e      float64
	weight float64 // λ
}

// Lines are the bisectors of a row with those rivals that bound it farthest.
type Lines []line

const (
	// mostLines is how many bisectors of a row are combined.
	mostLines = 8
	// raises is how often a combination is raised, and leastRaise the least share by which.
	raises, leastRaise = 8, 1e-4
	// cuts is how often the interval of a weight is cut.
	cuts = 12
)

// Refuter returns one for displacements within a radius, at which all but those rivals that are
// allowed must come after each row.
func (r *Rivals) Refuter(allowed int, radius float64) *Refuter {
	d, n := r.dim, r.Len()
	memory := make([]float64, (2+mostLines)*d+n)
	return &Refuter{
		rivals: r, allowed: allowed, radius: radius,
		total: memory[:d], slope: memory[d : 2*d], flat: memory[2*d : (2+mostLines)*d],
		lengths: memory[(2+mostLines)*d:],
	}
}

// Row returns the lines of row p at a squared distance from X, unless it is refuted by itself.
func (f *Refuter) Row(p []float64, squared float64) (lines Lines, refuted bool) {
	r := f.rivals
	r.Lengths(p, f.lengths)
	f.top.Reset(mostLines)
	beyond := 0
	for i, rival := range r.First {
		b := BisectorBound(squared, rival.Squared, f.lengths[i], r.dim)
		if b > f.radius {
			if beyond++; beyond > f.allowed {
				return nil, true
			}
		}
		if b > f.top.Least() && b > 0 && f.lengths[i] > 0 {
			f.top.Offer(b, int32(i))
		}
	}
	lines, flat := f.row[:0], f.flat
	for _, row := range f.top.Rows {
		w := flat[:r.dim]
		flat = flat[r.dim:]
		floats.ScaleTo(w, 1/f.lengths[row.ID], floats.SubTo(w, p, r.Row(int(row.ID))))
		lines = append(lines, line{rival: row.ID, w: w, e: row.Value})
	}
	if f.row = lines; f.Refutes(lines) {
		return nil, true
	}
	lines, flat = slices.Clone(lines), slices.Clone(f.flat[:len(lines)*r.dim])
	for i := range lines {
		lines[i].w = flat[i*r.dim : (i+1)*r.dim]
	}
	return lines, false
}

// Refutes reports whether nowhere within the radius the rows of some lines all come before the same
// rivals, all but those allowed. It may be false though they do not.
func (f *Refuter) Refutes(rows ...Lines) bool {
	f.lines = f.lines[:0]
	for _, r := range rows {
		f.lines = append(f.lines, r...)
	}
	return f.refutes()
}

// refutes is Refutes where some rivals are allowed: whichever of those that a combination needs is
// allowed besides, another must do.
func (f *Refuter) refutes() bool {
	if !f.raise() {
		return false
	}
	if len(f.allowedRivals) == f.allowed {
		return true
	}
	var needed []int32
	for i := range f.lines {
		if l := &f.lines[i]; l.weight > 0 && !slices.Contains(needed, l.rival) {
			needed = append(needed, l.rival)
		}
	}
	for _, rival := range needed {
		f.allowedRivals = append(f.allowedRivals, rival)
		refuted := f.refutes()
		f.allowedRivals = f.allowedRivals[:len(f.allowedRivals)-1]
		if !refuted {
			return false
		}
	}
	return true
}

// raise looks for a combination of lines with rivals that are not allowed whose bound is beyond the
// radius.
func (f *Refuter) raise() bool {
	first := -1
	for i := range f.lines {
		l := &f.lines[i]
		if l.weight = 0; !slices.Contains(f.allowedRivals, l.rival) &&
			(first < 0 || l.e > f.lines[first].e) {
			first = i
		}
	}
	if first < 0 {
		return false
	}
	copy(f.total, f.lines[first].w)
	f.lines[first].weight, f.moved = 1, 1
	greatest := f.lines[first].e
	level, bound := greatest, greatest
	for range raises {
		if slack := Spread * f.moved; level-slack*greatest >
			f.radius*(level/bound+slack)*(1+Spread) {
			return true
		}
		i := f.steepest(bound)
		if i < 0 {
			return false
		}
		step, raised := f.search(&f.lines[i], level)
		if !(raised > bound*(1+leastRaise)) {
			return false
		}
		l := &f.lines[i]
		l.weight, level, bound = l.weight+step, level+step*l.e, raised
		f.moved += math.Abs(step)
		floats.AddScaled(f.total, step, l.w)
	}
	return false
}

// steepest returns the line whose weight raises the bound fastest, −1 if none does.
func (f *Refuter) steepest(bound float64) (steepest int) {
	f.differentiate()
	steepest = -1
	most := 0.0
	for i := range f.lines {
		l := &f.lines[i]
		gain := l.e - bound*floats.Dot(l.w, f.slope)
		if l.weight > 0 {
			gain = math.Abs(gain) // it may be taken back
		}
		if gain > most && !slices.Contains(f.allowedRivals, l.rival) {
			steepest, most = i, gain
		}
	}
	return steepest
}

// differentiate sets the slope of the dual norm at the total.
func (f *Refuter) differentiate() {
	switch f.rivals.q.Norm {
	case polytope.LInf:
		for j, e := range f.total {
			f.slope[j] = math.Copysign(1, e)
		}
	case polytope.L1:
		most := 0
		for j, e := range f.total {
			if f.slope[j] = 0; math.Abs(e) > math.Abs(f.total[most]) {
				most = j
			}
		}
		f.slope[most] = math.Copysign(1, f.total[most])
	default:
		floats.ScaleTo(f.slope, 1/floats.Norm(f.total, 2), f.total)
	}
}

// search returns the change of the weight of a line that raises the bound most, by golden
// sections, and the bound there.
func (f *Refuter) search(l *line, level float64) (step, raised float64) {
	const golden = 0.6180339887498949
	at := func(t float64) float64 { return (level + t*l.e) / f.length(t, l.w) }
	lo, hi := -l.weight, 2.0
	step, raised = lo, at(lo)
	low, high := hi-golden*(hi-lo), lo+golden*(hi-lo)
	below, above := at(low), at(high)
	for range cuts {
		if below > above {
			hi, high, above = high, low, below
			low = hi - golden*(hi-lo)
			below = at(low)
		} else {
			lo, low, below = low, high, above
			high = lo + golden*(hi-lo)
			above = at(high)
		}
	}
	for _, t := range [...]float64{low, high} {
		if b := at(t); b > raised {
			step, raised = t, b
		}
	}
	return step, raised
}

// length returns the dual length of the total with t more of a line.
func (f *Refuter) length(t float64, w []float64) float64 {
	total := f.total[:len(w)]
	var even, odd float64
	switch f.rivals.q.Norm {
	case polytope.LInf:
		for j := 1; j < len(w); j += 2 {
			even += math.Abs(total[j-1] + t*w[j-1])
			odd += math.Abs(total[j] + t*w[j])
		}
		if n := len(w); n%2 == 1 {
			even += math.Abs(total[n-1] + t*w[n-1])
		}
		return even + odd
	case polytope.L1:
		for j, e := range total {
			even = max(even, math.Abs(e+t*w[j]))
		}
		return even
	}
	for j, e := range total {
		v := e + t*w[j]
		even += v * v
	}
	return math.Sqrt(even)
}
