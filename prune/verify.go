package prune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// Verify checks a Result of Solve for the same rows, labels and weights without trusting the
// search: that Keep is separated, that no other row could be put back, that Weight is its weight,
// and that the certificate holds and proves its bound. The set is then within Certified − Weight of
// the optimum, so that equality proves it optimal. Bound and Status are not looked at: where they
// say more, it rests on the search.
//
// It compares all pairs of rows at worst, O(n²·d) time, but only those that one
// column leaves within the distance of each other, and takes O(n·d) memory.
//
// Errors wrap proof.ErrProof when the result is wrong; those for the other arguments are
// those of Solve.
func (a Adversarial) Verify(
	ctx context.Context, x mat.Matrix, y []int, weights []int, r *Result,
) error {
	v, err := a.verifier(ctx, x, y, weights)
	if err != nil {
		return fmt.Errorf("prune: %w", err)
	}
	if r == nil {
		return fmt.Errorf("prune: %w: no result", proof.ErrProof)
	}
	for _, check := range []func(context.Context, *Result) error{
		v.checkRows, v.checkWeight, v.checkCertificate, v.checkSeparation,
	} {
		err := check(ctx, r)
		if err != nil && errors.Is(err, ctx.Err()) {
			return fmt.Errorf("prune: verifying: %w", err)
		}
		if err != nil {
			return fmt.Errorf("prune: %w: %w", proof.ErrProof, err)
		}
	}
	return nil
}

// verifier checks a result against the input. It shares with the solver only the code that reads
// the input.
type verifier struct {
	Adversarial
	table *rows.Table
	y     []int
	radii []float64 // of each row
	left  []float64 // of each row: its weight, less the amounts of cliques that hold it
}

func (a Adversarial) verifier(
	ctx context.Context, x mat.Matrix, y []int, weights []int,
) (*verifier, error) {
	if err := a.validate(); err != nil {
		return nil, err
	}
	t, _, err := a.labelled(ctx, x, y)
	if err != nil {
		return nil, err
	}
	if _, err := checkWeights(weights, t.Len); err != nil {
		return nil, err
	}
	v := &verifier{Adversarial: a, table: t, y: y, left: slices.Repeat([]float64{1}, t.Len)}
	for i, w := range weights {
		v.left[i] = float64(w)
	}
	for i := range t.Len {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v.radii = append(v.radii, v.radius(i))
	}
	return v, nil
}

// radius returns that of a row.
func (v *verifier) radius(i int) float64 {
	r := v.Radius
	for j := 0; v.Local > 0 && j < v.table.Len; j++ {
		if v.y[i] != v.y[j] {
			r = min(r, v.Local*v.Norm.Distance(v.table.Row(i), v.table.Row(j)))
		}
	}
	return r
}

// conflict is the definition.
func (v *verifier) conflict(i, j int) bool {
	return v.y[i] != v.y[j] &&
		v.Norm.Distance(v.table.Row(i), v.table.Row(j)) <= v.radii[i]+v.radii[j]
}

// checkRows checks that the rows to keep exist and ascend.
func (v *verifier) checkRows(_ context.Context, r *Result) error {
	for k, i := range r.Keep {
		if i < 0 || i >= v.table.Len || k > 0 && i <= r.Keep[k-1] {
			return fmt.Errorf("place %d of the rows to keep: row %d", k, i)
		}
	}
	return nil
}

func (v *verifier) checkWeight(_ context.Context, r *Result) error {
	weight := 0.0
	for _, i := range r.Keep {
		weight += v.left[i]
	}
	if weight != float64(r.Weight) {
		return fmt.Errorf("the rows to keep weigh %v, not %v", weight, r.Weight)
	}
	return nil
}

// checkCertificate checks that no row is used for more than it weighs, and returns the bound that
// the cliques prove. Sums are exact: amounts are multiples of ½, and all rows together weigh
// mostWeight at most.
func (v *verifier) checkCertificate(ctx context.Context, r *Result) error {
	bound := 0.0
	for _, w := range v.left {
		bound += w
	}
	for k, c := range r.Cliques {
		if err := v.checkClique(ctx, c); err != nil {
			return fmt.Errorf("clique %d: %w", k, err)
		}
		bound -= float64(len(c.Rows)-1) * c.Amount
	}
	if !(bound <= r.Certified) {
		return fmt.Errorf("the cliques prove the bound %v, not %v", bound, r.Certified)
	}
	return nil
}

// checkClique checks one clique and takes its amount from the weights that its rows have left.
func (v *verifier) checkClique(ctx context.Context, c Clique) error {
	if !(c.Amount > 0) || c.Amount > mostWeight || 2*c.Amount != math.Floor(2*c.Amount) {
		return fmt.Errorf("the amount is %v, want a multiple of 1/2", c.Amount)
	}
	if len(c.Rows) == 0 {
		return errors.New("there are no rows")
	}
	for k, i := range c.Rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i < 0 || i >= v.table.Len {
			return fmt.Errorf("there is no row %d", i)
		}
		for _, j := range c.Rows[:k] {
			if !v.conflict(i, j) {
				return fmt.Errorf("rows %d and %d do not conflict", i, j)
			}
		}
		if v.left[i] -= c.Amount; v.left[i] < 0 {
			return fmt.Errorf("row %d is used for %v more than it weighs", i, -v.left[i])
		}
	}
	return nil
}

// checkSeparation checks that no kept row conflicts with another one and that
// every other row does with one that is kept.
func (v *verifier) checkSeparation(ctx context.Context, r *Result) error {
	column := v.widest()
	key := func(i int) float64 { return v.table.Row(i)[column] }
	kept := make([]bool, v.table.Len)
	for _, i := range r.Keep {
		kept[i] = true
	}
	sorted := slices.Clone(r.Keep)
	slices.SortFunc(sorted, func(i, j int) int { return cmp.Compare(key(i), key(j)) })
	for i, in := range kept {
		if err := ctx.Err(); err != nil {
			return err
		}
		j := v.enemy(sorted, i, key)
		if in && j >= 0 {
			return fmt.Errorf("rows %d and %d are kept and conflict", i, j)
		}
		if !in && j < 0 {
			return fmt.Errorf("row %d could be put back", i)
		}
	}
	return nil
}

// widest returns the column of the largest range.
func (v *verifier) widest() int {
	best, width := 0, -1.0
	for j := range v.table.Dim {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range v.table.Len {
			low, high = min(low, v.table.Row(i)[j]), max(high, v.table.Row(i)[j])
		}
		if high-low > width {
			best, width = j, high-low
		}
	}
	return best
}

// enemy returns a kept row that conflicts with row i, or −1, of those for which the key's
// difference alone is no more than 2R: no distance is less than that of one coordinate.
func (v *verifier) enemy(sorted []int, i int, key func(int) float64) int {
	first := sort.Search(len(sorted),
		func(k int) bool { return key(i)-key(sorted[k]) <= 2*v.Radius })
	for _, j := range sorted[first:] {
		if key(j)-key(i) > 2*v.Radius {
			break
		}
		if v.conflict(i, j) {
			return j
		}
	}
	return -1
}
