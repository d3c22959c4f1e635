package prune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Adversarial is adversarial pruning (paper, section 3): it keeps a largest set
// of rows in which differently labelled ones are more than 2·Radius apart, of any
// number of labels. The zero value removes enough to leave no row under
// two labels.
type Adversarial struct {
	// Radius is R, in the unit of the data. Rows of different labels at
	// distance ≤ 2R conflict; kept rows are strictly farther apart.
	Radius float64
	// Norm measures the distance. The zero value is ℓ∞.
	Norm polytope.Norm
	// Local gives each row a radius of its own: so many times its distance to the nearest row of
	// another label, of any weight, but Radius at most. Rows of different labels then conflict at a
	// distance ≤ the sum of their radii, so that more rows stay where labels meet. It is a number
	// from 1/2 on, below which no rows conflict; 0 means Radius for all. Proofs know no such radii.
	Local float64
	// Prices are the costs of a unit of each column, positive numbers: the distance is that of rows
	// whose columns were multiplied by them, each product rounded. nil means 1. A distance
	// of rows is the same both ways, so that prices of a direction make no sense here, nor do
	// other rules of moves.
	Prices []float64
	// Effort limits the search that three or more labels may need: the number of
	// rows that all of its nodes look at together. 0 stands for 2,000,000, some
	// seconds on hard problems.
	Effort int
}

// defaultEffort stands for no effort given.
const defaultEffort = 2_000_000

var _ Pruner = Adversarial{}

// Prune returns the rows to keep, ascending. With one or two labels no separated
// set has more, and of those with as many it is the one with the fewest rows of the
// larger label; see the package comment. With more labels it is the set that Solve finds.
//
// Few conflicts in up to three columns are found in a grid, in O(n) time. Else, with n
// rows of d columns, trees take O(d·n log n) time to build. Then come O(√n) phases, in
// practice up to 25, each of O(n) queries. A query takes about a microsecond in the
// plane, O(n·d) at worst. Conflicts are listed while there are at most 256 for each row
// of the larger label on average: then a phase takes O(n) plus a step for each, and
// listing them O(n²·d) at worst. Memory is O(n·d), some
// 100 bytes a row beside the data, and 4 bytes for each conflict that is listed, or
// 64 MiB for the matrix; see the package comment.
//
// Errors are those of classifier.TrainKNN, or wrap polytope.ErrNorm or the context's error.
func (a Adversarial) Prune(ctx context.Context, x mat.Matrix, y []int) ([]int, error) {
	r, err := a.Solve(ctx, x, y, nil)
	if err != nil {
		return nil, err
	}
	return r.Keep, nil
}

// Solve is Prune for rows that stand for several, with a certificate: of all separated sets of rows
// Result.Keep is one of the heaviest, or the heaviest that was found. A row's weight is how many
// rows it stands for, 0 or more. Without weights every row weighs 1.
//
// For two labels, or one, the set is optimal, and of all heaviest ones that with
// the least of the larger label, if no row weighs 0. For more labels the problem
// is NP-hard. Its relaxation decides most rows as a rule; the others are searched
// until the optimum is found, Effort is used up or the context's deadline has
// passed, which is no error once the relaxation is solved. Some rows may then be missing
// that could be put back, if the context ends while Solve looks for these.
//
// When ctx is cancelled in the search the error wraps its own and the Result
// holds the best set so far. Other errors come without one, and wrap those of Prune,
// polytope.ErrDimension if there are not as many weights as rows, and classifier.ErrOption for
// weights that are not counts of at most 2⁵² rows together.
func (a Adversarial) Solve(
	ctx context.Context, x mat.Matrix, y []int, weights []int,
) (*Result, error) {
	p, err := a.problem(ctx, x, y, weights)
	if err != nil {
		return nil, fmt.Errorf("prune: %w", err)
	}
	found, err := p.solve(ctx, cmp.Or(a.Effort, defaultEffort))
	if err != nil {
		return nil, fmt.Errorf("prune: %w", err)
	}
	r := p.result(found)
	if (r.Status != attack.StatusOptimal || found.cut) && errors.Is(ctx.Err(), context.Canceled) {
		return r, fmt.Errorf("prune: searching: %w", ctx.Err())
	}
	return r, nil
}

func (a Adversarial) validate() error {
	if !(a.Radius >= 0) || math.IsInf(a.Radius, 1) {
		return fmt.Errorf("%w: radius %v", classifier.ErrOption, a.Radius)
	}
	if a.Effort < 0 {
		return fmt.Errorf("%w: effort %d", classifier.ErrOption, a.Effort)
	}
	if err := geometry.CheckNorm(a.Norm); err != nil {
		return err
	}
	return a.validateLocal()
}

// labelled copies the rows and labels, in units of the prices.
func (a Adversarial) labelled(
	ctx context.Context, x mat.Matrix, y []int,
) (t *rows.Table, classes int, err error) {
	if t, classes, err = rows.Labelled(ctx, x, y); err != nil || a.Prices == nil {
		return t, classes, err
	}
	if len(a.Prices) != t.Dim {
		return nil, 0, fmt.Errorf("%w: %d prices of %d columns",
			classifier.ErrOption, len(a.Prices), t.Dim)
	}
	for j, price := range a.Prices {
		if !(price > 0) || math.IsInf(price, 1) {
			return nil, 0, fmt.Errorf("%w: price %v of column %d, want a finite number > 0",
				classifier.ErrOption, price, j)
		}
	}
	for i := range t.Len {
		row := t.Row(i)
		for j, price := range a.Prices {
			if row[j] *= price; math.IsInf(row[j], 0) {
				return nil, 0, rows.WrongValue(i, j, row[j])
			}
		}
	}
	return t, classes, nil
}
