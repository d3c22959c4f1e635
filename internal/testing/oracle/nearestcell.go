package oracle

// nearestCell returns the point of any of the cells that is nearest to x, or nil
// if there are none or all are empty. In ℓ2 a single enumeration goes through the cells: it need
// not look further than the nearest point of those before.
func nearestCell[T any](f arithmetic[T], norm Norm, x []T, cells []cell[T]) []T {
	e := newEnumeration(f, x)
	for _, c := range cells {
		a, b, ok := tidy(f, c.a, c.b)
		if !ok {
			continue
		}
		if norm == Two {
			e.search(a, b)
		} else if z, ok := closestLinear(f, norm, x, a, b); ok {
			if now := cost(f, norm, z, x); e.best == nil || f.less(now, e.least) {
				e.best, e.least = z, now
			}
		}
	}
	return e.best
}
