package instance

import (
	"context"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// SearchOf prepares the search of a classifier that searches its own cells.
func SearchOf(
	ctx context.Context, c classifier.Classifier, q search.Query,
) (search.Search, error) {
	s, ok := access.Searcher(c)
	if !ok {
		return nil, fmt.Errorf("%T has no search of its own", c)
	}
	return s.Search(ctx, q)
}
