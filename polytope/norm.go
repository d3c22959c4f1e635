package polytope

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Norm is the length in which distances are measured: ℓ∞, ℓ1 or ℓ2. Its zero value is ℓ∞, the
// norm of the paper's experiments.
type Norm int

const (
	LInf Norm = iota // max |v_j|
	L1               // Σ |v_j|
	L2               // √Σ v_j²
)

// ErrNorm is returned for a Norm that is none of LInf, L1 and L2.
var ErrNorm = errors.New("unsuitable norm")

// ParseNorm reads "inf", "1" or "2".
func ParseNorm(s string) (Norm, error) {
	for n := range L2 + 1 {
		if s == n.String() {
			return n, nil
		}
	}
	return 0, fmt.Errorf("polytope: %w %q: use inf, 1 or 2", ErrNorm, s)
}

// String returns the name ParseNorm reads.
func (n Norm) String() string {
	if names := [...]string{LInf: "inf", L1: "1", L2: "2"}; n >= 0 && int(n) < len(names) {
		return names[n]
	}
	return fmt.Sprintf("Norm(%d)", int(n))
}

// Distance returns ‖x − y‖ of two vectors of equal length. A NaN in either makes
// the result NaN.
func (n Norm) Distance(x, y []float64) float64 {
	y = y[:len(x)]
	switch n {
	case L1:
		var sum float64
		for j, e := range x {
			sum += math.Abs(e - y[j])
		}
		return sum
	case L2:
		return euclidean(x, y)
	}
	var most float64
	for j, e := range x {
		if a := math.Abs(e - y[j]); !(a <= most) {
			if most = a; a != a {
				break
			}
		}
	}
	return most
}

// euclidean returns ‖x − y‖₂.
func euclidean(x, y []float64) float64 {
	var squares float64
	for j, e := range x {
		e -= y[j]
		squares += float64(e * e)
	}
	if precise.Usual(squares) || squares != squares {
		return math.Sqrt(squares)
	}
	gaps := make([]float64, len(x))
	for j, e := range x {
		gaps[j] = e - y[j]
	}
	return precise.Length(gaps)
}

// Prices are the costs of moving each coordinate by a unit, upwards and downwards: positive
// numbers Up and Down, or +Inf where there is no moving that way. A nil *Prices is 1 everywhere.
//
// With prices a displacement u is as long as ‖(c_j(u_j))‖, where c_j(u_j) is the cost of moving
// coordinate j by u_j. Where prices differ by direction, u and −u differ in length.
type Prices struct{ Up, Down []float64 }
