package prune

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/bipartite"
)

// units counts weights in multiples of one power of two, so that solvers add
// exactly: at most 2^heaviest units a row, and 2^altogether in all. What rounding
// down takes from a row is less than a unit, and is counted in finer ones.
type units struct {
	count            []int64 // by row; nil: one unit a row
	exponent, finest int     // of the unit and of the finest one, powers of two
	finer            []finer // what is left of the weights, digit by digit; none: nothing
}

// finer are the counts of a unit 2^shift smaller than the one before. A row has less
// of them than would make one of those before.
type finer struct {
	count []int64
	shift int
}

// Half units, which relaxations come in, are still exact as float64, and the sum
// of all of them as int64. Finer counts leave bipartite.Lightest room for both sides of a
// doubled graph.
const heaviest, altogether, altogetherFiner = 52, 60, 58

// least is the exponent of the smallest float64.
const least = -1074

// countWeights checks the weights of n rows. No weights stand for 1 each.
func countWeights(weights []float64, n int) (*units, error) {
	if weights == nil {
		return &units{}, nil
	}
	if len(weights) != n {
		return nil, fmt.Errorf("%w: %d weights, %d rows", ErrLength, len(weights), n)
	}
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return nil, &InputError{Row: i, Col: -1, Value: w, Err: ErrWeight}
		}
	}
	left := slices.Clone(weights)
	count, exponent := takeUnits(left, min(heaviest, altogether-bits.Len(uint(n))))
	u := &units{count: count, exponent: exponent, finest: exponent}
	for slices.Max(left) > 0 {
		count, finest := takeUnits(left, altogetherFiner-bits.Len(uint(n)))
		u.finer = append(u.finer, finer{count, u.finest - finest})
		u.finest = finest
	}
	return u, nil
}

// takeUnits counts the numbers in units of 2^exponent, the largest less than 2^digits
// of them, and leaves what is less than a unit, which is exact: low bits of a float64.
func takeUnits(numbers []float64, digits int) (count []int64, exponent int) {
	_, above := math.Frexp(slices.Max(numbers)) // all are less than 2^above
	exponent = max(above-digits, least)
	count = make([]int64, len(numbers))
	for i, v := range numbers {
		count[i] = int64(math.Ldexp(v, -exponent))
		numbers[i] -= math.Ldexp(float64(count[i]), exponent)
	}
	return count, exponent
}

// exact reports that nothing of the weights of these rows was rounded.
func (u *units) exact(rows []int32) bool {
	return !slices.ContainsFunc(u.finer, func(f finer) bool {
		return slices.ContainsFunc(rows, func(row int32) bool { return f.count[row] > 0 })
	})
}

// compare compares the weights of two rows, none of which was rounded.
func (u *units) compare(a, b int32) int {
	order := cmp.Compare(u.row(a), u.row(b))
	for _, f := range u.finer {
		order = cmp.Or(order, cmp.Compare(f.count[a], f.count[b]))
	}
	return order
}

// whole returns the weight of a row, of which nothing was rounded, in the finest units.
func (u *units) whole(row int32) *big.Int {
	w := big.NewInt(u.row(row))
	for _, f := range u.finer {
		w.Lsh(w, uint(f.shift))
		w.Add(w, big.NewInt(f.count[row]))
	}
	return w
}

// levels returns the weights of both sides of a graph, nil if all are equal.
func (u *units) levels(left, right []int32) []bipartite.Weights {
	if u.count == nil {
		return nil
	}
	levels := []bipartite.Weights{{Left: at(u.count, left), Right: at(u.count, right)}}
	for _, f := range u.finer {
		levels = append(levels, bipartite.Weights{Left: at(f.count, left), Right: at(f.count, right), Shift: f.shift})
	}
	return levels
}

// of returns the weights of some rows, in units.
func (u *units) of(rows []int32) []int64 {
	w := make([]int64, len(rows))
	for i, row := range rows {
		w[i] = u.row(row)
	}
	return w
}

func (u *units) row(row int32) int64 {
	if u.count == nil {
		return 1
	}
	return u.count[row]
}

// total returns the weight of some rows, in units.
func (u *units) total(rows []int32) int64 {
	var sum int64
	for _, row := range rows {
		sum += u.row(row)
	}
	return sum
}

// sumBits hold any sum of 2³² float64 exactly: their bits reach from 2^1023 down
// to 2^−1074.
const sumBits = 1024 + 1074 + 32

// sum adds float64 without rounding.
type sum struct{ big.Float }

// newSum returns the weight of n rows; no weights stand for 1 each.
func newSum(weights []float64, n int) *sum {
	s := &sum{}
	s.SetPrec(sumBits)
	if weights == nil {
		s.add(float64(n))
	}
	for _, w := range weights {
		s.add(w)
	}
	return s
}

// sumOf returns the weight of some rows; no weights stand for 1 each.
func sumOf(weights []float64, rows []int) *sum {
	if weights == nil {
		return newSum(nil, len(rows))
	}
	s := newSum(nil, 0)
	for _, i := range rows {
		s.add(weights[i])
	}
	return s
}

// nearest returns the float64 nearest to the sum.
func (s *sum) nearest() float64 {
	v, _ := s.Float64()
	return v
}

func (s *sum) add(v float64) { s.Add(&s.Float, new(big.Float).SetFloat64(v)) }

// less returns s − count·2^exponent, rounded up.
func (s *sum) less(count int64, exponent int) float64 {
	units := new(big.Float).SetInt64(count)
	return up(new(big.Float).SetPrec(sumBits).Sub(&s.Float, units.SetMantExp(units, exponent)))
}

// up returns the least float64 that is not less.
func up(v *big.Float) float64 {
	f, _ := new(big.Float).SetPrec(53).SetMode(big.ToPositiveInf).Set(v).Float64()
	return f
}
