package classifiertest_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/classifier/classifiertest"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// locating is a model with CellAt.
type locating struct {
	*model
	cellAt func(x []float64) (classifier.Cell, error)
}

func (l locating) CellAt(x []float64) (classifier.Cell, error) { return l.cellAt(x) }

func TestCellAt(t *testing.T) {
	m, cells := board()
	right := func(x []float64) (classifier.Cell, error) { return cells[square(x)], nil }
	tests := []struct {
		name   string
		cellAt func(x []float64) (classifier.Cell, error)
		want   string
	}{
		{"right", right, ""},
		{"an error",
			func([]float64) (classifier.Cell, error) {
				return classifier.Cell{}, io.ErrUnexpectedEOF
			}, "unexpected EOF"},
		{"another label",
			func(x []float64) (classifier.Cell, error) {
				c, err := right(x)
				c.Label = 0
				return c, err
			}, "has label 0"},
		{"another place",
			func(x []float64) (classifier.Cell, error) {
				return right([]float64{x[0] + 1, x[1]})
			}, "CellAt("},
		{"malformed", func([]float64) (classifier.Cell, error) {
			return classifier.Cell{Region: polytope.Polyhedron{Box: polytope.NewBox(3)}}, nil
		}, "got 3 intervals"},
		{"panics", func([]float64) (classifier.Cell, error) { panic("boom") },
			"panic in CellAt of classifiertest_test.locating: boom"},
	}
	for _, test := range tests {
		err := classifiertest.CheckWith(locating{m, test.cellAt}, 100, 0)
		if (err == nil) != (test.want == "") ||
			err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want it to say %q", test.name, err, test.want)
		}
	}
}

// searching hands out the search of another tree than the one it lists.
type searching struct {
	*classifier.Tree
	other *classifier.Tree
	err   error
}

func (s searching) Search(ctx context.Context, q search.Query) (search.Search, error) {
	if s.err != nil {
		return nil, s.err
	}
	of, _ := access.Searcher(s.other)
	return of.Search(ctx, q)
}

func (searching) Follows() search.Rules { return 0 }

func TestSearchers(t *testing.T) {
	train := func(rows ...float64) *classifier.Tree {
		c, err := classifier.TrainTree(t.Context(), mat.NewDense(len(rows), 1, rows),
			[]int{0, 1, 0, 1}[:len(rows)], classifier.TreeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	whole := train(0, 2, 4, 6)
	tests := []struct {
		name string
		s    searching
		want string
	}{
		{"right", searching{whole, whole, nil}, ""},
		{"leaves out cells", searching{whole, train(0, 2), nil}, "Search finds an example at"},
		{"fails", searching{whole, whole, io.ErrUnexpectedEOF}, "unexpected EOF"},
		{"not supported", searching{whole, whole, errors.ErrUnsupported}, ""},
	}
	for _, test := range tests {
		err := classifiertest.CheckWith(test.s, 50, 0)
		if (err == nil) != (test.want == "") ||
			err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want it to say %q", test.name, err, test.want)
		}
	}
}
