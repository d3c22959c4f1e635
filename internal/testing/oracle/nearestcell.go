package oracle

// nearestCell returns the point of any of the cells that is nearest to x, or nil
// if there are no cells.
func nearestCell[T any](f arithmetic[T], norm Norm, x []T, cells []cell[T]) []T {
	if norm == Two {
		return nearestCellEuclidean(f, x, cells)
	}
	var best []T
	var least T
	for _, c := range cells {
		z, ok := closest(f, norm, x, c.a, c.b)
		if !ok {
			continue
		}
		if now := cost(f, norm, z, x); best == nil || f.less(now, least) {
			best, least = z, now
		}
	}
	return best
}

// nearestCellEuclidean goes through the cells with a single enumeration, which
// need not look further than the nearest point of the cells before.
func nearestCellEuclidean[T any](f arithmetic[T], x []T, cells []cell[T]) []T {
	e := newEnumeration(f, x)
	for _, c := range cells {
		if a, b, ok := tidy(f, c.a, c.b); ok {
			e.search(a, b)
		}
	}
	return e.best
}
