package dataset

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// PCA maps rows to their coordinates along the directions in which the rows that
// it was fitted to vary most (principal component analysis). Coordinates are
// centred, not scaled.
type PCA struct {
	Mean       []float64  // per feature
	Components *mat.Dense // a direction a row, orthonormal, most variance first
}

// FitPCA finds the k main directions of the rows of s as scikit-learn's
// PCA(k, random_state=seed) does when it is left to choose the algorithm:
// exactly when there are at most 500 rows and features or k is 0.8 of the smaller
// number or more, otherwise from a random sample of the range. The sample is part
// of the result: the last of 25 directions of MNIST differ by some percent from
// the exact ones. Each direction points so that the row farthest along it lies on
// its positive side, the first row of a tie.
//
// It returns an error unless the rows vary in at least k directions, or the context's
// when that is done between two products of matrices.
func FitPCA(ctx context.Context, s *Set, k int, seed uint32) (*PCA, error) {
	if err := checkSome(s.Rows, s.Dim); err != nil {
		return nil, fmt.Errorf("principal components: %w", err)
	}
	if smaller := min(s.Rows, s.Dim); k < 1 || k > smaller {
		return nil, fmt.Errorf("principal components: %d of %d × %d values, where 1 to %d are possible", k, s.Rows, s.Dim, smaller)
	}
	p := &PCA{Mean: s.mean()}
	x, err := p.centre(s)
	if err != nil {
		return nil, fmt.Errorf("principal components: %w", err)
	}
	f, err := factorize(ctx, x, k, seed)
	if err != nil {
		return nil, fmt.Errorf("principal components of %d × %d values: %w", s.Rows, s.Dim, err)
	}
	if r := f.rank(s.Rows, s.Dim); r < k {
		return nil, fmt.Errorf("principal components: %d are wanted, but the rows vary in %d directions only", k, r)
	}
	p.Components = f.directions(k)
	return p, nil
}

// mean returns the mean of each feature.
func (s *Set) mean() []float64 {
	mean := make([]float64, s.Dim)
	for i := range s.Rows {
		for j, v := range s.Row(i) {
			mean[j] += v
		}
	}
	for j := range mean {
		mean[j] /= float64(s.Rows)
	}
	return mean
}

// largest keeps sums of squares far from overflow.
const largest = 1e100

// centre returns the rows less the mean.
func (p *PCA) centre(s *Set) (*mat.Dense, error) {
	x := slices.Clone(s.Data)
	for k := range x {
		x[k] -= p.Mean[k%s.Dim]
		if !(math.Abs(x[k]) <= largest) {
			return nil, fmt.Errorf("row %d: the value %v of feature %d is too far from the mean %v", k/s.Dim, s.Data[k], k%s.Dim, p.Mean[k%s.Dim])
		}
	}
	return mat.NewDense(s.Rows, s.Dim, x), nil
}

// Apply returns the coordinates of the rows of a set. It returns an error when the
// set has another number of features than the rows that the directions were
// fitted to, or a value is too large.
func (p *PCA) Apply(s *Set) (*Set, error) {
	if s.Dim != len(p.Mean) {
		return nil, fmt.Errorf("the rows have %d features, but the principal components were fitted to %d", s.Dim, len(p.Mean))
	}
	k, _ := p.Components.Dims()
	out := &Set{Data: make([]float64, s.Rows*k), Rows: s.Rows, Dim: k, Labels: slices.Clone(s.Labels)}
	if s.Rows == 0 {
		return out, nil
	}
	x, err := p.centre(s)
	if err != nil {
		return nil, fmt.Errorf("principal components: %w", err)
	}
	mat.NewDense(s.Rows, k, out.Data).Mul(x, p.Components.T())
	return out, nil
}
