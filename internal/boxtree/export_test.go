package boxtree

import "github.com/seed-1a7dc1f9/facet/classifier/search"

// Large makes the search of an ensemble a large one, however small it is, and returns it.
func Large(s search.Search) search.Search {
	if s, ok := s.(*boxSearch); ok {
		s.manyPairs = 0
	}
	return s
}
