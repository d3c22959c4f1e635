package dataset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// Reduce replaces the features of a set by the coordinates of its rows along the k
// directions in which they vary most (principal component analysis), centred and
// not scaled, as fit_transform of scikit-learn's PCA(k, random_state=seed) does
// when it is left to choose the algorithm: exactly when there are at most 500 rows
// and features or k is 0.8 of the smaller number or more, otherwise from a random
// sample of the range. The sample is part of the result: of MNIST, the last of 25
// coordinates differ by some percent from the exact ones, and by half a percent
// from those that fit followed by transform gives. Each direction points so that
// the row farthest along it lies on its positive side, the first row of a tie.
//
// It returns an error unless the rows vary in at least k directions, or the context's
// when that is done between two products of matrices.
func Reduce(ctx context.Context, s *Set, k int, seed uint32) (*Set, error) {
	if err := checkSome(s.Rows, s.Dim); err != nil {
		return nil, fmt.Errorf("principal components: %w", err)
	}
	if smaller := min(s.Rows, s.Dim); k < 1 || k > smaller {
		return nil, fmt.Errorf(
			"principal components: %d of %d × %d values, where 1 to %d are possible",
			k, s.Rows, s.Dim, smaller,
		)
	}
	x, err := s.centred()
	if err != nil {
		return nil, fmt.Errorf("principal components: %w", err)
	}
	f, err := factorize(ctx, x, k, seed)
	if err != nil {
		return nil, fmt.Errorf("principal components of %d × %d values: %w", s.Rows, s.Dim, err)
	}
	if r := f.rank(s.Rows, s.Dim); r < k {
		return nil, fmt.Errorf(
			"principal components: %d are wanted, but the rows vary in %d directions only", k, r,
		)
	}
	return &Set{Data: f.coordinates(k), Rows: s.Rows, Dim: k, Labels: slices.Clone(s.Labels)}, nil
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

// centred returns the rows less their mean.
func (s *Set) centred() (*mat.Dense, error) {
	x, mean := slices.Clone(s.Data), s.mean()
	for k := range x {
		m := mean[k%s.Dim]
		x[k] -= m
		if !(math.Abs(x[k]) <= largest) {
			return nil, fmt.Errorf("row %d: the value %v of feature %d is too far from the mean %v",
				k/s.Dim, s.Data[k], k%s.Dim, m)
		}
	}
	return mat.NewDense(s.Rows, s.Dim, x), nil
}

// factors are a singular value decomposition x = U·diag(s)·Vᵀ, or its leading
// part.
type factors struct {
	u, v *mat.Dense // a vector a column
	s    []float64  // descending
}

// The parameters of scikit-learn's PCA.
const (
	smallSet   = 500 // largest size that is always decomposed exactly
	oversample = 10  // random vectors beyond the wanted ones
)

// factorize decomposes x, exactly or as far as k directions need it.
func factorize(ctx context.Context, x *mat.Dense, k int, seed uint32) (*factors, error) {
	n, d := x.Dims()
	smaller := min(n, d)
	// A sample of all of the range would be the range itself.
	if max(n, d) <= smallSet || float64(k) >= 0.8*float64(smaller) || k+oversample >= smaller {
		return exactFactors(x)
	}
	rounds := 4
	if float64(k) < 0.1*float64(smaller) {
		rounds = 7
	}
	if n >= d {
		return sampledFactors(ctx, x, k+oversample, rounds, seed)
	}
	f, err := sampledFactors(ctx, x.T(), k+oversample, rounds, seed)
	if err != nil {
		return nil, err
	}
	f.u, f.v = f.v, f.u
	return f, nil
}

func exactFactors(x mat.Matrix) (*factors, error) {
	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDThin) {
		return nil, errors.New("the singular value decomposition did not converge")
	}
	f := &factors{u: new(mat.Dense), v: new(mat.Dense), s: svd.Values(nil)}
	svd.UTo(f.u)
	svd.VTo(f.v)
	return f, nil
}

// sampledFactors decomposes the projection of x, which has no more columns than
// rows, on the range of (x·xᵀ)^rounds·x·G for a matrix G of so many random normal
// columns (Halko, Martinsson, Tropp: Finding structure with randomness, SIAM Review
// 53, 2011, algorithms 4.4 and 5.1). How the basis is normalised between
// the rounds does not change its span: scikit-learn takes an LU decomposition
// where this takes a QR decomposition.
func sampledFactors(
	ctx context.Context, x mat.Matrix, columns, rounds int, seed uint32,
) (*factors, error) {
	n, d := x.Dims()
	narrow, tall := normalMatrix(d, columns, seed), mat.NewDense(n, columns, nil)
	for range rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tall.Mul(x, narrow)
		orthonormalize(tall)
		narrow.Mul(x.T(), tall)
		orthonormalize(narrow)
	}
	tall.Mul(x, narrow)
	orthonormalize(tall)
	var projection mat.Dense
	projection.Mul(tall.T(), x)
	f, err := exactFactors(&projection)
	if err != nil {
		return nil, err
	}
	u := new(mat.Dense)
	u.Mul(tall, f.u)
	f.u = u
	return f, nil
}

// normalMatrix draws its elements row by row.
func normalMatrix(rows, columns int, seed uint32) *mat.Dense {
	rng := numpyrand.New(seed)
	data := make([]float64, rows*columns)
	for k := range data {
		data[k] = rng.Normal(0, 1)
	}
	return mat.NewDense(rows, columns, data)
}

// orthonormalize replaces the columns of a matrix, no more than its rows, by an
// orthonormal basis of their span. mat.QR would form the square factor.
func orthonormalize(m *mat.Dense) {
	a := m.RawMatrix()
	tau, size := make([]float64, a.Cols), make([]float64, 1)
	lapack64.Geqrf(a, tau, size, -1)
	work := make([]float64, int(size[0]))
	lapack64.Geqrf(a, tau, work, len(work))
	lapack64.Orgqr(a, tau, size, -1)
	work = make([]float64, int(size[0]))
	lapack64.Orgqr(a, tau, work, len(work))
}

// rank counts the singular values that rounding errors of an n × d matrix
// cannot explain.
func (f *factors) rank(n, d int) int {
	const epsilon = 0x1p-52
	r := 0
	for r < len(f.s) && f.s[r] > epsilon*float64(max(n, d))*f.s[0] {
		r++
	}
	return r
}

// coordinates returns the first k columns of U·diag(s), row by row, each in the sense
// in which it has a positive element of the largest modulus.
func (f *factors) coordinates(k int) []float64 {
	n, _ := f.u.Dims()
	out := make([]float64, n*k)
	for j := range k {
		column := f.u.ColView(j)
		scale := f.s[j]
		if farthest(column) < 0 {
			scale = -scale
		}
		for i := range n {
			out[i*k+j] = scale * column.AtVec(i)
		}
	}
	return out
}

// farthest returns the first element of the largest modulus.
func farthest(v mat.Vector) float64 {
	most := 0.0
	for i := range v.Len() {
		if e := v.AtVec(i); math.Abs(e) > math.Abs(most) {
			most = e
		}
	}
	return most
}
