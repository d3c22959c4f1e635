package boxtree

import "github.com/seed-1a7dc1f9/facet/internal/search"

// Large makes the search of an ensemble a large one, however small it is, whose parts at a depth
// are the first with potentials, but for those that are slow before. It returns it.
func Large(s search.Search, depth int) search.Search {
	if own, ok := s.(*boxSearch); ok {
		own.manyPairs, own.start = 0, depth
	}
	return s
}
