package closest

import "github.com/seed-1a7dc1f9/facet/internal/precise"

// Kind names the norm that is minimised. The numbers are those of polytope.Norm.
type Kind int

const (
	Inf Kind = iota
	One
	Two
)

func (k Kind) length(v []float64) float64 {
	switch k {
	case Inf:
		return precise.MaxAbs(v)
	case One:
		return precise.SumAbs(v)
	}
	return precise.Length(v)
}

// dualLength is the length in the norm q with 1/p + 1/q = 1.
func (k Kind) dualLength(v []float64) float64 {
	return [...]Kind{Inf: One, One: Inf, Two: Two}[k].length(v)
}
