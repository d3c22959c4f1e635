package oracle

import "slices"

// enumeration tries every set of at most d independent rows: it projects x on
// the points where those rows hold with equality. The nearest of the projections
// that satisfy all rows is the answer, because the rows that hold with equality
// there include such a set.
//
// Row sets of size k extend those of size k−1, so their projections and bases
// are kept by size.
type enumeration[T any] struct {
	f          arithmetic[T]
	x          []T
	a          [][]T
	b          []T
	points     [][]T // points[k] is the projection on the first k chosen rows
	directions [][]T // an orthogonal basis of the chosen rows
	squares    []T   // squared lengths of the directions
	best       []T   // nearest point so far, nil if there is none
	least      T     // its squared distance
}

func newEnumeration[T any](f arithmetic[T], x []T) *enumeration[T] {
	e := &enumeration[T]{f: f, x: x, squares: zeros(f, len(x))}
	for range len(x) + 1 {
		e.points = append(e.points, slices.Clone(x))
		e.directions = append(e.directions, zeros(f, len(x)))
	}
	return e
}

// search looks in a polyhedron for a point nearer than the best of those
// searched before.
func (e *enumeration[T]) search(a [][]T, b []T) {
	e.a, e.b = a, b
	e.visit(0, 0)
}

// visit looks at the set of k rows chosen so far and at all its extensions by
// rows from next on. An extension's projection is no nearer, so a set that is
// too far, or that has the answer, need not be extended.
func (e *enumeration[T]) visit(k, next int) {
	z := e.points[k]
	squared := cost(e.f, Two, z, e.x)
	if e.best != nil && !e.f.less(squared, e.least) {
		return
	}
	if e.satisfied(z) {
		e.best, e.least = slices.Clone(z), squared
		return
	}
	if k == len(e.x) {
		return
	}
	for i := next; i < len(e.a); i++ {
		if e.choose(k, i) {
			e.visit(k+1, i+1)
		}
	}
}

// choose makes row i the chosen row number k, unless it depends on the k rows
// before it. The part of the row orthogonal to those rows is the direction in
// which the projection may move without leaving them.
func (e *enumeration[T]) choose(k, i int) bool {
	f, direction := e.f, e.directions[k]
	copy(direction, e.a[i])
	for range f.passes() {
		for h := range k {
			along := f.quo(f.dot(direction, e.directions[h]), e.squares[h])
			f.axpy(direction, f.mul(f.num(-1), along), e.directions[h])
		}
	}
	if vanishes(f, direction) {
		return false
	}
	e.squares[k] = f.dot(direction, direction)
	excess := f.sub(f.dot(e.a[i], e.points[k]), e.b[i])
	copy(e.points[k+1], e.points[k])
	f.axpy(e.points[k+1], f.mul(f.num(-1), f.quo(excess, e.squares[k])), direction)
	return true
}

// satisfied tells whether z satisfies all rows.
func (e *enumeration[T]) satisfied(z []T) bool {
	for i, row := range e.a {
		if e.f.sign(e.f.sub(e.f.dot(row, z), e.b[i])) > 0 {
			return false
		}
	}
	return true
}
