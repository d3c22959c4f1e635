package soundness

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Instance is something to check.
type Instance interface {
	// Check returns the fault that it finds. Its random choices follow from seed.
	Check(seed uint64) []Failure
	// Smaller lists simpler instances.
	Smaller() iter.Seq[Instance]
}

// Literal writes an instance as Go.
func Literal(in Instance) string {
	s := strings.TrimPrefix(fmt.Sprintf("%#v", in), "&")
	return strings.NewReplacer("+Inf", "math.Inf(1)", "-Inf", "math.Inf(-1)",
		"soundness.", "", ", LoOpen:false", "", ", HiOpen:false", "").Replace(s)
}

// patient is the Timeout of a search, and stuck the time after which a check counts as hanging.
const patient, stuck = 5 * time.Second, 60 * time.Second

// Guarded is Check with a panic as the letter p, and with the letter h if it does not
// return; the goroutine is then left behind.
func Guarded(in Instance, seed uint64) []Failure {
	done := make(chan []Failure, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- []Failure{{'p', fmt.Sprint(p)}}
			}
		}()
		done <- in.Check(seed)
	}()
	watch := time.NewTimer(stuck)
	defer watch.Stop()
	select {
	case fails := <-done:
		return fails
	case <-watch.C:
		return []Failure{
			{'h', fmt.Sprintf("no answer in %v, with a Timeout of %v", stuck, patient)},
		}
	}
}

// Shrink returns a simple instance in which the letter is wrong as well, and how.
// It looks for no longer than patience.
func Shrink(in Instance, first Failure, seed uint64, patience time.Duration) (Instance, Failure) {
	end := time.Now().Add(patience)
again:
	for smaller := range in.Smaller() {
		if time.Now().After(end) {
			break
		}
		for s := range uint64(3) {
			for _, f := range Guarded(smaller, seed+s) {
				if f.Letter == first.Letter {
					in, first = smaller, f
					goto again
				}
			}
		}
	}
	return in, first
}

// fewerRows lists the rows and labels without one of them.
func fewerRows(rows [][]float64, labels []int) iter.Seq2[[][]float64, []int] {
	return func(yield func([][]float64, []int) bool) {
		for i := range rows {
			if len(rows) < 2 {
				return
			}
			if !yield(
				slices.Delete(slices.Clone(rows), i, i+1),
				slices.Delete(slices.Clone(labels), i, i+1),
			) {
				return
			}
		}
	}
}

// simplerQueries lists queries with fewer conditions.
func simplerQueries(q Query) iter.Seq[Query] {
	return func(yield func(Query) bool) {
		for _, s := range []Query{
			{X: q.X, Norm: q.Norm, Target: q.Target},
			{X: q.X, Norm: q.Norm, Target: -1, Domain: q.Domain},
			{X: q.X, Norm: polytope.LInf, Target: q.Target, Domain: q.Domain},
		} {
			changed := (s.Domain == nil) != (q.Domain == nil) || s.Norm != q.Norm ||
				s.Target != q.Target
			if changed && !yield(s) {
				return
			}
		}
		for i := range q.Linear {
			s := q
			if s.Linear = slices.Delete(slices.Clone(q.Linear), i, i+1); !yield(s) {
				return
			}
		}
		for j, side := range q.Domain {
			for _, simple := range []polytope.Interval{
				polytope.Line(), {Lo: side.Lo, Hi: math.Inf(1)}, {Lo: math.Inf(-1), Hi: side.Hi},
			} {
				s := q
				s.Domain = slices.Clone(q.Domain)
				if s.Domain[j] = simple; simple != side && !yield(s) {
					return
				}
			}
		}
	}
}

// simplerPoints lists rows and queries with fewer coordinates, fewer conditions or
// rounder numbers.
func simplerPoints(rows [][]float64, q Query) iter.Seq2[[][]float64, Query] {
	return func(yield func([][]float64, Query) bool) {
		for j := range q.X {
			if len(q.X) < 2 {
				break
			}
			s := q
			if s.X = without(q.X, j); q.Domain != nil {
				s.Domain = slices.Delete(slices.Clone(q.Domain), j, j+1)
			}
			s.Linear = slices.Clone(q.Linear)
			for i := range s.Linear {
				s.Linear[i].A = without(s.Linear[i].A, j)
			}
			fewer := make([][]float64, len(rows))
			for i, r := range rows {
				fewer[i] = without(r, j)
			}
			if !yield(fewer, s) {
				return
			}
		}
		for s := range simplerQueries(q) {
			if !yield(rows, s) {
				return
			}
		}
		rounderPoints(rows, q, yield)
	}
}

func without(v []float64, j int) []float64 {
	return slices.Delete(slices.Clone(v), j, j+1)
}

// rounderPoints lists rows and queries in which a coordinate is moved or rounded.
func rounderPoints(rows [][]float64, q Query, yield func([][]float64, Query) bool) {
	for j := range q.X {
		for _, by := range []float64{q.X[j], rows[0][j]} {
			if by == 0 {
				continue
			}
			if moved, s, exact := translated(rows, q, j, by); exact && !yield(moved, s) {
				return
			}
		}
	}
	for j, v := range q.X {
		for _, simple := range rounder(v) {
			s := q
			s.X = slices.Clone(q.X)
			if s.X[j] = simple; !yield(rows, s) {
				return
			}
		}
	}
	for i := range rows {
		for j, v := range rows[i] {
			for _, simple := range rounder(v) {
				c := slices.Clone(rows)
				c[i] = slices.Clone(rows[i])
				if c[i][j] = simple; !yield(c, q) {
					return
				}
			}
		}
	}
}

// translated moves coordinate j of everything by −by, and tells whether that is exact.
func translated(rows [][]float64, q Query, j int, by float64) ([][]float64, Query, bool) {
	exact := true
	move := func(v float64) float64 {
		if math.IsInf(v, 0) {
			return v
		}
		moved := v - by
		exact = exact && moved+by == v && math.Abs(moved) <= math.Abs(v)
		return moved
	}
	s, c := q, slices.Clone(rows)
	s.X = slices.Clone(q.X)
	s.X[j] = move(s.X[j])
	for i := range c {
		c[i] = slices.Clone(c[i])
		c[i][j] = move(c[i][j])
	}
	if s.Domain = slices.Clone(q.Domain); s.Domain != nil {
		s.Domain[j].Lo, s.Domain[j].Hi = move(s.Domain[j].Lo), move(s.Domain[j].Hi)
	}
	return c, s, exact
}

// rounder lists numbers with fewer digits that are near v.
func rounder(v float64) []float64 {
	var out []float64
	if v == 0 || math.IsInf(v, 0) {
		return nil
	}
	for digits := 0; digits < 15; digits += 1 {
		scale := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-float64(digits))
		if simple := math.Round(v/scale) * scale; simple != v && !math.IsNaN(simple) &&
			len(fmt.Sprint(simple)) < len(fmt.Sprint(v)) {
			out = append(out, simple)
		}
	}
	return out
}
